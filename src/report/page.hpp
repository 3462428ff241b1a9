// The page: one HTML file with everything in it, built from web/ and embedded in the library.
#pragma once

#include <string>
#include <string_view>

namespace iqbo::internal {

// Why there is no page: "" if there is one. A library that is built without Node has none.
std::string_view page_missing();

// The page with a document in it, to be opened from a disk; with "null", the page that asks its server (api/report).
// The document stays text whatever names it holds: neither </script> nor <!-- nor a line separator ends it. Refuses a
// document that is not JSON; throws std::invalid_argument, too, if there is no page.
std::string page(std::string_view document = "null");

// The same with another template, which must contain <script type="application/json" id="document">null</script> once.
std::string page(std::string_view document, std::string_view html);

// The content security policy that the page declares, for a server to send as well; "" if it has none.
std::string policy_of(std::string_view html);

}  // namespace iqbo::internal
