// The files of the templates with real data, which cmake/IqboTemplates.cmake puts into the library.
#pragma once

#include <string_view>
#include <vector>

namespace iqbo::internal {

struct EmbeddedFile {
  std::string_view template_name;
  std::string_view file;
  std::string_view text;
};

const std::vector<EmbeddedFile>& embedded_files();

}  // namespace iqbo::internal
