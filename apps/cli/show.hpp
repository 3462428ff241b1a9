// Records as people and machines read them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "iqbo/record/snapshot.hpp"
#include "iqbo/record/spec_bundle.hpp"
#include "report/study_json.hpp"

namespace iqbo::cli {

using Json = nlohmann::ordered_json;

// Columns aligned, two blanks between; the first row is the header.
std::string table(const std::vector<std::vector<std::string>>& rows);

// One line for machines. Bytes that are no UTF-8, which a program may have printed, are replaced.
std::string line_of(const Json& json);
// Fit to be kept and shown: UTF-8, U+FFFD for control characters, blanks for ends of lines, at most `most` bytes.
std::string clean_text(const std::string& text, std::size_t most = 500);

std::string short_number(double value);  // four digits
std::string with_unit(double value, const Spec& spec);
std::string precision_text(const Answer& told);  // " (sd 0.2, 4 replicates)"; "" if that was not said

// "d13", "east 2.5 km, north 7.5 km, resolution 1.25".
std::string describe_query(const SpecData& data, const Trial& trial);
std::string describe_input(const SpecData& data, const std::vector<double>& x, const std::string& name);

// Coordinate j of a query to all its digits, or the name of its category.
std::string coordinate_text(const SpecData& data, std::size_t j, double value);

std::vector<std::string> query_texts(const SpecData& data, const std::vector<double>& query);  // four digits each

Json input_json(const SpecData& data, const std::vector<double>& x);
Json best_json(const SpecData& data, const RecommendationRecord& best);
Json posterior_json(const Snapshot& now);    // f on X and g on A
Json acquisition_json(const Snapshot& now);  // what a query is worth

std::string best_text(const SpecData& data, const RecommendationRecord& best);  // one line

}  // namespace iqbo::cli
