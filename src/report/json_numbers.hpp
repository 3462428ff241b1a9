// Numbers of a document: null where there is none, and no digits that nobody can see.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace iqbo::internal {

using Json = nlohmann::ordered_json;

Json exact(double value);                        // all digits; null if it is not finite
Json exact(const std::optional<double>& value);  //
Json seen(double value);                         // six digits

// The same to a list; `step`: multiples of a power of ten that is at most so large, instead of six digits.
Json seen(const std::vector<double>& values);
Json seen(const std::vector<double>& values, double step);
Json seen(const std::vector<std::vector<double>>& points);  // ten digits: they are looked up

double range_of(const std::vector<double>& values);  // of those that are finite

// What arrives from users may not be UTF-8.
std::string written(const Json& document);

}  // namespace iqbo::internal
