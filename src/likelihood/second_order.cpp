#include "second_order.hpp"

#include <algorithm>
#include <cmath>

#include "sparse_laws.hpp"

namespace iqbo::internal {

namespace {

// h', h'', h''' and h'''' at the nodes.
struct LinkSlopes {
  Vector first, second, third, fourth;

  LinkSlopes(Link link, const Vector& eta)
      : first(eta.unaryExpr([&](double each) { return slope(link, each); })),
        second(eta.unaryExpr([&](double each) { return curvature(link, each); })),
        third(second),
        fourth(second) {
    if (link != Link::kLogit) return;  // exp: all are the same; identity: 0
    third = first.array() * (1.0 - 6.0 * first.array());
    fourth = second.array() * (1.0 - 12.0 * first.array());
  }
};

}  // namespace

HigherSlopes higher_slopes(const Likelihood& likelihood, const Count& answer, double g) {
  constexpr double kStep = 1e-3;
  const double room = likelihood.counts() && likelihood.admits(Link::kLogit) ? std::min(g, 1.0 - g) : std::abs(g);
  const double step = kStep * room;
  const double low = likelihood.slopes(answer, g - step).curvature, here = likelihood.slopes(answer, g).curvature,
               high = likelihood.slopes(answer, g + step).curvature;
  return {(low - high) / (2.0 * step), (2.0 * here - low - high) / (step * step)};
}

EvidenceCorrection evidence_correction(const LatentProblem& problem, const Vector& mode, const Matrix& left) {
  const SparseRows& weight = problem.readings.weight;
  const Index t = weight.rows();
  const LinkSlopes h(problem.link, mode);
  const Vector g = weight * apply(problem.link, mode);
  Vector p1(t), p2(t), p3(t), p4(t), precision(t);  // derivatives of log p in g; 1 / R
  for (Index i = 0; i < t; ++i) {
    const Count& answer = problem.readings.answers[static_cast<std::size_t>(i)];
    const auto [first, curved] = problem.likelihood.slopes(answer, g[i]);
    const auto [third, fourth] = higher_slopes(problem.likelihood, answer, g[i]);
    p1[i] = first;
    p2[i] = -curved;
    p3[i] = third;
    p4[i] = fourth;
    precision[i] = 1.0 / problem.likelihood.variance(answer, g[i]);
  }
  const Matrix& s = left;
  const Vector v = s.diagonal();
  const Matrix s2 = s.cwiseAbs2();
  // J, and W diag h'', W diag h''', W diag h''''
  const SparseRows j = scaled_columns(weight, h.first), b = scaled_columns(weight, h.second);
  const SparseRows c = scaled_columns(weight, h.third), d = scaled_columns(weight, h.fourth);

  const Matrix sj = times_transposed(s, j);    // S J'
  const Matrix s2b = times_transposed(s2, b);  // (S o S) B'
  const Matrix sj2 = sj.cwiseAbs2();
  const Matrix jsj = j * sj;
  const Matrix b_sj2 = b * sj2;  // (i, k): sum_x B_ix (S J_k)_x^2
  const Matrix bs2b = b * s2b;
  const Vector a = jsj.diagonal();
  const Vector bv = b * v;
  const Vector curve = b.transpose() * p1;
  const Vector cubic = c.transpose() * p1;

  const Vector off = -p2 - precision;  // D = J' off J - diag(curve)
  EvidenceCorrection out{};
  out.first = -0.5 * (off.dot(a) - curve.dot(v));

  double second = 0.25 * (off.dot(jsj.cwiseAbs2() * off) - 2.0 * curve.dot(sj2 * off) + curve.dot(s2 * curve));

  // l4 with its four places joined in pairs
  Vector cvsj(a.size());
  for (Index i = 0; i < a.size(); ++i) {
    cvsj[i] = 0.0;
    for (SparseRows::InnerIterator it(c, i); it; ++it) cvsj[i] += it.value() * v[it.col()] * sj(it.col(), i);
  }
  const Vector paired =
      p4.cwiseProduct(a.cwiseAbs2()) + p3.cwiseProduct(2.0 * bv.cwiseProduct(a) + 4.0 * b_sj2.diagonal()) +
      p2.cwiseProduct(bv.cwiseAbs2() + 2.0 * bs2b.diagonal() + 4.0 * cvsj) + p1.cwiseProduct(d * v.cwiseAbs2());
  second += paired.sum() / 8.0;

  // l3 with two of its places joined, twice
  Vector pull = j.transpose() * Vector(p3.cwiseProduct(a) + p2.cwiseProduct(bv));
  pull += v.cwiseProduct(cubic);
  for (Index i = 0; i < a.size(); ++i)
    for (SparseRows::InnerIterator it(b, i); it; ++it) pull[it.col()] += 2.0 * p2[i] * it.value() * sj(it.col(), i);
  second += pull.dot(s * pull) / 8.0;

  // l3 with l3, place by place
  const Matrix p = scaled_rows(b, p2).transpose() * sj.transpose();  // (x, y): sum_i p2_i B_ix (S J_i)_y
  double joined = p3.dot(Matrix(jsj.cwiseAbs2().cwiseProduct(jsj)) * p3);
  joined += 6.0 * p2.dot(b_sj2.cwiseProduct(jsj) * p3);
  joined += 2.0 * p1.dot(c * (sj2.cwiseProduct(sj) * p3));
  joined += 3.0 * p2.dot(jsj.cwiseProduct(bs2b) * p2);
  joined += 6.0 * s.cwiseProduct(p).cwiseProduct(p.transpose()).sum();
  joined += 6.0 * cubic.dot(s2b.cwiseProduct(sj) * p2);
  joined += cubic.dot(s2.cwiseProduct(s) * cubic);
  second += joined / 12.0;

  out.second = second / std::sqrt(1.0 + 0.25 * second * second);
  return out;
}

}  // namespace iqbo::internal
