// What is sought, what may be asked, and what is assumed: all that a policy needs besides data and a seed.
//
//   Setting setting{InputSet(pixels), QuerySet(districts), bags.clone()};     // the rest is fitted
//
// Whatever is left out is learned from the answers: kernel, mean, noise, nugget, and for a learned p(x|a) the discrepancy.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <variant>

#include "iqbo/conditional/conditional.hpp"
#include "iqbo/kernel/kernel.hpp"
#include "iqbo/kernel/mean.hpp"
#include "iqbo/space/box.hpp"
#include "iqbo/space/finite_set.hpp"
#include "iqbo/space/mixed.hpp"
#include "iqbo/space/query_tree.hpp"

namespace iqbo {

using TargetSpace = std::variant<InputSet, InputBox>;
using AskSpace = std::variant<QuerySet, QueryBox, MixedQueries, QueryTree>;

struct Setting {
  TargetSpace x;                                   // where the maximiser is sought
  AskSpace a;                                      // what may be asked
  std::shared_ptr<const Conditional> conditional;  // p(x|a)

  // The prior of f. Without a kernel everything is fitted, and a mean would have no meaning; with one nothing is, except the
  // discrepancy of a learned p(x|a); noise_var must be given too.
  std::shared_ptr<const Kernel> kernel = nullptr;
  std::shared_ptr<const Mean> mean = nullptr;  // with a kernel; zero if not given
  // Of an answer. A tree may know better for its nodes; then looks at f, and answers that are not of the tree, have that of
  // its root unless this is given.
  std::optional<double> noise_var = {};

  // The kernel of the plain GP on (a, z) that the paper's baselines choose with; fitted if not given.
  std::shared_ptr<const Kernel> query_kernel = nullptr;

  // What an answer costs, one positive number per query; scores are divided by it. All the same if not given. A tree has
  // costs of its own.
  std::function<Vector(const Queries&)> cost = {};

  // For mfmes: the query at the same place with the finest resolution. A tree knows it.
  std::function<Queries(const Queries&)> finest = {};
};

Index dimension(const TargetSpace& x);
Index dimension(const AskSpace& a);

// Refuses parts that do not fit together.
void require_consistent(const Setting& setting);

}  // namespace iqbo
