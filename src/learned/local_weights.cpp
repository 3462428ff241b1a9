#include "local_weights.hpp"

#include <cmath>

#include "leave_one_out.hpp"
#include "ridge_grid.hpp"

namespace iqbo {

using namespace internal;

namespace {

// Searches for b; keeps the plain bootstrap unless another b beats it.
Vector choose(const QueryEncoding& encoding, const std::function<double(const Vector& bandwidth)>& score) {
  const Vector plain = Vector::Constant(encoding.groups(), kBootstrap);
  const Vector found =
      exp2_of(search_scales(encoding.groups(), [&](const Vector& log2) { return score(exp2_of(log2)); }));
  return score(found) < score(plain) ? found : plain;
}

Matrix similarities(const LoggedPairs& pairs, const Vector& bandwidth) {
  const Matrix logged = pairs.encoding->encoded(pairs.a, bandwidth);
  return similarity(logged, logged).array() + kWeightFloor;
}

Vector choose(const LoggedPairs& pairs, const Matrix& gram) {
  return choose(*pairs.encoding, [&](const Vector& bandwidth) {
    return weights_leave_one_out(similarities(pairs, bandwidth), gram).sum();
  });
}

}  // namespace

Vector choose_bandwidth(const LoggedPairs& all, const Rows& all_values, const Kernel& kappa) {
  const auto rows = some_rows(all.size(), kWeightPairs);
  const Rows values = all_values(rows, Eigen::all);
  return choose(all.subset(rows), kappa.evaluate(values, values));
}

Vector choose_bandwidth(const LoggedPairs& all, const TrialFunctions& functions) {
  const LoggedPairs pairs = all.subset(some_rows(all.size(), kWeightPairs));
  return choose(pairs, functions.gram(pairs));
}

Vector choose_spread_bandwidth(const LoggedPairs& all, const Rows& all_residuals) {
  const auto rows = some_rows(all.size(), kWeightPairs);
  const LoggedPairs pairs = all.subset(rows);
  const Matrix squares = all_residuals(rows, Eigen::all).array().square();
  return choose(*pairs.encoding, [&](const Vector& bandwidth) {
    Matrix w = similarities(pairs, bandwidth);
    w.diagonal().setZero();
    normalise_rows(w);
    const Eigen::ArrayXXd var = (w * squares).array().max(1e-300);
    return (var.log() + squares.array() / var).sum();  // -2 log density, up to a constant
  });
}

LocalWeights::LocalWeights(const LoggedPairs& pairs, const Vector& bandwidth)
    : encoding_(pairs.encoding), bandwidth_(bandwidth), logged_(encoding_->encoded(pairs.a, bandwidth)) {}

Matrix LocalWeights::operator()(const Queries& a) const {
  Matrix w = similarity(encoding_->encoded(a, bandwidth_), logged_).array() + kWeightFloor;
  normalise_rows(w);
  return w;
}

}  // namespace iqbo
