#include "support/exact_posterior.hpp"

#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/erf.hpp>

namespace iqbo::test {
namespace {

using Real50 = Digits50;

// The correlation, its integral and the integral of that, at u >= 0 in units in which the decay is exp(-u) or exp(-u^2/2).
struct Integrals {
  Real50 value, once, twice;
};

Integrals integrals(ExactFamily family, const Real50& u) {
  if (family == ExactFamily::kRbf) {
    const Real50 e = exp(-u * u / 2);
    const Real50 root_half_pi = sqrt(boost::math::constants::half_pi<Real50>());
    const Real50 once = root_half_pi * boost::math::erf(Real50(u / sqrt(Real50(2))));
    return {e, once, Real50(u * once + e - 1)};
  }
  const Real50 e = exp(-u);
  if (family == ExactFamily::kMatern12) return {e, Real50(1 - e), Real50(u - 1 + e)};
  if (family == ExactFamily::kMatern32)
    return {Real50((1 + u) * e), Real50(2 - (u + 2) * e), Real50(2 * u - 3 + (u + 3) * e)};
  return {Real50((1 + u + u * u / 3) * e), Real50((8 - (u * u + 5 * u + 8) * e) / 3),
          Real50((8 * u - 15 + (u * u + 7 * u + 15) * e) / 3)};
}

Real50 rate(const ExactPrior& prior) {
  const Real50 l = prior.lengthscale;
  switch (prior.family) {
    case ExactFamily::kRbf:
    case ExactFamily::kMatern12:
      return 1 / l;
    case ExactFamily::kMatern32:
      return sqrt(Real50(3)) / l;
    case ExactFamily::kMatern52:
      return sqrt(Real50(5)) / l;
  }
  return 0;
}

Real50 once(ExactFamily family, const Real50& u) {
  const Real50 size = integrals(family, Real50(abs(u))).once;
  return u < 0 ? Real50(-size) : size;
}

Real50 twice(ExactFamily family, const Real50& u) { return integrals(family, Real50(abs(u))).twice; }

}  // namespace

Digits50 exact_covariance(const ExactPrior& prior, const ExactWindow& left, const ExactWindow& right) {
  if (left.half_width == 0.0 && right.half_width > 0.0) return exact_covariance(prior, right, left);
  const Real50 s = rate(prior);
  const Real50 d = s * (Real50(left.at) - Real50(right.at));
  const Real50 h = s * Real50(left.half_width);
  const Real50 k = s * Real50(right.half_width);
  if (left.half_width == 0.0) return integrals(prior.family, Real50(abs(d))).value;
  if (right.half_width == 0.0) return (once(prior.family, Real50(d + h)) - once(prior.family, Real50(d - h))) / (2 * h);
  return (twice(prior.family, Real50(d + h + k)) - twice(prior.family, Real50(d + h - k)) -
          twice(prior.family, Real50(d - h + k)) + twice(prior.family, Real50(d - h - k))) /
         (4 * h * k);
}

ExactMatrix exact_covariances(const ExactPrior& prior, const std::vector<ExactWindow>& windows) {
  ExactMatrix out(windows.size(), std::vector<Real50>(windows.size()));
  for (std::size_t i = 0; i < windows.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) out[i][j] = out[j][i] = exact_covariance(prior, windows[i], windows[j]);
  return out;
}

namespace {

Real50 distance(const Rows& points, Index i, Index j) {
  Real50 sum = 0;
  for (Index c = 0; c < points.cols(); ++c) {
    const Real50 along = Real50(points(i, c)) - Real50(points(j, c));
    sum += along * along;
  }
  return sqrt(sum);
}

}  // namespace

ExactMatrix exact_covariances(const ExactPrior& prior, const Rows& points, const Matrix& weight) {
  const auto n = static_cast<std::size_t>(points.rows()), rows = static_cast<std::size_t>(weight.rows());
  const Real50 s = rate(prior);
  ExactMatrix half(rows, std::vector<Real50>(n, Real50(0)));  // W K
  for (Index k = 0; k < points.rows(); ++k)
    for (Index j = 0; j < points.rows(); ++j) {
      const Real50 value = integrals(prior.family, Real50(s * distance(points, k, j))).value;
      for (Index i = 0; i < weight.rows(); ++i)
        if (weight(i, k) != 0.0)
          half[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] += Real50(weight(i, k)) * value;
    }
  ExactMatrix out(rows, std::vector<Real50>(rows, Real50(0)));
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < rows; ++j)
      for (std::size_t k = 0; k < n; ++k)
        if (const double w = weight(static_cast<Index>(j), static_cast<Index>(k)); w != 0.0)
          out[i][j] += half[i][k] * Real50(w);
  return out;
}

namespace {

// L L' = the first `count` rows of cov, plus diag(noise_var), without the rows that those before them determine.
struct ExactFactor {
  std::vector<std::vector<Real50>> lower;
  std::vector<std::size_t> kept;

  ExactFactor(const ExactMatrix& cov, std::size_t count, const Vector& noise_var) {
    for (std::size_t i = 0; i < count; ++i) {
      const Real50 var = cov[i][i] + Real50(noise_var[static_cast<Index>(i)]);
      const std::vector<Real50> known = solved([&](std::size_t j) { return cov[i][j]; });
      Real50 left = var;
      for (const Real50& entry : known) left -= entry * entry;
      if (left <= var * Real50("1e-40")) continue;
      lower.push_back(known);
      lower.back().push_back(sqrt(left));
      kept.push_back(i);
    }
  }

  // L^-1 (entry_of(row)).
  template <class Entry>
  std::vector<Real50> solved(const Entry& entry_of) const {
    std::vector<Real50> out;
    for (std::size_t a = 0; a < kept.size(); ++a) {
      Real50 entry = entry_of(kept[a]);
      for (std::size_t b = 0; b < a; ++b) entry -= lower[a][b] * out[b];
      out.push_back(entry / lower[a][a]);
    }
    return out;
  }
};

}  // namespace

Vector exact_draw(const ExactMatrix& cov, const Vector& eps) {
  const ExactFactor factor(cov, cov.size(), Vector::Zero(eps.size()));
  Vector out(eps.size());
  for (std::size_t i = 0; i < cov.size(); ++i) {
    const auto row = factor.solved([&](std::size_t j) { return cov[i][j]; });
    Real50 sum = 0;
    for (std::size_t a = 0; a < row.size(); ++a) sum += row[a] * Real50(eps[static_cast<Index>(a)]);
    out[static_cast<Index>(i)] = static_cast<double>(sum);
  }
  return out;
}

ExactMarginals exact_posterior(const ExactMatrix& cov, const Vector& z, const Vector& noise_var) {
  const auto count = static_cast<std::size_t>(z.size());
  const ExactFactor factor(cov, count, noise_var);
  const auto surprise = factor.solved([&](std::size_t i) { return Real50(z[static_cast<Index>(i)]); });
  const auto targets = static_cast<Index>(cov.size() - count);
  ExactMarginals out{Vector(targets), Vector(targets)};
  for (std::size_t j = count; j < cov.size(); ++j) {
    const auto known = factor.solved([&](std::size_t i) { return cov[i][j]; });
    Real50 mean = 0, var = cov[j][j];
    for (std::size_t a = 0; a < known.size(); ++a) {
      mean += known[a] * surprise[a];
      var -= known[a] * known[a];
    }
    out.mean[static_cast<Index>(j - count)] = static_cast<double>(mean);
    out.var[static_cast<Index>(j - count)] = static_cast<double>(var);
  }
  return out;
}

}  // namespace iqbo::test
