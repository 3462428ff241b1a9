// documentVersion of web/src/document.ts.
#pragma once

namespace iqbo {

constexpr int kDocumentVersion = 1;

}  // namespace iqbo
