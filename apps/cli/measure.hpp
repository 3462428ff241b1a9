// From a trial to a program's arguments, and from what it printed to an answer.
#pragma once

#include <string>

#include "child.hpp"
#include "iqbo/record/history.hpp"
#include "iqbo/record/spec_bundle.hpp"

namespace iqbo::cli {

// In `command`, {a} is the query (its name, or its coordinates with commas), {trial} its number, {east} the coordinate
// of that name, {query} the coordinates with commas even if it has a name, {json} what is also on stdin. With `shell`,
// sh -c gets a text in which each {...} is an environment variable, so that no value is ever read as part of a command.
// Refuses braces with any other content.
// `tile`: its bounds, if the query is a rectangle: {east_from}, {east_to}.
Order order_for(const SpecData& data, const Trial& trial, const std::optional<TileRecord>& tile,
                const std::string& command, bool shell);

// The last line that is not empty: "4.2", "4.2 0.3" (value and noise sd), or {"value": 4.2, "noise_sd": 0.3, "replicates": 5};
// where answers are counts "12/2000", "12", or {"count": 12, "exposure": 2000}. Throws std::invalid_argument that says what was
// printed instead.
Answer answer_from(const std::string& output, const Spec& spec);

}  // namespace iqbo::cli
