// Calls between the two languages: long computations without the interpreter's lock, Python functions inside C++, and
// mutable objects shared between threads.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "arrays.hpp"
#include "iqbo/core/stop.hpp"

namespace iqbo::python {

// Runs Python's signal handlers (Ctrl-C), at most every kPatience: taking the lock is not free.
class CtrlC {
 public:
  static constexpr std::chrono::milliseconds kPatience{50};

  bool operator()() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < kPatience) return false;
    last_ = now;
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    return false;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// Other threads run meanwhile, and Ctrl-C ends it. `work` must not touch Python objects.
template <class Work>
auto without_gil(Work&& work) {
  const py::gil_scoped_release release;
  const StopScope ctrl_c{CtrlC()};
  return std::forward<Work>(work)();
}

// A Python function that may be copied, called and destroyed in any thread, with or without the lock.
class Callable {
 public:
  explicit Callable(py::function function)
      : function_(new py::function(std::move(function)), [](py::function* held) {
          const py::gil_scoped_acquire lock;
          delete held;
        }) {}

  template <class... Arguments>
  py::object operator()(Arguments&&... arguments) const {  // the caller holds the lock
    return (*function_)(std::forward<Arguments>(arguments)...);
  }
  const py::function& get() const { return *function_; }

 private:
  std::shared_ptr<py::function> function_;
};

// C++ calls the two spaces x and a; a message to a user of Python names the argument.
template <class Made, class... Arguments>
auto naming_arguments(Made (*make)(Arguments...)) {
  return [make](Arguments... arguments) {
    try {
      return make(std::forward<Arguments>(arguments)...);
    } catch (const std::invalid_argument& error) {
      const std::string_view message = error.what();
      if (message.starts_with("x: ")) throw std::invalid_argument("targets" + std::string(message.substr(1)));
      if (message.starts_with("a: ")) throw std::invalid_argument("queries" + std::string(message.substr(1)));
      throw;
    }
  };
}

// A mutable object, for one thread at a time. Other threads wait without the interpreter's lock.
template <class T>
class Guarded {
 public:
  explicit Guarded(T value) : value_(std::move(value)) {}

  template <class Work>
  auto use(Work&& work) {
    if (user_ == std::this_thread::get_id())
      throw std::runtime_error("called from a function that it is calling itself");
    return without_gil([&] {
      const std::lock_guard lock(mutex_);
      const Using here(user_);
      return work(value_);
    });
  }

 private:
  struct Using {
    explicit Using(std::atomic<std::thread::id>& place) : user(place) { user = std::this_thread::get_id(); }
    ~Using() { user = std::thread::id(); }
    Using(const Using&) = delete;
    Using& operator=(const Using&) = delete;
    std::atomic<std::thread::id>& user;
  };

  T value_;
  std::mutex mutex_;
  std::atomic<std::thread::id> user_{};
};

}  // namespace iqbo::python
