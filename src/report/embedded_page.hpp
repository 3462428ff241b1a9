// The page that the build made from web/, as cmake/EmbedPage.cmake writes it.
#pragma once

#include <string_view>

namespace iqbo::internal {

extern const std::string_view kEmbeddedPage;         // "" if there is none
extern const std::string_view kEmbeddedPageMissing;  // why not

}  // namespace iqbo::internal
