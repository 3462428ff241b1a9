// Figures 1, 2 and 5: nothing in them is random.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "iqbo/core/check.hpp"
#include "iqbo/paper/paper.hpp"
#include "iqbo/problem/registry.hpp"
#include "iqbo/record/csv.hpp"
#include "iqbo/theory/schedule.hpp"

namespace iqbo {
namespace {

constexpr Index kSteps = 1000;
constexpr Index kDimensions = 5;
const std::vector<double> kDeltas{1.0, 0.5, 0.25, 1.0 / 7.0};

struct Line {
  Vector x, f;
  std::vector<Vector> g;  // one per delta
};

Line resolution_line() {
  const Problem line = problem("resolution-line", {.x_counts = {1001}});
  Line out{line.x().points().coordinates().col(0), line.f(line.x().points()), {}};
  for (const double delta : kDeltas) {
    Rows a(out.x.size(), 2);
    a << out.x, Vector::Constant(out.x.size(), std::max(delta, line.a_box()->lower()[1]));
    out.g.push_back(line.g(Queries(std::move(a))));
  }
  return out;
}

Drawings bandit() {
  const Problem bandit = problem("bandit");
  const Matrix weight = bandit.conditional()->average(
      bandit.a().points(),
      Matrix::Identity(bandit.conditional()->support()->size(), bandit.conditional()->support()->size()));
  std::string arms = csv_line({"arm", "reward"}), contexts = csv_line({"context", "average", "arm", "probability"});
  const Vector f = bandit.f(bandit.x().points()), g = bandit.g(bandit.a().points());
  for (Index i = 0; i < f.size(); ++i) arms += csv_line({std::to_string(i + 1), csv_number(f[i])});
  for (Index j = 0; j < g.size(); ++j)
    for (Index i = 0; i < weight.cols(); ++i)
      contexts += csv_line({std::to_string(j + 1), csv_number(g[j]), std::to_string(i + 1), csv_number(weight(j, i))});
  return {{"fig1.arms.csv", arms}, {"fig1.contexts.csv", contexts}};
}

Drawings resolutions() {
  const Line line = resolution_line();
  std::vector<std::string> head{"x", "f"};
  for (const double delta : kDeltas) head.push_back("delta=" + readable(delta));
  std::string out = csv_line(head);
  for (Index i = 0; i < line.x.size(); ++i) {
    std::vector<std::string> row{csv_number(line.x[i]), csv_number(line.f[i])};
    for (const Vector& g : line.g) row.push_back(csv_number(g[i]));
    out += csv_line(row);
  }
  return {{"fig2.csv", out}};
}

Drawings savings() {
  std::string out = csv_line({"dimension", "t", "cost", "savings"});
  for (Index d = 1; d <= kDimensions; ++d) {
    const Vector cost = printed_schedule_cost(kSteps, d), saved = printed_schedule_savings(kSteps, d);
    for (Index t = 0; t < kSteps; ++t)
      out += csv_line({std::to_string(d), std::to_string(t + 1), csv_number(cost[t]), csv_number(saved[t])});
  }
  return {{"fig5.csv", out}};
}

double argmax(const Vector& x, const Vector& y) {
  Index best = 0;
  y.maxCoeff(&best);
  return x[best];
}

}  // namespace

Drawings paper_drawings(int number) {
  if (number == 1) return bandit();
  if (number == 2) return resolutions();
  if (number == 5) return savings();
  refuse("figure", std::to_string(number), "1, 2 or 5");
}

Findings figure2_findings() {
  const Line line = resolution_line();
  const double at_f = argmax(line.x, line.f), at_g = argmax(line.x, line.g[1]);
  Finding optima{"figure 2", "when delta = 0.5, f and g have different optima",
                 "largest f at x = " + readable(at_f) + ", largest g at xi = " + readable(at_g)};
  optima.verdict = std::abs(at_f - at_g) > 0.5 ? Verdict::kHolds : Verdict::kDoesNotHold;
  optima.remark = "the paper does not print its f; this one is ours";
  Finding limit{"figure 2", "as delta falls g approaches f", "largest distance of g from f at"};
  double before = std::numeric_limits<double>::infinity();
  limit.verdict = Verdict::kHolds;
  for (std::size_t i = 0; i < kDeltas.size(); ++i) {
    const double now = (line.g[i] - line.f).cwiseAbs().maxCoeff();
    if (now >= before) limit.verdict = Verdict::kDoesNotHold;
    limit.measure += (i == 0 ? " delta = " : ", ") + readable(std::round(1000.0 * kDeltas[i]) / 1000.0) + ": " +
                     readable(std::round(1000.0 * now) / 1000.0);
    before = now;
  }
  return {optima, limit};
}

Findings figure5_findings() {
  Finding out{"figure 5", "as the dimension d increases, we obtain higher savings", "saved of 1000 at"};
  out.verdict = Verdict::kHolds;
  double before = 0.0;
  for (Index d = 1; d <= kDimensions; ++d) {
    const double saved = printed_schedule_savings(kSteps, d)[kSteps - 1];
    out.measure += (d == 1 ? " d = 1: " : ", " + std::to_string(d) + ": ") + readable(std::round(saved));
    if (saved <= before) {
      out.verdict = Verdict::kDoesNotHold;
      out.remark = "less at d = " + std::to_string(d) + " than at " + std::to_string(d - 1);
    }
    before = saved;
  }
  return {out};
}

}  // namespace iqbo
