// A score of your own for a policy, as a function or as an Acquisition. As a function:
//
//   PolicyOptions options{.policy = PolicyKind::kCustom};
//   options.custom = {"optimist", [](const Outlook& g, const SampledMaxima&, const Eigen::Ref<const Matrix>&) -> Vector {
//                       return g.nu + g.q.cwiseSqrt();
//                     }};
//
// It is given a batch of queries a_j, and samples of f*, as many as PolicyOptions::samples:
//
//   outlook      nu(a_j), q(a_j, a_j), noise_var_j
//   maxima       f*_s, the x*_s where the path is largest, mean and variance of f there
//   c(s, j)      Cov(f(x*_s), g(a_j))
//
// and returns a number for each query, the larger the better, -infinity allowed. A class of your own (acquisition.hpp)
// may have gradients, and references other than the x*_s:
//
//   options.custom = {.name = "mine", .make = [](const SampledMaxima& maxima) { return std::make_shared<Mine>(maxima.values); }};
//
// Both must depend on nothing else, for replays. Policies maximise: if the user minimises, beliefs are about -f.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "iqbo/acquisition/acquisition.hpp"
#include "iqbo/posterior/belief.hpp"

namespace iqbo {

struct SampledMaxima {
  Vector values;     // f*_s
  Inputs arguments;  // x*_s
  Marginals f;       // at x*_s
};

struct CustomScore {
  using Function =
      std::function<Vector(const Outlook& outlook, const SampledMaxima& maxima, const Eigen::Ref<const Matrix>& c)>;
  using Factory = std::function<std::shared_ptr<const Acquisition>(const SampledMaxima& maxima)>;

  std::string name;
  Function score = {};       // without this and `make` nothing can be suggested; all else works
  bool logarithmic = false;  // of a positive worth, see Acquisition
  Factory make = {};         // instead of `score`; called once for each query that is to be chosen

  bool is_known() const { return score || make; }
};

}  // namespace iqbo
