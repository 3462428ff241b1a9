// What the build made of web/: written by cmake/EmbedPage.cmake.
#pragma once

#include <string_view>

namespace iqbo::internal {

extern const std::string_view kEmbeddedPage;         // "" if there is none
extern const std::string_view kEmbeddedPageMissing;  // why not

}  // namespace iqbo::internal
