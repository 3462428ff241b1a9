#include "least_noise.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <variant>

namespace iqbo {
namespace {

std::string written(double value, int digits = 6) {
  std::ostringstream out;
  out.precision(digits);
  out << value;
  return out.str();
}

std::string written(const Vector& point) {
  std::string out = "(";
  for (Index c = 0; c < point.size(); ++c) out += (c > 0 ? ", " : "") + written(point[c]);
  return out + ")";
}

// As many digits as it takes to see that two numbers differ.
int digits_for(double left, double right) {
  int digits = 6;
  while (digits < 17 && written(left, digits) == written(right, digits)) ++digits;
  return std::min(17, digits + 1);
}

std::string explained(const Contradiction::Observed& it) {
  const std::string what = it.averaged ? "answer" : "value";
  const std::string where = (it.averaged ? "query " : "input ") + written(it.at);
  const int digits = digits_for(it.z, it.expected);
  const std::string z = written(it.z, digits), expected = written(it.expected, digits);
  const std::string least = written(it.noise_sd, 2), gap = written(std::abs(it.z - it.expected), 2);
  if (it.repeat)
    return "two " + what + "s at " + where + ", " + expected + " and " + z +
           ", contradict each other: their noise sd is " + "stated to be at most " + least + ", but they differ by " +
           gap + "; state the noise, or correct one of them";
  return "the " + what + " " + z + " at " + where + " contradicts the model: its noise sd is stated to be at most " +
         least + ", but the other observations predict " + expected + ", which is " + gap +
         " away; state the noise, or assume a rougher kernel";
}

}  // namespace

Contradiction::Contradiction(const Observed& observed) : NumericalError(explained(observed)), observed_(observed) {}

double LeastNoise::share(const Laws& laws) {
  const auto is_sum = [](const Laws::Part& part) {
    if (const auto* spread = std::get_if<SpreadLaws>(&part.kind))
      return (spread->sd.array() == 0.0).all() && (spread->half_width.array() == 0.0).all();
    return !std::holds_alternative<AxisLaws>(part.kind);
  };
  return std::all_of(laws.parts().begin(), laws.parts().end(), is_sum) ? kExact : kWindows;
}

double LeastNoise::of(double share, double var, double z, double stated) {
  return std::max({stated, share * var, std::pow(kDigits * z, 2)});
}

bool Determined::contradicts(double surprise, double var, double assumed, double stated) {
  return stated < assumed && var <= kLeft * assumed && std::abs(surprise) > kMost;
}

bool Determined::agree(double z, double other, double assumed, double other_assumed) {
  return std::abs(z - other) <= kMost * std::sqrt(assumed + other_assumed);
}

}  // namespace iqbo
