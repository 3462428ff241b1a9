// The nearest of some names to what was typed, for messages: unknown key "sed", expected "seed".
//
// Distance: Damerau-Levenshtein restricted to adjacent swaps (insertions, deletions, replacements, swaps cost one each),
// letters compared without case. A name further than half the length of the longer word is no suggestion. Of a
// name with a hyphen the first part alone is compared too, as one further: "brannin" is near "branin-linear".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace iqbo::internal {

std::size_t edit_distance(std::string_view a, std::string_view b);

// The first of the nearest names; "" if none is near.
std::string nearest_name(std::string_view typed, const std::vector<std::string>& names);

// What a message says was expected: "one of goal, seed", and if one is near "\"seed\" (one of goal, seed)".
std::string expected_names(std::string_view typed, const std::vector<std::string>& names);

// A text as a message shows it: in quotes, cut if long.
std::string in_quotes(std::string_view text);

}  // namespace iqbo::internal
