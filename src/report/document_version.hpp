// documentVersion of web/src/document.ts.
#pragma once

namespace iqbo::internal {

constexpr int kDocumentVersion = 1;

}  // namespace iqbo::internal
