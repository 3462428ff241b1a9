// Where a study is: "memory:NAME", "postgresql://...[?study=NAME]", or a file.
#pragma once

#include <string>
#include <vector>

namespace iqbo {

struct StorageLocation {
  enum class Kind { kMemory, kFile, kServer };
  Kind kind;
  std::string place;                 // name, file, or URL without the study
  std::string study = "study";       // its name at a server
  std::string shown;                 // without passwords, for messages
  std::vector<std::string> secrets;  // passwords, as written and decoded, and their parts

  explicit StorageLocation(const std::string& location);

  // A text with every secret replaced by ***.
  std::string without_secrets(std::string text) const;
};

std::string one_line(const std::string& message);  // joins the several lines of a library's message

}  // namespace iqbo
