// The families of stationary kernels, by name: the one table that specs, fits, records and Python use.
//
//   name                 class               rho
//   rbf                  Rbf                 exp(-r^2 / 2)                                  smooth
//   matern52             Matern52            (1 + sqrt(5) r + 5 r^2 / 3) exp(-sqrt(5) r)    twice differentiable
//   matern32             Matern32            (1 + sqrt(3) r) exp(-sqrt(3) r)                once differentiable
//   matern12             Matern12            exp(-r)                                        continuous
//   rational-quadratic   RationalQuadratic   (1 + r^2 / (2 alpha))^-alpha                   RBFs of many lengthscales
//   periodic             Periodic            prod_c exp(-2 sin^2(pi t_c / period_c) / lengthscale_c^2)
//
// To add a family, derive from RadialPart or AxisPart (stationary_part.hpp) and register the class before using it:
//
//   register_family({.name = "cauchy", .class_name = "Cauchy", .words = "Cauchy", .make = make_part<CauchyPart>});
//   Stationary kernel("cauchy", 1.0, lengthscale);
//
// after which FitOptions::families, "family" in a spec, stored fits and iqbo.Stationary in Python know it as well.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "iqbo/kernel/stationary_part.hpp"

namespace iqbo {

// A positive parameter beyond the lengthscales.
struct ShapeParameter {
  std::string name;         // "alpha"
  std::string meaning;      // for the schema of the spec
  bool per_column = false;  // one for each column: "period[0]", ...
  bool is_length = false;   // has the units of its column; otherwise a pure number, usually about 1
};

struct StationaryFamily {
  std::string name;        // "rational-quadratic": what users write
  std::string class_name;  // "RationalQuadratic": what a kernel is printed as
  std::string words;       // "rational quadratic": in a sentence
  std::vector<ShapeParameter> shape = {};
  bool lengthscale_is_length = true;  // has the units of its column; otherwise a pure number
  bool oscillates = false;            // the evidence has many maxima in its lengths: fits try more lengths
  std::function<std::shared_ptr<const StationaryPart>(const StationaryFamily&, Vector lengthscale, Vector shape)> make;

  Index shape_size(Index dimension) const;

  // "lengthscale[0]", ..., then the shape: "alpha", "period[0]", ...
  std::vector<std::string> parameter_names(Index dimension) const;
};

// For StationaryFamily::make.
template <class Part>
std::shared_ptr<const StationaryPart> make_part(const StationaryFamily& family, Vector lengthscale, Vector shape) {
  return std::make_shared<const Part>(family, std::move(lengthscale), std::move(shape));
}

// A registered family lives until the program ends. Refuses a name that is taken or empty. All three are thread-safe.
const StationaryFamily& register_family(StationaryFamily family);
const StationaryFamily& family_of(std::string_view name,
                                  std::string_view argument = "family");  // refuses unknown names
std::vector<std::string> family_names();                                  // in order of registration

}  // namespace iqbo
