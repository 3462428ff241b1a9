#include "iqbo/conditional/truncated.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "iqbo/numerics/gauss_rule.hpp"
#include "numerics/measure_rule.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr int kFineNodes = 128;     // for the cut density, before it is reduced to a Gauss rule
constexpr double kNormalReach = 9;  // sd; the mass beyond is below 1e-18
constexpr double kTailReach = 40;   // e-folds

struct Interval {
  double lower, upper;
  double length() const { return upper - lower; }
};

double upper_tail(double t) { return 0.5 * std::erfc(t * (1.0 / std::numbers::sqrt2)); }  // P(N > t)

// One coordinate of the window: N(centre, sd^2) if sd > 0, else uniform on centre +- half_width.
struct Window {
  double centre, sd, half_width;

  bool is_point() const { return sd == 0.0 && half_width == 0.0; }
  double mass_above(double x) const {
    if (sd > 0.0) return upper_tail((x - centre) / sd);
    return std::clamp((centre + half_width - x) / (2.0 * half_width), 0.0, 1.0);
  }
  double mass_below(double x) const { return Window{-centre, sd, half_width}.mass_above(-x); }

  // Up to a factor; scaled to one at `nearest`, the point inside the domain nearest to the centre, so that a distant
  // window keeps its shape.
  double density(double x, double nearest) const {
    if (sd == 0.0) return 1.0;
    const double t = (x - centre) / sd;
    const double n = (nearest - centre) / sd;
    return std::exp(-0.5 * (t - n) * (t + n));
  }

  // The part of `domain` where the density is not negligible.
  Interval within(const Interval& domain) const {
    if (sd == 0.0) return {std::max(domain.lower, centre - half_width), std::min(domain.upper, centre + half_width)};
    const double nearest = std::clamp(centre, domain.lower, domain.upper);
    const double offset = std::abs(nearest - centre) / sd;  // far out the tail decays like exp(-offset t)
    const double reach = sd * std::min(kNormalReach, kTailReach / std::max(offset, 1.0));
    return {std::max(domain.lower, nearest - reach), std::min(domain.upper, nearest + reach)};
  }
};

// The density inside the domain as a Gauss rule; weights sum to one.
Rule inside_rule(const Window& window, const Interval& domain, int nodes) {
  const Interval inside = window.within(domain);
  const Rule& legendre = gauss_legendre(kFineNodes);
  const double nearest = std::clamp(window.centre, inside.lower, inside.upper);
  Rule fine = legendre;
  for (Index i = 0; i < fine.node.size(); ++i) {
    fine.node[i] = inside.lower + 0.5 * inside.length() * (1.0 + legendre.node[i]);
    fine.weight[i] *= window.density(fine.node[i], nearest);
  }
  fine.weight /= fine.weight.sum();
  return measure_rule(fine, nodes);
}

void append(Rule& rule, double node, double weight) {
  if (weight == 0.0) return;
  const Index n = rule.node.size();
  rule.node.conservativeResize(n + 1);
  rule.weight.conservativeResize(n + 1);
  rule.node[n] = node;
  rule.weight[n] = weight;
}

Rule axis_rule(const Window& window, const Interval& domain, Truncation truncation, int nodes, Index row,
               Index column) {
  const bool clip = truncation == Truncation::kClip;
  const double below = window.is_point() ? double(window.centre < domain.lower) : window.mass_below(domain.lower);
  const double above = window.is_point() ? double(window.centre > domain.upper) : window.mass_above(domain.upper);
  const bool has_inside = window.is_point() ? below + above == 0.0
                          : window.sd > 0.0 ? true
                                            : window.within(domain).length() > 0.0;
  if (!clip && !has_inside)
    refuse("window",
           "of query row " + std::to_string(row) + " has no mass inside the domain in column " + std::to_string(column),
           "some mass to renormalise, or truncation by clipping");
  Rule rule;
  if (has_inside && window.is_point())
    append(rule, window.centre, 1.0);
  else if (has_inside)
    rule = inside_rule(window, domain, nodes);
  if (!clip) return rule;
  rule.weight *= std::max(0.0, 1.0 - below - above);
  append(rule, domain.lower, below);
  append(rule, domain.upper, above);
  return rule;
}

// Stacks the rules of one coordinate; shorter ones are padded with nodes of zero weight.
void append(const std::vector<Rule>& rules, AxisLaws& laws) {
  Index most = 0;
  for (const auto& rule : rules) most = std::max(most, rule.node.size());
  const auto n = static_cast<Index>(rules.size());
  Rows node(n, most);
  Rows weight = Rows::Zero(n, most);
  for (Index i = 0; i < n; ++i) {
    const Rule& rule = rules[static_cast<std::size_t>(i)];
    node.row(i).setConstant(rule.node[0]);
    node.row(i).head(rule.node.size()) = rule.node;
    weight.row(i).head(rule.node.size()) = rule.weight / rule.weight.sum();
  }
  laws.node.push_back(std::move(node));
  laws.weight.push_back(std::move(weight));
}

}  // namespace

TruncatedConditional::TruncatedConditional(const GaussianConditional& window, InputBox domain, Truncation truncation,
                                           int nodes)
    : TruncatedConditional(SpreadConditional(window), std::move(domain), truncation, nodes) {}

TruncatedConditional::TruncatedConditional(const UniformConditional& window, InputBox domain, Truncation truncation,
                                           int nodes)
    : TruncatedConditional(SpreadConditional(window), std::move(domain), truncation, nodes) {}

TruncatedConditional::TruncatedConditional(SpreadConditional window, InputBox domain, Truncation truncation, int nodes)
    : window_(std::move(window)), domain_(std::move(domain)), truncation_(truncation), nodes_(nodes) {
  require_columns(domain_.dimension(), window_.input_dimension(), "domain");
  if (nodes_ < 1 || nodes_ > kFineNodes / 2)
    refuse("nodes", "is " + std::to_string(nodes_), "1 to " + std::to_string(kFineNodes / 2));
}

std::shared_ptr<const Conditional> TruncatedConditional::clone() const {
  return std::make_shared<TruncatedConditional>(*this);
}

Laws TruncatedConditional::laws(const Queries& a) const {
  const SpreadLaws spread = window_.spread_laws(a);
  AxisLaws out;
  for (Index c = 0; c < input_dimension(); ++c) {
    std::vector<Rule> rules;
    for (Index i = 0; i < a.size(); ++i)
      rules.push_back(axis_rule({spread.centre(i, c), spread.sd(i, c), spread.half_width(i, c)},
                                {domain_.lower()[c], domain_.upper()[c]}, truncation_, nodes_, i, c));
    append(rules, out);
  }
  return out;
}

}  // namespace iqbo
