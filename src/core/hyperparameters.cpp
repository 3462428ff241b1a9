#include "iqbo/core/hyperparameters.hpp"

#include <algorithm>

namespace iqbo {

std::vector<FittedParameter> Hyperparameters::parameters(const std::vector<std::string>& columns) const {
  std::vector<FittedParameter> out;
  const auto add = [&](const std::string& name, const std::optional<FittedNumber>& number) {
    if (number) out.push_back({name, number->value, number->low, number->high});
  };
  const auto of_column = [&](const std::string& name, std::size_t c) {
    return c < columns.size() ? name + " of " + columns[c] : name + "[" + std::to_string(c) + "]";
  };
  add("variance", variance);
  for (std::size_t c = 0; c < lengthscale.size(); ++c)
    add(isotropic ? "lengthscale" : of_column("lengthscale", c), lengthscale[c]);
  for (const FittedParameter& other : others) {  // "period[1]" is of a column too
    out.push_back(other);
    const std::size_t bracket = other.name.find('[');
    if (bracket != std::string::npos && !columns.empty())
      out.back().name = of_column(other.name.substr(0, bracket), std::stoul(other.name.substr(bracket + 1)));
  }
  add("nugget", nugget);
  add("noise_var", noise_var);
  for (std::size_t i = 0; i < mean.size(); ++i) add(i == 0 ? "mean" : of_column("slope", i - 1), mean[i]);
  add("discrepancy_var", discrepancy_var);
  add("dispersion", dispersion);
  return out;
}

std::vector<std::string> Hyperparameters::named_notes(const std::vector<std::string>& columns) const {
  std::vector<std::string> out = notes;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::string number = std::string("[").append(std::to_string(c)).append("]");
    const std::string name = std::string(" of ").append(columns[c]);
    for (std::string& note : out)
      for (std::size_t at = note.find(number); at != std::string::npos; at = note.find(number, at + name.size()))
        note.replace(at, number.size(), name);
  }
  return out;
}

void Hyperparameters::set_parameters(const std::vector<FittedParameter>& named) {
  variance = nugget = noise_var = discrepancy_var = dispersion = std::nullopt;
  lengthscale.clear();
  others.clear();
  mean.clear();
  isotropic = false;
  for (const FittedParameter& p : named) {
    const FittedNumber number(p.value, p.low, p.high);
    if (p.name == "variance")
      variance = number;
    else if (p.name == "nugget")
      nugget = number;
    else if (p.name == "noise_var")
      noise_var = number;
    else if (p.name == "discrepancy_var")
      discrepancy_var = number;
    else if (p.name == "dispersion")
      dispersion = number;
    else if (p.name == "mean" || p.name.starts_with("slope["))
      mean.push_back(number);
    else if (p.name == "lengthscale" || p.name.starts_with("lengthscale["))
      lengthscale.push_back(number);
    else
      others.push_back(p);
    isotropic = isotropic || p.name == "lengthscale";
  }
}

Vector values_of(const std::vector<FittedNumber>& numbers) {
  Vector out(static_cast<Index>(numbers.size()));
  std::transform(numbers.begin(), numbers.end(), out.begin(), [](const FittedNumber& number) { return number.value; });
  return out;
}

}  // namespace iqbo
