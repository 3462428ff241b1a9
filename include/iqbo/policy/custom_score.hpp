// A score of your own for a policy, without deriving a class:
//
//   PolicyOptions options{.kind = PolicyKind::kCustom};
//   options.custom = {"optimist", [](const Outlook& g, const SampledMaxima&, const Eigen::Ref<const Matrix>&) -> Vector {
//                       return g.nu + g.q.cwiseSqrt();
//                     }};
//
// It sees a batch of queries a_j, and samples of f*, as many as PolicyOptions::samples:
//
//   outlook      nu(a_j), q(a_j, a_j), noise_var_j
//   maxima       f*_s, the x*_s where the path is largest, mean and variance of f there
//   c(s, j)      Cov(f(x*_s), g(a_j))
//
// and answers a number for each query, the larger the better, -infinity allowed. It must depend on nothing else if a study is to be
// replayed. A policy always maximises: where the user minimises, these are beliefs about -f.
#pragma once

#include <functional>
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

  std::string name;
  Function score = {};       // none: nothing can be suggested, all else works
  bool logarithmic = false;  // of a positive worth, see Acquisition
};

}  // namespace iqbo
