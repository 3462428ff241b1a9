#include "trial_functions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "iqbo/average/expectation.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/core/stop.hpp"
#include "normal_cloud.hpp"

namespace iqbo {
namespace {

constexpr Index kCosines = 24;      // frequencies per kernel, each with a cosine and a sine
constexpr Index kPlacePairs = 400;  // a^(x) uses at most this many pairs
constexpr double kPlaceScales[] = {1.0, 0.5};
constexpr double kBandwidths[] = {0.05, 0.1, 0.2, 0.4, 0.8};
constexpr double kFloor = 1e-12;  // far from all logged x, a^ is their mean
constexpr Index kCloud = 32;      // points for a normal law
constexpr Index kRowsAtOnce = 2048;

// cos and sin of x . w, with sum of squares one for each frequency.
template <class Points, class Frequencies>
Matrix waves(const Points& x, const Frequencies& frequency) {
  const Eigen::ArrayXXd angle = x * frequency.transpose();
  Matrix out(x.rows(), 2 * frequency.rows());
  out << angle.cos().matrix(), angle.sin().matrix();
  return out;
}

}  // namespace

TrialFunctions::TrialFunctions(const LoggedPairs& all) : of_x_(kappa(all)), x_sd_(all.x_sd) {
  const LoggedPairs some = all.subset(some_rows(all.size(), kPlacePairs));
  logged_x_ = some.scaled_x();
  logged_a_ = some.a.coordinates();
  encoded_ = some.encoding->encoded(some.a, Vector::Ones(some.encoding->groups()));

  Rng rng(20262);
  const Index d = all.x().dimension();
  frequency_.resize(static_cast<Index>(of_x_.terms().size()) * kCosines, d);
  for (std::size_t l = 0; l < of_x_.terms().size(); ++l) {
    const Vector lengthscale = of_x_.terms()[l]->log_parameters().tail(d).array().exp();
    for (Index r = 0; r < kCosines; ++r)
      frequency_.row(static_cast<Index>(l) * kCosines + r) = rng.normals(d).cwiseQuotient(lengthscale).transpose();
  }
  place_frequency_.resize(static_cast<Index>(std::size(kPlaceScales)) * kCosines, encoded_.cols());
  for (Index r = 0; r < place_frequency_.rows(); ++r)
    place_frequency_.row(r) = rng.normals(encoded_.cols()).transpose() / kPlaceScales[r / kCosines];

  double least = std::numeric_limits<double>::infinity();
  double chosen = 1.0;
  for (const double bandwidth : kBandwidths) {
    bandwidth_ = bandwidth;
    const double error = (of_place(some.x().coordinates(), &logged_a_) - encoded_).squaredNorm();
    if (error < least) {
      least = error;
      chosen = bandwidth;
    }
  }
  bandwidth_ = chosen;
}

Matrix TrialFunctions::of_place(const Rows& x, const Rows* a) const {
  const Rows here = x.array().rowwise() / x_sd_.transpose().array();
  Matrix out(x.rows(), encoded_.cols());
  const Matrix columns = logged_x_;  // contiguous coordinates
  Vector weight(columns.rows());
  for (Index i = 0; i < x.rows(); ++i) {
    weight.setZero();
    for (Index c = 0; c < columns.cols(); ++c) weight.array() += (columns.col(c).array() - here(i, c)).square();
    const Vector distance = weight;
    weight = (weight.array() * (-0.5 / (bandwidth_ * bandwidth_))).exp() + kFloor;
    if (a != nullptr)
      for (Index j = 0; j < weight.size(); ++j)
        if (distance[j] == 0.0 && logged_a_.row(j) == a->row(i)) {
          weight[j] = 0.0;
          break;
        }
    const double total = weight.sum();
    if (total > 0.0)
      out.row(i) = weight.transpose() * encoded_ / total;
    else
      out.row(i) = encoded_.colwise().mean();  // the only pair
  }
  return out;
}

Matrix TrialFunctions::place_values(const Rows& x, const Rows* a) const {
  return waves(of_place(x, a), place_frequency_) / std::sqrt(static_cast<double>(count()));
}

Matrix TrialFunctions::values(const Rows& x, const Rows* a) const {
  Matrix out(x.rows(), 2 * count());
  for (Index begin = 0; begin < x.rows(); begin += kRowsAtOnce) {
    stop_point();
    const Index rows = std::min(kRowsAtOnce, x.rows() - begin);
    const Rows here = x.middleRows(begin, rows);
    out.block(begin, 0, rows, 2 * frequency_.rows()) =
        waves(here, frequency_) / std::sqrt(static_cast<double>(count()));
    const Rows own = a != nullptr ? Rows(a->middleRows(begin, rows)) : Rows();
    out.block(begin, 2 * frequency_.rows(), rows, 2 * place_frequency_.rows()) =
        place_values(here, a != nullptr ? &own : nullptr);
  }
  return out;
}

Matrix TrialFunctions::waves_of_x(const Rows& points) const {
  return waves(points, frequency_) / std::sqrt(static_cast<double>(count()));
}

Matrix TrialFunctions::at(const LoggedPairs& some) const {
  return values(some.x().coordinates(), &some.a.coordinates());
}

Matrix TrialFunctions::gram(const LoggedPairs& some) const {
  const Matrix place = place_values(some.x().coordinates(), &some.a.coordinates());
  const double share = static_cast<double>(frequency_.rows()) / static_cast<double>(count());
  return share * of_x_.gram(some.x()) + place * place.transpose();
}

// Where laws have points of their own, those of few laws at a time: the values of all would not fit into memory.
Matrix TrialFunctions::average(const DiscreteLaws& laws) const {
  const Rows& support = laws.support->coordinates();
  if (laws.weight.nonZeros() > 2 * support.rows()) return laws.weight * values(support, nullptr);
  Matrix out = Matrix::Zero(laws.weight.rows(), 2 * count());
  for (Index begin = 0; begin < out.rows();) {
    std::vector<Index> point;
    std::vector<Eigen::Triplet<double, Index>> entries;
    const Index from = begin;
    for (; begin < out.rows() && (begin == from || static_cast<Index>(point.size()) < kRowsAtOnce); ++begin)
      for (SparseRows::InnerIterator it(laws.weight, begin); it; ++it) {
        entries.emplace_back(begin - from, static_cast<Index>(point.size()), it.value());
        point.push_back(it.col());
      }
    SparseRows weight(begin - from, static_cast<Index>(point.size()));
    weight.setFromTriplets(entries.begin(), entries.end());
    out.middleRows(from, begin - from) = weight * values(support(point, Eigen::all), nullptr);
  }
  return out;
}

Matrix TrialFunctions::average(const SpreadLaws& laws) const {
  constexpr double kQuarter = 1.5707963267948966;
  const Index n = laws.centre.rows(), waves_of_x = frequency_.rows();
  Matrix out(n, 2 * count());
  const double scale = 1.0 / std::sqrt(static_cast<double>(count()));
  out.leftCols(waves_of_x) = scale * expect_cosines(laws, frequency_, Vector::Zero(waves_of_x));
  out.middleCols(waves_of_x, waves_of_x) =
      scale * expect_cosines(laws, frequency_, Vector::Constant(waves_of_x, -kQuarter));
  const Rows cloud = normal_cloud(kCloud, laws.centre.cols());
  for (Index i = 0; i < n; ++i) {
    const Rows points = (cloud.array().rowwise() * laws.sd.row(i).array()).rowwise() + laws.centre.row(i).array();
    out.row(i).tail(2 * place_frequency_.rows()) = place_values(points, nullptr).colwise().mean();
  }
  return out;
}

Matrix TrialFunctions::average(const Laws& laws) const {
  Matrix out = Matrix::Zero(laws.size(), 2 * count());
  for (const auto& [share, kind] : laws.parts())
    if (const auto* discrete = std::get_if<DiscreteLaws>(&kind))
      out += share * average(*discrete);
    else
      out += share * average(std::get<SpreadLaws>(kind));
  return out;
}

}  // namespace iqbo
