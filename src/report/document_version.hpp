// documentVersion of web/src/document.ts.
#pragma once

namespace iqbo::internal {

constexpr int kDocumentVersion = 2;

}  // namespace iqbo::internal
