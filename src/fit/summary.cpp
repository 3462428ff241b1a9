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
  Words(const FitLabels& labels, const std::string& family) : labels_(labels) {
    const auto known = family_names();
    if (std::find(known.begin(), known.end(), family) != known.end()) family_ = &family_of(family);
  }

  std::string lines(const Hyperparameters& found) const {
    std::string out;
    if (found.variance) out += "f varies by (sd): " + as_sd(*found.variance);
    for (std::size_t c = 0; c < found.lengthscale.size(); ++c)
      out += (found.isotropic ? "lengthscale: " : "lengthscale of " + column(c) + ": ") +
             amount(found.lengthscale[c], family_ == nullptr || family_->lengthscale_is_length ? unit(c) : "");
    for (const FittedParameter& p : found.others) out += other(p);
    if (found.nugget) out += "nugget, independent from point to point (sd): " + as_sd(*found.nugget);
    if (found.noise_var) out += "noise of an observation (sd): " + as_sd(*found.noise_var);
    for (std::size_t i = 0; i < found.mean.size(); ++i)
      out += i == 0 ? "mean: " + amount(found.mean[i], labels_.output_unit)
                    : "slope in " + column(i - 1) + ": " + amount(found.mean[i], per(labels_.output_unit, unit(i - 1)));
    if (found.discrepancy_var) out += "error of the learned averages (sd): " + as_sd(*found.discrepancy_var);
    return out;
  }

 private:
  static std::string amount(const FittedNumber& p, const std::string& unit) {
    return three_digits(p.value) + (unit.empty() ? "" : " " + unit) + " (" + three_digits(p.low) + " to " +
           three_digits(p.high) + ")\n";
  }
  std::string as_sd(const FittedNumber& p) const {
    return amount({std::sqrt(p.value), std::sqrt(p.low), std::sqrt(p.high)}, labels_.output_unit);
  }

  // A parameter of the family's shape, with the unit of its column if it is a length: "period of east: 3 km (2 to 4)".
  std::string other(const FittedParameter& p) const {
    const auto bracket = p.name.find('[');
    const std::string name = p.name.substr(0, bracket);
    const std::size_t c = bracket == std::string::npos ? 0 : std::stoul(p.name.substr(bracket + 1));
    const bool is_length = family_ != nullptr && std::any_of(family_->shape.begin(), family_->shape.end(),
                                                             [&](auto& s) { return s.name == name && s.is_length; });
    return name + (bracket == std::string::npos ? "" : " of " + column(c)) + ": " +
           amount({p.value, p.low, p.high}, is_length ? unit(c) : "");
  }

  std::string column(std::size_t c) const {
    return c < labels_.columns.size() ? labels_.columns[c] : "column " + std::to_string(c);
  }
  std::string unit(std::size_t c) const { return c < labels_.column_units.size() ? labels_.column_units[c] : ""; }
  static std::string per(const std::string& output, const std::string& column) {
    if (column.empty()) return output;
    return (output.empty() ? "" : output + " ") + "per " + column;
  }

  const FitLabels& labels_;
  const StationaryFamily* family_ = nullptr;  // of the kernel, if it is of one
};

}  // namespace

std::string Fit::summary(const FitLabels& labels) const {
  std::string out;
  if (!families.empty()) {
    out += "kernel: " + families.front().first;
    for (std::size_t i = 1; i < families.size(); ++i)
      out += (i == 1 ? "; ahead of " : ", ") + families[i].first + " by " +
             three_digits(families.front().second - families[i].second);
    out += families.size() > 1 ? " nats\n" : "\n";
  }
  out += Words(labels, family).lines(*this);
  for (const auto& note : named_notes(labels.columns)) out += "note: " + note + "\n";
  return out;
}

}  // namespace iqbo
