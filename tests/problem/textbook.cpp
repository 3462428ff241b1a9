#include "textbook.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace iqbo::test {
namespace {

constexpr Real kPi = std::numbers::pi_v<Real>;

Real square(Real x) { return x * x; }

Real branin(const Point& x) {
  const Real b = 5.1L / (4 * kPi * kPi);
  const Real c = 5 / kPi;
  return -(square(x[1] - b * x[0] * x[0] + c * x[0] - 6) + 10 * (1 - 1 / (8 * kPi)) * std::cos(x[0]) + 10);
}

Real camel(const Point& x) {
  const Real x2 = x[0] * x[0];
  const Real y2 = x[1] * x[1];
  return -((4 - 2.1L * x2 + x2 * x2 / 3) * x2 + x[0] * x[1] + (-4 + 4 * y2) * y2);
}

Real ackley(const Point& x) {
  const Real mean_square = (x[0] * x[0] + x[1] * x[1]) / 2;
  const Real mean_cosine = (std::cos(2 * kPi * x[0]) + std::cos(2 * kPi * x[1])) / 2;
  return 20 * std::exp(-0.2L * std::sqrt(mean_square)) + std::exp(mean_cosine) - 20 - std::exp(1.0L);
}

Real levy(const Point& x) {
  const Real w1 = 1 + (x[0] - 1) / 4;
  const Real w2 = 1 + (x[1] - 1) / 4;
  return -(square(std::sin(kPi * w1)) + square(w1 - 1) * (1 + 10 * square(std::sin(kPi * w1 + 1))) +
           square(w2 - 1) * (1 + square(std::sin(2 * kPi * w2))));
}

Real goldstein_price(const Point& p) {
  const Real x = p[0];
  const Real y = p[1];
  const Real left = 1 + square(x + y + 1) * (19 - 14 * x + 3 * x * x - 14 * y + 6 * x * y + 3 * y * y);
  const Real right = 30 + square(2 * x - 3 * y) * (18 - 32 * x + 12 * x * x + 48 * y - 36 * x * y + 27 * y * y);
  return -left * right;
}

Real two_peaks(const Point& x) {
  return 0.8L * std::exp(-square((x[0] - 0.3L) / 0.12L) / 2) + std::exp(-square((x[0] - 0.75L) / 0.03L) / 2);
}

Real resolution_line(const Point& x) {
  return 0.8L * std::exp(-square((x[0] - 3) / 1.2L) / 2) + std::exp(-square((x[0] - 6.5L) / 0.3L) / 2) +
         0.6L * std::exp(-square((x[0] - 8.5L) / 0.6L) / 2);
}

}  // namespace

const std::vector<Textbook>& textbooks() {
  static const std::vector<Textbook> all{
      {"branin", branin, -0.397887L, 5e-7L},
      {"camel", camel, 1.0316L, 5e-5L},
      {"ackley", ackley, 0.0L, 1e-14L},
      {"levy", levy, 0.0L, 1e-14L},
      {"goldstein-price", goldstein_price, -3.0L, 1e-10L},
      {"two-peaks", two_peaks, 1.0007L, 5e-5L},
      {"resolution-line", resolution_line, 1.0137L, 5e-5L},
      {"sine-bins", [](const Point& x) { return 4 * std::sin(x[0]); }, 4.0L, 1e-14L},
      {"beta-entropy", [](const Point& x) { return -x[0] * std::log(x[0]); }, std::exp(-1.0L), 1e-15L},
  };
  return all;
}

Real NormalAxis::average(const std::function<Real(const Real&)>& h) const {
  const auto density = [&](Real x) { return std::exp(-square((x - centre) / sd) / 2) / (sd * std::sqrt(2 * kPi)); };
  const Real from = truncation ? std::max(lower, centre - 11 * sd) : centre - 11 * sd;
  const Real to = truncation ? std::min(upper, centre + 11 * sd) : centre + 11 * sd;
  const Real inside = integrate([&](const Real& x) { return density(x) * h(x); }, from, to, panels);
  if (!truncation) return inside;
  const Real below = std::erfc((centre - lower) / (sd * std::sqrt(2.0L))) / 2;
  const Real above = std::erfc((upper - centre) / (sd * std::sqrt(2.0L))) / 2;
  if (truncation == Truncation::kRenormalise) return inside / (1 - below - above);
  return inside + below * h(lower) + above * h(upper);
}

Real average(const Formula& f, const std::vector<NormalAxis>& axes) {
  return axes[0].average([&](const Real& x) {
    if (axes.size() == 1) return f({x});
    return axes[1].average([&](const Real& y) { return f({x, y}); });
  });
}

}  // namespace iqbo::test
