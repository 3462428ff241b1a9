// D has a trapezoid density. With a = max(w, v), b = min(w, v) and delta >= 0 (the sign is restored at the end),
//
//           ________          up ramp     about delta - a, half-length b
//          /        \         plateau     about delta,     half-length a - b, height 1/(2a)
//      ___/          \___     down ramp   about delta + a, half-length b
//
// and the expectation is a sum of three non-negative pieces, so it is enough that each is accurate in relative terms.
// The textbook second difference of F(t) = t int exp(-t^2/2) + exp(-t^2/2) is of size a b but is rounded at the size of
// F; for w = v = 1e-8, or for boxes 30 apart, no digit is left. Here a piece is kept as midpoint m and half-length
// h, so that a length of 2e-8 keeps its digits too, and is integrated in one of two ways:
//
//   h <= 1.5 and |m| h <= 4   Gauss-Legendre on exp(-t^2/2) with 4, 8 or 12 nodes
//   longer                    a closed form in normal tails at the two ends, which then differ enough to be subtracted
//
// The one remaining cancellation in the closed form, that of a distant ramp, is handled in outer_tail.
#include "box_rbf.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "iqbo/numerics/gauss_rule.hpp"

namespace iqbo::internal {
namespace {

constexpr double kFar = 37.5;  // exp(-kFar^2/2) = 5e-306: beyond, everything is zero
constexpr double kSqrtHalfPi = 1.2533141373155002512;
constexpr double kSqrtTwoPi = 2.5066282746310005024;

// At a point t:  height = exp(-t^2/2),  area = int_t^inf exp(-s^2/2) ds,
//                ramp = int_t^inf (s - t) exp(-s^2/2) ds = height - t area
struct Tail {
  double height, area, ramp;
};

// For t >= 0. Far out, ramp is 1/t^2 of the terms whose difference it is, while erfc itself has lost t^2 roundings: at
// t = 30 ten digits of sixteen would be left. So from t = 9 on ramp comes from its asymptotic series, accurate to 3e-14
// there and better further out, and area from ramp.
Tail outer_tail(double t) {
  if (t > kFar) return {0, 0, 0};
  const double height = std::exp(-0.5 * t * t);
  if (t < 9) {
    const double area = kSqrtHalfPi * std::erfc(t * (0.5 * std::numbers::sqrt2));
    return {height, area, height - t * area};
  }
  const double y = 1 / (t * t);
  double ramp = 0;  // y (1 - 3 y (1 - 5 y (1 - ...)))
  for (int odd = 33; odd > 0; odd -= 2) ramp = odd * y * (1 - ramp);
  return {height, height * (1 - ramp) / t, height * ramp};
}

// An end of a piece. Neighbouring pieces share it, so its tail is computed once, when first needed.
class End {
 public:
  explicit End(double t) : at_(t) {}

  double at() const { return at_; }

  // The tail from |at| outwards.
  const Tail& outer() {
    if (!known_) outer_ = outer_tail(std::abs(at_));
    known_ = true;
    return outer_;
  }

  // The tail from `at` to the right.
  Tail right() {
    const Tail& t = outer();
    return at_ >= 0 ? t : Tail{t.height, kSqrtTwoPi - t.area, t.ramp - at_ * kSqrtTwoPi};
  }

 private:
  double at_;
  bool known_ = false;
  Tail outer_{};
};

enum class Shape { kFlat, kRising, kFalling };  // density over the piece, from its left to its right end

struct Piece {
  Shape shape;
  double mass;          // P(D in this piece)
  double middle, half;  // half-length
  End &left, &right;
};

// Gauss-Legendre for each shape of density, normalised to mass one.
template <int kNodes>
struct ShapedRule {
  using Values = Eigen::Array<double, kNodes, 1>;
  Values node = gauss_legendre(kNodes).node.array();
  Values flat = gauss_legendre(kNodes).weight.array();
  Values rising = flat * (1 + node);
  Values falling = flat * (1 - node);

  const Values& weight(Shape shape) const {
    return shape == Shape::kFlat ? flat : shape == Shape::kRising ? rising : falling;
  }
};

// Sums E[D^k exp(-D^2/2)], k < kMoments, over the pieces; moments that are not asked for cost nothing.
template <int kMoments>
class Sum {
 public:
  void add(const Piece& piece) {
    if (piece.mass == 0 || std::max(piece.left.at(), -piece.right.at()) > kFar) return;
    const double reach = piece.half * std::max(1.0, std::abs(piece.middle));
    if (reach <= kFourNodesReach) return quadrature<4>(piece);
    if (reach <= 0.8) return quadrature<8>(piece);
    if (piece.half <= 1.5 && piece.half * std::abs(piece.middle) <= 4) return quadrature<12>(piece);
    closed_form(piece);
  }

  const BoxRbfMoments& value() const { return sum_; }

 private:
  // t^2 exp(-t^2/2) uses up two degrees of the rule.
  static constexpr double kFourNodesReach = kMoments > 1 ? 0.04 : 0.08;

  void accumulate(double scale, double zeroth, double first, double second) {
    sum_.zeroth += scale * zeroth;
    if constexpr (kMoments > 1) {
      sum_.first += scale * first;
      sum_.second += scale * second;
    }
  }

  template <int kNodes>
  void quadrature(const Piece& piece) {
    static const ShapedRule<kNodes> rule;
    using Values = typename ShapedRule<kNodes>::Values;
    const Values t = piece.middle + piece.half * rule.node;
    const Values density = (-0.5 * t * t).exp() * rule.weight(piece.shape);
    if constexpr (kMoments > 1)
      accumulate(piece.mass, density.sum(), (density * t).sum(), (density * t * t).sum());
    else
      accumulate(piece.mass, density.sum(), 0, 0);
  }

  void closed_form(const Piece& piece) {
    const double length = 2 * piece.half;
    if (piece.shape == Shape::kFlat)
      flat(piece.mass / length, piece.left, piece.right);
    else if (piece.shape == Shape::kFalling)
      falling(2 * piece.mass / (length * length), length, piece.left, piece.right, +1);
    else if (piece.right.at() > 0)
      rising(2 * piece.mass / (length * length), length, piece.left, piece.right);
    else
      falling(2 * piece.mass / (length * length), length, piece.right, piece.left, -1);
  }

  // int t^k exp(-t^2/2) over the piece.
  void flat(double scale, End& left, End& right) {
    const Tail lo = left.right();
    const Tail hi = right.right();
    const double area = lo.area - hi.area;
    accumulate(scale, area, lo.height - hi.height, area + left.at() * lo.height - right.at() * hi.height);
  }

  // int t^k (t - left) exp(-t^2/2): the piece lies right of zero or straddles it.
  void rising(double scale, double length, End& left, End& right) {
    const Tail lo = left.right();
    const Tail& hi = right.outer();
    const double zeroth = lo.ramp - (hi.ramp + length * hi.area);
    accumulate(scale, zeroth, lo.area - (hi.area + length * hi.height),
               zeroth + lo.height - hi.height * (1 + right.at() * length));
  }

  // int t^k (far - t) exp(-t^2/2), both ends right of zero, or, with side = -1, the mirror image of that.
  void falling(double scale, double length, End& near, End& far, int side) {
    const Tail& lo = near.outer();
    const Tail& hi = far.outer();
    const double zeroth = length * lo.area - lo.ramp + hi.ramp;
    accumulate(scale, zeroth, side * (length * lo.height - lo.area + hi.area),
               zeroth + std::abs(near.at()) * length * lo.height - lo.height + hi.height);
  }

  BoxRbfMoments sum_{0, 0, 0};
};

template <int kMoments>
BoxRbfMoments moments(double delta, double w, double v) {
  const double a = std::max(w, v);
  const double b = std::min(w, v);
  const double centre = std::abs(delta);
  if (centre - a - b > kFar) return {0, 0, 0};
  if (a == 0) {
    const double value = std::exp(-0.5 * delta * delta);
    return {value, delta * value, delta * delta * value};
  }
  // centre - a, with its rounding error (Knuth's two-sum): near 2000 that is 2e-13, which exp(-t^2/2) multiplies
  // by t.
  const double rest = centre - a;
  const double shift = rest - centre;
  const double lost = (centre - (rest - shift)) - (a + shift);
  End outer_left((rest - b) + lost);
  End inner_left((rest + b) + lost);
  End inner_right(centre + (a - b));
  End outer_right(centre + (a + b));
  Sum<kMoments> sum;
  sum.add({Shape::kFlat, (a - b) / a, centre, a - b, inner_left, inner_right});
  sum.add({Shape::kRising, 0.5 * (b / a), rest, b, outer_left, inner_left});
  sum.add({Shape::kFalling, 0.5 * (b / a), centre + a, b, inner_right, outer_right});
  const auto [zeroth, first, second] = sum.value();
  return {zeroth, delta == 0 ? 0 : std::copysign(1.0, delta) * first, second};
}

}  // namespace

double box_rbf(double delta, double w, double v) { return moments<1>(delta, w, v).zeroth; }

BoxRbfMoments box_rbf_moments(double delta, double w, double v) { return moments<3>(delta, w, v); }

// With h(t) = box_rbf(t, w, 0), b = E h(delta + v V) and so db/dv = E[V h'(delta + v V)]. Integrated by parts once,
//
//   db/dv = v/2 E[(1 - V^2) h''(delta + v V)]                     v <= 1.5 and h not too steep: Gauss-Legendre
//         = ((h(delta + v) + h(delta - v)) / 2 - b) / v           longer: mean of h at the two edges, minus b
//
// The second form loses all digits as v -> 0; the first has the factor v in front, and h'' = E[(D^2 - 1) exp(-D^2/2)].
double box_rbf_slope(double delta, double w, double v) {
  const double gap = std::max(0.0, std::abs(delta) - w);
  if (v == 0 || gap - v > kFar) return 0;
  if (v > 1.5 || gap * v > 4)
    return (0.5 * (box_rbf(delta + v, w, 0) + box_rbf(delta - v, w, 0)) - box_rbf(delta, w, v)) / v;
  const Rule& rule = gauss_legendre(v * std::max(1.0, gap) <= 0.3 ? 8 : 14);
  double sum = 0;
  for (Index i = 0; i < rule.node.size(); ++i) {
    const double t = rule.node[i];
    const auto [zeroth, first, second] = box_rbf_moments(delta + v * t, w, 0);
    sum += rule.weight[i] * (1 - t * t) * (second - zeroth);
  }
  return 0.5 * v * sum;
}

}  // namespace iqbo::internal
