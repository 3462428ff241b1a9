// The name nearest to what a user typed, for messages: unknown key "sed", expected "seed".
//
// Distance: Damerau-Levenshtein restricted to adjacent swaps; insertions, deletions, replacements and swaps cost 1
// each, and case is ignored. A name farther than half the length of the longer word is not suggested. For a name with a
// hyphen, the first part alone is compared as well, at an extra cost of 1: "brannin" is near "branin-linear".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace iqbo::internal {

std::size_t edit_distance(std::string_view a, std::string_view b);

// The nearest name, the first of equally near ones; "" if none is near.
std::string nearest_name(std::string_view typed, const std::vector<std::string>& names);

// The "expected" part of a message: "one of goal, seed", or, if a name is near, "\"seed\" (one of goal, seed)".
std::string expected_names(std::string_view typed, const std::vector<std::string>& names);

// Text as messages show it: in quotes, shortened if long.
std::string in_quotes(std::string_view text);

}  // namespace iqbo::internal
