// Numbers of a document: null where there is none, and no digits that no reader can see.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace iqbo::internal {

using Json = nlohmann::ordered_json;

Json exact(double value);                        // all digits; null if it is not finite
Json exact(const std::optional<double>& value);  //
Json seen(double value);                         // six digits

// The same for a list. `step`: values become multiples of the largest power of ten <= step, instead of six digits.
Json seen(const std::vector<double>& values);
Json seen(const std::vector<double>& values, double step);
Json seen(const std::vector<std::vector<double>>& points);  // ten digits: points are looked up by value

double range_of(const std::vector<double>& values);  // of the finite ones

// The document as text. Bytes of users' texts that are not UTF-8 are replaced.
std::string written(const Json& document);

}  // namespace iqbo::internal
