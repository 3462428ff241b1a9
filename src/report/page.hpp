// The page: one HTML file with everything in it, from web/, put into the library when that was built.
#pragma once

#include <string>
#include <string_view>

namespace iqbo::internal {

// Why there is no page: "" if there is one. Whoever builds without Node gets a library without it.
std::string_view page_missing();

// The page with a document in it, to be opened from a disk; with "null", the one that asks its server (api/report). The
// document is text to the page whatever names it holds: neither </script> nor <!-- nor a line separator ends it. Refuses what
// is not JSON; throws std::invalid_argument, too, if there is no page.
std::string page(std::string_view document = "null");

// The same for another template, which must hold <script type="application/json" id="document">null</script> once.
std::string page(std::string_view document, std::string_view html);

// The content security policy that the page gives itself, for a server to send as well; "" if it has none.
std::string policy_of(std::string_view html);

}  // namespace iqbo::internal
