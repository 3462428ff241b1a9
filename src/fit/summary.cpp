// A fit in words.
#include <algorithm>
#include <cmath>
#include <sstream>

#include "iqbo/fit/fit.hpp"

namespace iqbo {
namespace {

std::string three_digits(double value) {
  std::ostringstream out;
  out.precision(value == 0.0 || std::abs(value) >= 1e5 || std::abs(value) < 1e-3 ? 2 : 3);
  out << value;
  return out.str();
}

class Words {
 public:
  explicit Words(const FitLabels& labels) : labels_(labels) {}

  std::string line(const FittedParameter& p) const {
    if (p.name.rfind("lengthscale", 0) == 0) return length(p);
    if (p.name == "variance") return "f varies by (sd): " + as_sd(p);
    if (p.name == "nugget") return "and from point to point, white, by (sd): " + as_sd(p);
    if (p.name == "noise_var") return "noise of an observation (sd): " + as_sd(p);
    if (p.name == "discrepancy_var") return "error of the learned averages (sd): " + as_sd(p);
    if (p.name == "mean") return "mean: " + amount(p, labels_.output_unit);
    if (p.name.rfind("slope", 0) == 0)
      return "slope in " + column(p.name) + ": " + amount(p, per(labels_.output_unit, unit(p.name)));
    return p.name + ": " + amount(p, "");
  }

 private:
  static std::string amount(const FittedParameter& p, const std::string& unit) {
    return three_digits(p.value) + (unit.empty() ? "" : " " + unit) + " (" + three_digits(p.low) + " to " +
           three_digits(p.high) + ")";
  }

  std::string as_sd(const FittedParameter& p) const {
    return amount({p.name, std::sqrt(p.value), std::sqrt(p.low), std::sqrt(p.high)}, labels_.output_unit);
  }

  std::string length(const FittedParameter& p) const {
    const bool common = p.name == "lengthscale";
    const std::string which = common ? "" : " of " + column(p.name);
    return "lengthscale" + which + ": " + amount(p, common ? first_unit() : unit(p.name));
  }

  static std::size_t index(const std::string& name) { return std::stoul(name.substr(name.find('[') + 1)); }
  std::string column(const std::string& name) const {
    const std::size_t c = index(name);
    return c < labels_.columns.size() ? labels_.columns[c] : "column " + std::to_string(c);
  }
  std::string unit(const std::string& name) const {
    const std::size_t c = index(name);
    return c < labels_.column_units.size() ? labels_.column_units[c] : "";
  }
  std::string first_unit() const { return labels_.column_units.empty() ? "" : labels_.column_units.front(); }
  static std::string per(const std::string& output, const std::string& column) {
    if (column.empty()) return output;
    return (output.empty() ? "" : output + " ") + "per " + column;
  }

  const FitLabels& labels_;
};

}  // namespace

std::string Fit::summary(const FitLabels& labels) const {
  const Words words(labels);
  std::string out;
  if (!families.empty()) {
    out += "kernel: " + families.front().first;
    for (std::size_t i = 1; i < families.size(); ++i)
      out += (i == 1 ? "; behind it " : ", ") + families[i].first + " by " +
             three_digits(families.front().second - families[i].second);
    out += families.size() > 1 ? " nats\n" : "\n";
  }
  for (const auto& p : parameters) out += words.line(p) + "\n";
  for (const auto& note : notes) out += "note: " + note + "\n";
  return out;
}

}  // namespace iqbo
