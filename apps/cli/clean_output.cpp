#include "clean_output.hpp"

#include <algorithm>

#include "iqbo/record/csv.hpp"

namespace iqbo::cli {
namespace {

// Whether there may be a control character: nearly always there is none, and then nothing needs to be copied. 0xC2 begins
// those from U+0080 to U+009F, and 0xE2 the changes of the writing direction.
bool is_suspect(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20U && c != '\n' && c != '\t') || byte == 0x7FU || byte == 0xC2U || byte == 0xE2U;
}

// A carriage return ends a line together with the next character; alone it would let a line overwrite itself.
std::string cleaned(std::string_view text) {
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find("\r\n", begin), text.size());
    out += without_control_characters(text.substr(begin, end - begin), "\n\t");
    if (end < text.size()) out += "\r\n";
    begin = end + 2;
  }
  return out;
}

}  // namespace

CleanOutput::~CleanOutput() {
  CleanOutput::sync();
  stream_.rdbuf(usual_);
}

bool CleanOutput::pass_on(std::size_t count) {
  const std::string_view all(held_.data(), count);
  const std::string clean = std::any_of(all.begin(), all.end(), is_suspect) ? cleaned(all) : std::string();
  const std::string_view text = clean.empty() ? all : clean;
  const auto size = static_cast<std::streamsize>(text.size());
  const bool passed = usual_->sputn(text.data(), size) == size;
  held_.erase(0, count);
  return passed;
}

CleanOutput::int_type CleanOutput::overflow(int_type letter) {
  if (traits_type::eq_int_type(letter, traits_type::eof())) return traits_type::not_eof(letter);
  const char c = traits_type::to_char_type(letter);
  return xsputn(&c, 1) == 1 ? letter : traits_type::eof();
}

std::streamsize CleanOutput::xsputn(const char* text, std::streamsize count) {
  held_.append(text, static_cast<std::size_t>(count));
  const std::size_t line = held_.rfind('\n');
  return line == std::string::npos || pass_on(line + 1) ? count : 0;
}

int CleanOutput::sync() { return pass_on(held_.size()) && usual_->pubsync() == 0 ? 0 : -1; }

}  // namespace iqbo::cli
