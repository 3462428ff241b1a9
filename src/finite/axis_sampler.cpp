// Factors along axes: a kernel that is a product over coordinates, at points that share theirs, needs a factor for each axis
// only, however many points there are.
//
//   rho = rho_1 rho_2,   rho_c = F_c F_c' on the different coordinates u_c of axis c     (pivoted Cholesky)
//   f(x_i) = sd sum_qr F_1(i_1, q) eps_qr F_2(i_2, r),   i_c the coordinate of x_i on axis c
//
// A white part adds one number for each different point.
//
// O(u_c^3) once, and O((u_1 + n) r_2) and O(u_1 r_1 r_2) for a draw, where a factor of all n points takes O(n^3) if f is rough.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "engine.hpp"
#include "iqbo/kernel/kernel.hpp"
#include "iqbo/kernel/stationary_part.hpp"
#include "numerics/pivoted_cholesky.hpp"
#include "sampler.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kAxisTolerance = 1e-14;
constexpr Index kShared = 4;         // points for each different coordinate of an axis, at least
constexpr Index kMostOnAxis = 4000;  // values; their correlations are dense

bool is_by_axes(const StationaryPart& part) {
  return part.by_axes() != nullptr || (part.mixture() != nullptr && part.mixture()->weight.size() == 1);
}

// Which of the `values`, the different coordinates of an axis, each point has.
struct AxisPlaces {
  explicit AxisPlaces(const Vector& coordinates) : values(coordinates.begin(), coordinates.end()) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    for (const double each : coordinates)
      place.push_back(std::lower_bound(values.begin(), values.end(), each) - values.begin());
  }
  std::vector<double> values;
  std::vector<Index> place;
};

// The correlations of a term along column `c`: with other columns equal, a product over axes is that of this axis.
Matrix correlations(const KernelTerm& term, Index c, const std::vector<double>& values) {
  const auto n = static_cast<Index>(values.size());
  Matrix out = Matrix::Ones(n, n);
  for (const KernelTerm::Factor& factor : term.factors)
    for (std::size_t g = 0; g < factor.columns.size(); ++g) {
      if (factor.columns[g] != c) continue;
      Rows at = Rows::Zero(n, static_cast<Index>(factor.columns.size()));
      for (Index i = 0; i < n; ++i) at(i, static_cast<Index>(g)) = values[static_cast<std::size_t>(i)];
      out.array() *= factor.part->evaluate(at, at, 1.0).array();
    }
  return out;
}

Matrix axis_factor(const KernelTerm& term, Index c, const std::vector<double>& values) {
  const auto n = static_cast<Index>(values.size());
  return pivoted_cholesky(DenseCovariance(correlations(term, c, values)), kAxisTolerance, n, n).factor;
}

class AxisSampler final : public PriorSampler {
 public:
  AxisSampler(const std::vector<KernelTerm>& terms, const Inputs& x, AxisPlaces first, AxisPlaces second)
      : first_(std::move(first)), second_(std::move(second)), distinct_(distinct(x.coordinates())) {
    for (const KernelTerm& term : terms)
      if (term.kind == KernelTerm::Kind::kWhite)
        nugget_ += term.variance;
      else
        factors_.push_back({std::sqrt(term.variance), axis_factor(term, 0, first_.values),
                            axis_factor(term, 1, second_.values).transpose()});
  }

  Matrix draw(Index count, Rng& rng) const override {
    const auto n = static_cast<Index>(first_.place.size());
    Matrix out = Matrix::Zero(n, count);
    for (Index j = 0; j < count; ++j)
      for (const auto& [sd, along_first, along_second] : factors_) {
        const Matrix eps = sd * normals(along_first.cols(), along_second.rows(), rng);
        const Rows rows = along_first * eps;
        for (Index i = 0; i < n; ++i)
          out(i, j) += rows.row(first_.place[static_cast<std::size_t>(i)])
                           .dot(along_second.col(second_.place[static_cast<std::size_t>(i)]));
      }
    if (nugget_ > 0.0) out += std::sqrt(nugget_) * normals(n, count, rng)(distinct_, Eigen::all);
    return out;
  }
  std::string description() const override { return "from factors along the axes"; }

 private:
  struct Factors {
    double sd;
    Matrix first;   // u_1 x r_1
    Matrix second;  // r_2 x u_2
  };
  AxisPlaces first_, second_;
  std::vector<Factors> factors_;  // of each term of the kernel
  double nugget_ = 0.0;
  std::vector<Index> distinct_;
};

}  // namespace

std::unique_ptr<const PriorSampler> axis_sampler(const Kernel& kernel, const Inputs& x) {
  if (x.dimension() != 2) return nullptr;
  const std::vector<KernelTerm> terms = kernel.stationary_terms();
  for (const KernelTerm& term : terms) {
    if (term.kind == KernelTerm::Kind::kOpaque) return nullptr;
    for (const KernelTerm::Factor& factor : term.factors)
      if (!is_by_axes(*factor.part)) return nullptr;
  }
  AxisPlaces first(x.coordinates().col(0)), second(x.coordinates().col(1));
  const auto most = static_cast<Index>(std::max(first.values.size(), second.values.size()));
  if (most > kMostOnAxis || kShared * most > x.size()) return nullptr;
  return std::make_unique<AxisSampler>(terms, x, std::move(first), std::move(second));
}

}  // namespace iqbo
