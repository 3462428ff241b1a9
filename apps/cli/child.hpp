// One measurement: a program that is given a query and prints a value.
#pragma once

#include <sys/types.h>

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace iqbo::cli {

struct Order {
  std::vector<std::string> words;                  // program and arguments; no shell looks at them
  std::map<std::string, std::string> environment;  // besides our own
  std::string input;
};

// The program is not there, or cannot be run.
struct CannotStart : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void require_program(const std::string& word);  // refuses one that could not be started

// A process with its own group, which ends with us. Not copied, not moved: kept by pointer.
class Child {
 public:
  explicit Child(const Order& order);  // throws CannotStart; refuses more than the machine lets us have
  ~Child();                            // kills it and what it started, if it still runs
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int out() const { return out_; }  // to be polled; -1 once they are at their end
  int err() const { return err_; }

  void read();      // what there is, without waiting
  bool finished();  // it has ended and all was read
  void kill();      // with its group

  const std::string& output() const { return output_; }
  double seconds() const;       // since it started
  bool succeeded() const;       // exit code 0
  std::string failure() const;  // "exit code 3: last line on stderr"

 private:
  pid_t pid_ = -1;
  int out_ = -1;
  int err_ = -1;
  int status_ = 0;
  bool ended_ = false;
  double started_;
  std::string output_;
  std::string errors_;
};

double steady_seconds();

// Words as a shell would split them, quotes and backslashes included ("a\\n" keeps its backslash, as in sh), without anything
// else that a shell does.
std::vector<std::string> split_words(const std::string& command);

}  // namespace iqbo::cli
