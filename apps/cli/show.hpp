// Records formatted for people and for machines.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "iqbo/record/history.hpp"
#include "iqbo/record/snapshot.hpp"
#include "iqbo/record/spec_bundle.hpp"
#include "report/study_json.hpp"

namespace iqbo::cli {

using Json = nlohmann::ordered_json;

// Aligns columns, with two blanks between; the first row is the header.
std::string table(const std::vector<std::vector<std::string>>& cells);

// One line for machines. Bytes that are not UTF-8, which a program may have printed, are replaced.
std::string line_of(const Json& json);
// Text that is safe to store and show: UTF-8, U+FFFD for control characters, blanks for line ends, <= `most` bytes.
std::string clean_text(const std::string& text, std::size_t most = 500);

std::string short_number(double value);  // four digits
// So many digits that three of `width`, of an interval say, are shown: at least four, and no exponents where people write none.
std::string number_within(double value, double width);
// All digits of a coordinate that has up to ten; else six, and no fewer than whole units need.
std::string coordinate_number(double value);
std::string with_unit(double value, const Spec& spec);
std::string precision_text(const Answer& told);  // " (sd 0.2, 4 replicates)"; "" if not given

// "d13", "east 2.5 km, north 7.5 km, resolution 1.25".
std::string describe_query(const SpecData& data, const Trial& trial);
// The same of a tile: "east 2.5 to 5 km, north 5 to 7.5 km, level 2"; "t7 (east 2.5 to 5 km, ...)".
std::string describe_query(const SpecData& data, const Trial& trial, const std::optional<TileRecord>& tile);
Json bounds_json(const SpecData& data, const TileRecord& tile);  // {"east": [2.5, 5], ...}
// Columns of tables: "east_from", "east_to", ..., and the numbers with all digits.
std::vector<std::string> bound_names(const SpecData& data);
std::vector<std::string> bound_texts(const TileRecord& tile);
Json with_bounds(Json trial, const SpecData& data, const std::optional<TileRecord>& tile);
std::string describe_input(const SpecData& data, const std::vector<double>& x, const std::string& name);

// Coordinate j of a query with all its digits, or the name of its category.
std::string coordinate_text(const SpecData& data, std::size_t j, double value);

std::vector<std::string> query_texts(const SpecData& data,
                                     const std::vector<double>& query);  // as coordinate_number() has them

Json input_json(const SpecData& data, const std::vector<double>& x);
Json best_json(const SpecData& data, const RecommendationRecord& best);
Json posterior_json(const Snapshot& now);    // f on X and g on A
Json acquisition_json(const Snapshot& now);  // the scores of queries

std::string best_text(const SpecData& data, const RecommendationRecord& best);  // one line

}  // namespace iqbo::cli
