#include "support/oracle.hpp"

#include <boost/math/quadrature/gauss.hpp>
#include <utility>

namespace iqbo::test {

Real integrate(const std::function<Real(const Real&)>& f, const Real& lower, const Real& upper, int panels) {
  const Real step = (upper - lower) / panels;
  Real sum = 0;
  for (int p = 0; p < panels; ++p)
    sum += boost::math::quadrature::gauss<Real, 20>::integrate(f, Real(lower + p * step), Real(lower + (p + 1) * step));
  return sum;
}

LongMatrix inverse(LongMatrix a) {
  const Eigen::Index n = a.rows();
  LongMatrix out = LongMatrix::Identity(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    Eigen::Index pivot = 0;
    a.col(i).tail(n - i).cwiseAbs().maxCoeff(&pivot);
    a.row(i).swap(a.row(i + pivot));
    out.row(i).swap(out.row(i + pivot));
    const long double scale = a(i, i);
    a.row(i) /= scale;
    out.row(i) /= scale;
    for (Eigen::Index j = 0; j < n; ++j) {
      if (j == i) continue;
      const long double factor = a(j, i);
      a.row(j) -= factor * a.row(i);
      out.row(j) -= factor * out.row(i);
    }
  }
  return out;
}

GaussianVector condition(const LongVector& mean, const LongMatrix& k, const LongMatrix& w, const LongVector& z,
                         const LongVector& noise_var) {
  const LongMatrix precision = inverse(k);
  const LongMatrix r = noise_var.cwiseInverse().asDiagonal();
  GaussianVector out;
  out.cov = inverse(precision + w.transpose() * r * w);
  out.mean = out.cov * (precision * mean + w.transpose() * r * z);
  return out;
}

}  // namespace iqbo::test
