// Where a study is: "memory:NAME", "postgresql://...[?study=NAME]", or a file.
#pragma once

#include <string>
#include <vector>

namespace iqbo {

struct StorageLocation {
  enum class Kind { kMemory, kFile, kServer };
  Kind kind;
  std::string place;                 // name, file, or URL without the study
  std::string study = "study";       // at a server
  std::string shown;                 // for people
  std::vector<std::string> secrets;  // passwords, as written and decoded, and their parts

  explicit StorageLocation(const std::string& location);

  // A text with every secret replaced by ***.
  std::string without_secrets(std::string text) const;
};

std::string one_line(const std::string& message);  // of a library that speaks in several

}  // namespace iqbo
