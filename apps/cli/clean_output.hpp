// The one way by which text gets to standard output and to standard error: names, reasons and files may hold characters
// that a terminal obeys, and whatever a command prints, they are replaced by U+FFFD. JSON, where they are escaped, is
// not changed.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace iqbo::cli {

class CleanOutput final : public std::streambuf {
 public:
  explicit CleanOutput(std::ostream& stream) : stream_(stream), usual_(stream.rdbuf(this)) {}
  ~CleanOutput() override;
  CleanOutput(const CleanOutput&) = delete;
  CleanOutput& operator=(const CleanOutput&) = delete;

 protected:
  int_type overflow(int_type letter) override;
  std::streamsize xsputn(const char* text, std::streamsize count) override;
  int sync() override;

 private:
  bool pass_on(std::size_t count);  // the first `count` bytes of what is held back

  std::ostream& stream_;
  std::streambuf* usual_;
  std::string held_;  // less than a line
};

}  // namespace iqbo::cli
