// Terms: products of groups, each a stationary part on some columns (spread_terms.cpp).
#include <utility>

#include "spread_terms.hpp"

namespace iqbo {

namespace {

Array white_expectation(const LawPairs& pairs) {
  const auto zero = [](const Columns& values) { return (values == 0.0).rowwise().all(); };
  return (zero(pairs.delta) && zero(pairs.var) && zero(pairs.w) && zero(pairs.v)).cast<double>();
}

}  // namespace

Index Term::parameters() const {
  Index count = 1;
  for (const auto& group : groups) count += group.parameters();
  return count;
}

Term::Averages Term::averages(const LawPairs& pairs, bool with_slopes) const {
  std::vector<Group::Averages> group;
  for (const Group& each : groups) group.push_back(each.averages(pairs, with_slopes));
  return averages(pairs, std::move(group));
}

Term::Averages Term::averages(const LawPairs& pairs, std::vector<Group::Averages> group) const {
  Averages out{Array::Constant(pairs.size(), variance), std::move(group)};
  if (groups.empty()) out.value *= white_expectation(pairs);
  for (const Group::Averages& each : out.group) out.value *= each.value;
  return out;
}

Array Term::others(const LawPairs& pairs, const Array& weight, std::size_t left_out) const {
  Array out = variance * weight;
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (g != left_out) out *= groups[g].expectation(pairs);
  return out;
}

Vector Term::pull_back(const LawPairs& pairs, const Averages& averages, const Array& weight) const {
  Vector gradient(parameters());
  gradient[0] = (weight * averages.value).sum();
  Index at = 1;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    Array multiplier = variance * weight;
    for (std::size_t other = 0; other < groups.size(); ++other)
      if (other != g) multiplier *= averages.group[other].value;
    gradient.segment(at, groups[g].parameters()) = groups[g].pull_back(pairs, averages.group[g], multiplier);
    at += groups[g].parameters();
  }
  return gradient;
}

// White contributes none: its average is constant wherever it is differentiable.
void Term::add_slopes(const LawPairs& pairs, const Array& weight, bool in_v, Slopes& sum) const {
  for (std::size_t g = 0; g < groups.size(); ++g) groups[g].add_slopes(pairs, others(pairs, weight, g), in_v, sum);
}

}  // namespace iqbo
