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
//
// Where both boxes are wide and overlap, the second difference loses little, and is the fastest: F and its derivatives
// at the four corners delta +- a +- b come from a table of tails and Taylor's series (class Antiderivatives). Likewise for
// one wide box.
#include "box_rbf.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "iqbo/numerics/gauss_rule.hpp"

namespace iqbo::internal {
namespace {

constexpr double kFar = 37.5;  // exp(-kFar^2/2) = 5e-306: beyond, everything is zero
constexpr double kSqrtHalfPi = 1.2533141373155002512;
constexpr double kSqrtTwoPi = 2.5066282746310005024;

// At a point t:  height = exp(-t^2/2),  area = int_t^inf exp(-s^2/2) ds,
//                ramp = int_t^inf (s - t) exp(-s^2/2) ds = height - t area
struct BoxTail {
  double height, area, ramp;
};

// For t >= 0. Far out, ramp is 1/t^2 of the terms whose difference it is, while erfc itself has lost t^2 roundings: at
// t = 30 ten digits of sixteen would be left. So from t = 9 on ramp comes from its asymptotic series, accurate to 3e-14
// there and better further out, and area from ramp.
BoxTail outer_tail(double t) {
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

// F(t) = t int_-inf^t exp(-s^2/2) ds + exp(-t^2/2), F' and F'' at kCount points, from a table and Taylor's series.
template <int kCount>
class Antiderivatives {
 public:
  using Values = Eigen::Array<double, kCount, 1>;

  explicit Antiderivatives(const Values& at) : at_(at) {
    const Values u = at.abs().min(kEnd);
    Values dx;  // from the nearest node
    for (Index i = 0; i < kCount; ++i) {
      const auto node = static_cast<std::size_t>(u[i] * kNodes + 0.5);
      const BoxTail& tail = tails()[node];
      height_[i] = tail.height;
      area_[i] = tail.area;
      ramp_[i] = tail.ramp;
      dx[i] = u[i] - static_cast<double>(node) / kNodes;
    }
    // ramp' = -area, area' = -height, and the derivatives of height are Hermite polynomials in the node times height.
    constexpr double k3 = 1.0 / 3, k5 = 1.0 / 5, k6 = 1.0 / 6, k7 = 1.0 / 7;
    const Values t = u - dx, t2 = t.square(), y = -dx * (t + 0.5 * dx), h = height_ * dx;
    const Values d3 = k3 * dx, d4 = 0.25 * dx, d5 = k5 * dx, d6 = k6 * dx;
    const Values he2 = t2 - 1, he3 = t * (t2 - 3), he4 = t2 * (t2 - 6) + 3, he5 = t * (t2 * (t2 - 10) + 15);
    const Values once = 1 - 0.5 * dx * (t - d3 * (he2 - d4 * (he3 - d5 * (he4 - d6 * he5))));
    const Values twice = 1 - d3 * (t - d4 * (he2 - d5 * (he3 - d6 * (he4 - k7 * dx * he5))));
    height_ *= 1 + y * (1 + 0.5 * y * (1 + k3 * y * (1 + 0.25 * y * (1 + k5 * y * (1 + k6 * y)))));
    ramp_ -= dx * (area_ - 0.5 * h * twice);
    area_ -= h * once;
  }

  const Values& at() const { return at_; }
  const Values& tail() const { return ramp_; }  // F(t) - sqrt(2 pi) max(t, 0)
  Values first() const { return (at_ >= 0).select(kSqrtTwoPi - area_, area_); }
  const Values& second() const { return height_; }

 private:
  static constexpr double kNodes = 64;  // per unit
  static constexpr double kEnd = 9;     // ramp and area are below 1e-18 there

  static const std::vector<BoxTail>& tails() {
    static const std::vector<BoxTail> kTails = [] {
      std::vector<BoxTail> out;
      for (int i = 0; i < kEnd * kNodes; ++i) out.push_back(outer_tail(i / kNodes));
      out.push_back({0, 0, 0});
      return out;
    }();
    return kTails;
  }

  Values at_, height_, area_, ramp_;
};

struct Fast {
  BoxRbfMoments moments;
  double in_v;  // slope
};

// Of a difference of terms of size 1: less would lose too many digits.
constexpr double kLeastDifference = 2e-3;

// The second difference of F across both boxes, for 0 <= delta < w + v; none if digits are lost. That of max(t, 0) is known.
std::optional<Fast> by_corners(double delta, double w, double v) {
  const Antiderivatives<4> corners({delta + w + v, delta + w - v, delta - w + v, delta - w - v});
  const auto across = [](const Eigen::Array4d& f) { return (f[0] - f[1]) - (f[2] - f[3]); };
  const double ramps = 2 * std::min(w, v) - std::max(0.0, delta - std::abs(w - v));
  const double zeroth = across(corners.tail()) + kSqrtTwoPi * ramps;
  if (zeroth < kLeastDifference) return std::nullopt;
  const double scale = 1 / (4 * w * v);
  const Eigen::Array4d first = corners.first();
  return Fast{{scale * zeroth, -scale * across(first), scale * (zeroth + across(corners.second()))},
              scale * ((first[0] - first[2]) + (first[1] - first[3]) - zeroth / v)};
}

// A box and a point: the first difference of F'.
std::optional<BoxRbfMoments> by_edges(double delta, double w) {
  const Antiderivatives<2> edges({delta + w, delta - w});
  const Eigen::Array2d first = edges.first();
  const Eigen::Array2d& height = edges.second();
  const double zeroth = first[0] - first[1];
  if (zeroth < kLeastDifference) return std::nullopt;
  const double scale = 0.5 / w;
  return BoxRbfMoments{scale * zeroth, scale * (height[1] - height[0]),
                       scale * (zeroth + edges.at()[1] * height[1] - edges.at()[0] * height[0])};
}

// An end of a piece. Neighbouring pieces share it, so its tail is computed once, when first needed.
class End {
 public:
  explicit End(double t) : at_(t) {}

  double at() const { return at_; }

  // The tail from |at| outwards.
  const BoxTail& outer() {
    if (!known_) outer_ = outer_tail(std::abs(at_));
    known_ = true;
    return outer_;
  }

  // The tail from `at` to the right.
  BoxTail right() {
    const BoxTail& t = outer();
    return at_ >= 0 ? t : BoxTail{t.height, kSqrtTwoPi - t.area, t.ramp - at_ * kSqrtTwoPi};
  }

 private:
  double at_;
  bool known_ = false;
  BoxTail outer_{};
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
    const BoxTail lo = left.right();
    const BoxTail hi = right.right();
    const double area = lo.area - hi.area;
    accumulate(scale, area, lo.height - hi.height, area + left.at() * lo.height - right.at() * hi.height);
  }

  // int t^k (t - left) exp(-t^2/2): the piece lies right of zero or straddles it.
  void rising(double scale, double length, End& left, End& right) {
    const BoxTail lo = left.right();
    const BoxTail& hi = right.outer();
    const double zeroth = lo.ramp - (hi.ramp + length * hi.area);
    accumulate(scale, zeroth, lo.area - (hi.area + length * hi.height),
               zeroth + lo.height - hi.height * (1 + right.at() * length));
  }

  // int t^k (far - t) exp(-t^2/2), both ends right of zero, or, with side = -1, the mirror image of that.
  void falling(double scale, double length, End& near, End& far, int side) {
    const BoxTail& lo = near.outer();
    const BoxTail& hi = far.outer();
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

namespace {

constexpr double kWideForTwo = 0.2;  // half-widths from which a difference across boxes keeps its digits
constexpr double kWideForOne = 0.05;

std::optional<BoxRbfMoments> fast_moments(double delta, double w, double v) {
  const double a = std::max(w, v), b = std::min(w, v);
  if (b == 0) return a >= kWideForOne ? by_edges(delta, a) : std::nullopt;
  if (b < kWideForTwo || delta >= a + b) return std::nullopt;
  const auto found = by_corners(delta, a, b);
  return found ? std::optional(found->moments) : std::nullopt;
}

}  // namespace

double box_rbf(double delta, double w, double v) {
  const auto fast = fast_moments(std::abs(delta), w, v);
  return fast ? fast->zeroth : moments<1>(delta, w, v).zeroth;
}

BoxRbfMoments box_rbf_moments(double delta, double w, double v) {
  auto fast = fast_moments(std::abs(delta), w, v);
  if (!fast) return moments<3>(delta, w, v);
  fast->first = delta == 0 ? 0 : std::copysign(1.0, delta) * fast->first;
  return *fast;
}

namespace {

// E[(1 - V^2) h''(delta + v V)] for a box of half-width w that is not short: h''(t) is the difference of -s exp(-s^2/2)
// at s = t + w and t - w, over 2w.
template <int kNodes>
double bend_of_wide(double delta, double w, double v) {
  using Values = typename ShapedRule<kNodes>::Values;
  static const ShapedRule<kNodes> rule;
  static const Values weight = rule.flat * (1 - rule.node * rule.node);
  const Values right = delta + w + v * rule.node;
  const Values left = delta - w + v * rule.node;
  const Values bend = left * (-0.5 * left * left).exp() - right * (-0.5 * right * right).exp();
  return (weight * bend).sum() / (2 * w);
}

}  // namespace

// With h(t) = box_rbf(t, w, 0), b = E h(delta + v V) and so db/dv = E[V h'(delta + v V)]. Integrated by parts once,
//
//   db/dv = v/2 E[(1 - V^2) h''(delta + v V)]                     v <= 1.5 and h not too steep: Gauss-Legendre
//         = ((h(delta + v) + h(delta - v)) / 2 - b) / v           longer: mean of h at the two edges, minus b
//
// The second form loses all digits as v -> 0; the first has the factor v in front, and h'' = E[(D^2 - 1) exp(-D^2/2)].
double box_rbf_slope(double delta, double w, double v) {
  const double gap = std::max(0.0, std::abs(delta) - w);
  if (v == 0 || gap - v > kFar) return 0;
  if (std::min(w, v) >= kWideForTwo && std::abs(delta) < w + v)
    if (const auto fast = by_corners(std::abs(delta), w, v)) return fast->in_v;
  if (v > 1.5 || gap * v > 4)
    return (0.5 * (box_rbf(delta + v, w, 0) + box_rbf(delta - v, w, 0)) - box_rbf(delta, w, v)) / v;
  const bool short_reach = v * std::max(1.0, gap) <= 0.3;
  if (w >= kWideForOne) return 0.5 * v * (short_reach ? bend_of_wide<8>(delta, w, v) : bend_of_wide<14>(delta, w, v));
  const Rule& rule = gauss_legendre(short_reach ? 8 : 14);
  double sum = 0;
  for (Index i = 0; i < rule.node.size(); ++i) {
    const double t = rule.node[i];
    const auto [zeroth, first, second] = box_rbf_moments(delta + v * t, w, 0);
    sum += rule.weight[i] * (1 - t * t) * (second - zeroth);
  }
  return 0.5 * v * sum;
}

}  // namespace iqbo::internal
