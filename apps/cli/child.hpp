// One measurement: a program that is given a query and prints a value.
#pragma once

#include <sys/types.h>

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace iqbo::cli {

struct Order {
  std::vector<std::string> words;                  // program and arguments; no shell interprets them
  std::map<std::string, std::string> environment;  // variables added to our own
  std::string input;
};

// The program does not exist, or cannot be run.
struct CannotStart : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void require_program(const std::string& word);  // refuses one that could not be started

// A process in its own group, which ends when we do. Neither copied nor moved: hold it by pointer.
class Child {
 public:
  explicit Child(const Order& order);  // throws CannotStart; refuses if a limit of the machine is reached
  ~Child();                            // kills it and what it started, if it still runs
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int out() const { return out_; }  // to be polled; -1 once closed
  int err() const { return err_; }

  void read();      // reads what is available, without waiting
  bool finished();  // it has ended and all its output was read
  void kill();      // kills its whole group

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

std::string last_line(const std::string& output);  // that is not blank; empty if there is none

// Splits words as a shell would, with quotes and backslashes ("a\\n" keeps its backslash, as in sh), but does nothing
// else that a shell does.
std::vector<std::string> split_words(const std::string& command);

}  // namespace iqbo::cli
