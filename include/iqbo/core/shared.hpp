// A part that several owners share and nobody changes: a kernel, a mean, a conditional.
//
//   Setting setting{InputSet(pixels), QuerySet(districts), bags};   // copies `bags`, which may go out of scope
//   setting.kernel = Rbf(1.0, lengthscale);
//
// Made from an object, which is copied, or from a shared pointer, which is shared. Empty unless given.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <utility>

namespace iqbo {

template <class T>
class Shared {
 public:
  Shared() = default;
  Shared(std::nullptr_t) {}  // NOLINT(google-explicit-constructor)
  // NOLINTNEXTLINE(google-explicit-constructor): a part is given as it is
  Shared(const T& object) : pointer_(object.clone()) {}
  template <std::derived_from<T> U>
  Shared(std::shared_ptr<U> pointer)  // NOLINT(google-explicit-constructor)
      : pointer_(std::move(pointer)) {}

  const T& operator*() const { return *pointer_; }
  const T* operator->() const { return pointer_.get(); }
  const T* get() const { return pointer_.get(); }
  explicit operator bool() const { return pointer_ != nullptr; }
  operator std::shared_ptr<const T>() const { return pointer_; }  // NOLINT(google-explicit-constructor)

  friend bool operator==(const Shared& left, std::nullptr_t) { return left.pointer_ == nullptr; }

 private:
  std::shared_ptr<const T> pointer_;
};

}  // namespace iqbo
