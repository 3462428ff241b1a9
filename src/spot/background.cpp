#include "background.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "numerics/pivoted_cholesky.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kNone = -std::numeric_limits<double>::infinity();
constexpr double kConstant = 5.0;                      // sd of beta, in sds of the answers
constexpr double kNothing = 1e-14;                     // covariances below, in variances of the answers, are left out
constexpr double kApart = 1.4;                         // l_long / l_short is more
constexpr double kLargeStep = 0.4, kSmallStep = 0.14;  // of Metropolis moves, in sds of the prior
constexpr double kLeastNoise = 1e-12;                  // of s^2

Matrix correlations(const Vector& point, double lengthscale) {
  const Index n = point.size();
  Matrix out(n, n);
  // On a lattice a row of distances serves all.
  Vector at(n);
  for (Index i = 0; i < n; ++i) at[i] = std::exp(-0.5 * std::pow((point[i] - point[0]) / lengthscale, 2));
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) out(i, j) = at[std::abs(i - j)];
  return out;
}

std::shared_ptr<const SpotTerm> low_rank(const SpotGrid& grid, std::array<Matrix, 2> root, double sd) {
  auto out = std::make_shared<SpotTerm>();
  out->var = sd * sd;
  for (int c = 0; c < 2; ++c) {
    const auto at = static_cast<std::size_t>(c);
    out->averaged[at].noalias() = grid.laws(c) * root[at];
    out->xt[at].noalias() = root[at] * out->averaged[at].transpose();
    out->tt[at].noalias() = out->averaged[at] * out->averaged[at].transpose();
    out->diagonal[at] = root[at].rowwise().squaredNorm();
    out->largest[at] = out->xt[at].cwiseAbs().colwise().maxCoeff().transpose();
  }
  out->root = std::move(root);
  return out;
}

Vector bump(const Vector& point, double at, double width) {
  return point.size() == 1 ? Vector(Vector::Ones(1)) : Vector((-0.5 * ((point.array() - at) / width).square()).exp());
}

}  // namespace

SpotRows::SpotRows(const SpotData& data) {
  for (std::size_t c = 0; c < 2; ++c) {
    for (const GridQuery& each : data.query) rows_[c].push_back(each.row[c]);
    std::sort(rows_[c].begin(), rows_[c].end());
    rows_[c].erase(std::unique(rows_[c].begin(), rows_[c].end()), rows_[c].end());
    for (const GridQuery& each : data.query)
      place_[c].push_back(std::lower_bound(rows_[c].begin(), rows_[c].end(), each.row[c]) - rows_[c].begin());
  }
}

SpotPrior SpotPrior::of(const SpotGrid& grid, double s, Index t, std::optional<double> noise_var) {
  SpotPrior out;
  out.noise_var = noise_var;
  const double s2 = s * s;
  out.median.log << std::log(grid.side() * std::pow(static_cast<double>(std::max<Index>(t, 1)), -0.25)),
      std::log(2.0 * s2), std::log(0.5), std::log(0.1), std::log(0.01 * s2);
  out.sd << 1.5, 1.5, 0.5, 1.5, 2.5;
  return out;
}

double SpotPrior::log_density(const SpotTheta& theta) const {
  using T = SpotTheta;
  if (theta.log[T::kShortScale] > theta.log[T::kLongScale] - std::log(kApart)) return kNone;
  Eigen::Array<double, T::kCount, 1> deviate = theta.log - median.log;
  deviate[T::kShortVar] -= theta.log[T::kLongVar];  // its median is a share of the long one's
  if (noise_var) deviate[T::kNoise] = 0.0;
  return -0.5 * (deviate / sd).square().sum();
}

Vector SpotData::noise(double usual) const {
  return noise_given.array().isNaN().select(usual * noise_share.array(), noise_given.array());
}

std::shared_ptr<const SpotTerm> scale_term(const SpotGrid& grid, double lengthscale, double var) {
  auto out = std::make_shared<SpotTerm>();
  out->var = var;
  out->lengthscale = lengthscale;
  for (int c = 0; c < 2; ++c) {
    const auto at = static_cast<std::size_t>(c);
    const Matrix k = correlations(grid.points(c), lengthscale);
    const Matrix& laws = grid.laws(c);
    out->xt[at].resize(k.rows(), laws.rows());
    out->tt[at].resize(laws.rows(), laws.rows());
    for (Index j = 0; j < laws.rows(); ++j) {  // most windows cover a small part of the axis
      const auto [first, last] = grid.span(c, j);
      const Vector law = laws.row(j).segment(first, last - first + 1);
      out->xt[at].col(j).noalias() = k.middleCols(first, law.size()) * law;
      if (j > 0) out->tt[at].row(j).head(j).noalias() = law.transpose() * out->xt[at].block(first, 0, law.size(), j);
      out->tt[at](j, j) = law.dot(out->xt[at].col(j).segment(first, law.size()));
    }
    out->tt[at].triangularView<Eigen::StrictlyUpper>() = out->tt[at].transpose();
    out->diagonal[at] = Vector::Ones(grid.points(c).size());
    out->largest[at] = Vector::Ones(grid.laws(c).rows());
  }
  return out;
}

std::shared_ptr<const SpotTerm> bump_term(const SpotGrid& grid, const std::array<double, 2>& at, double width,
                                          double sd) {
  return low_rank(grid, {Matrix(bump(grid.points(0), at[0], width)), Matrix(bump(grid.points(1), at[1], width))}, sd);
}

std::shared_ptr<const SpotTerm> bumps_term(const SpotGrid& grid, const std::array<double, 2>& at, double step,
                                           double width, double sd) {
  std::array<Matrix, 2> root;
  for (int c = 0; c < 2; ++c) {
    const auto axis = static_cast<std::size_t>(c);
    const Vector& point = grid.points(c);
    const int reach = point.size() > 1 ? 2 : 0;
    root[axis].resize(point.size(), 2 * reach + 1);
    for (int i = -reach; i <= reach; ++i) root[axis].col(i + reach) = bump(point, at[axis] + i * step, width);
  }
  return low_rank(grid, std::move(root), sd);
}

std::shared_ptr<const SpotTerm> constant_term(const SpotGrid& grid, const SpotData& data) {
  return low_rank(grid,
                  {Matrix(Matrix::Ones(grid.points(0).size(), 1)), Matrix(Matrix::Ones(grid.points(1).size(), 1))},
                  kConstant * data.s);
}

SpotBackground::SpotBackground(const SpotGrid& grid, const SpotTheta& theta, const SpotData& data, SpotTerms more)
    : grid_(grid), theta_(theta), data_(data), terms_(std::move(more)) {
  using T = SpotTheta;
  terms_.push_back(scale_term(grid, theta.value(T::kLongScale), theta.value(T::kLongVar)));
  terms_.push_back(scale_term(grid, theta.value(T::kShortScale), theta.value(T::kShortVar)));
  const Index t = data.size();
  Matrix s = Matrix::Zero(t, t);
  for (const auto& term : terms_)
    for (Index j = 0; j < t; ++j) {
      const auto& b = data.query[static_cast<std::size_t>(j)].row;
      const auto first = term->tt[0].col(b[0]), second = term->tt[1].col(b[1]);
      for (Index i = j; i < t; ++i) {
        const auto& a = data.query[static_cast<std::size_t>(i)].row;
        s(i, j) += term->var * first[a[0]] * second[a[1]];
      }
    }
  s.diagonal() += data.noise(noise_var()).cwiseMax(kLeastNoise * data.s * data.s);
  if (!s.allFinite()) return;
  try {
    factor_ = Cholesky(s);
  } catch (const NotPositiveDefinite&) {
    return;
  }
  valid_ = true;
  white_ = data.z;
  factor_.solve_lower_in_place(white_);
}

double SpotBackground::log_evidence() const {
  if (!valid_) return kNone;
  return -0.5 * (white_.squaredNorm() + factor_.log_determinant() +
                 static_cast<double>(data_.size()) * std::log(2.0 * std::numbers::pi));
}

Matrix SpotBackground::cov(const std::vector<GridQuery>& a) const {
  Matrix out = Matrix::Zero(data_.size(), static_cast<Index>(a.size()));
  for (const auto& term : terms_)
    for (Index j = 0; j < out.cols(); ++j) {
      const auto& q = a[static_cast<std::size_t>(j)].row;
      const auto first = term->tt[0].col(q[0]), second = term->tt[1].col(q[1]);
      for (Index i = 0; i < out.rows(); ++i) {
        const auto& p = data_.query[static_cast<std::size_t>(i)].row;
        out(i, j) += term->var * first[p[0]] * second[p[1]];
      }
    }
  return out;
}

Matrix SpotBackground::cross(const std::vector<GridCell>& x, const std::vector<GridQuery>& a) const {
  Matrix out = Matrix::Zero(static_cast<Index>(x.size()), static_cast<Index>(a.size()));
  for (const auto& term : terms_)
    for (Index j = 0; j < out.cols(); ++j) {
      const auto& q = a[static_cast<std::size_t>(j)].row;
      if (term->var * term->largest[0][q[0]] * term->largest[1][q[1]] < kNothing * data_.s * data_.s) continue;
      const auto first = term->xt[0].col(q[0]), second = term->xt[1].col(q[1]);
      for (Index i = 0; i < out.rows(); ++i) {
        const GridCell& cell = x[static_cast<std::size_t>(i)];
        out(i, j) += term->var * first[cell[0]] * second[cell[1]];
      }
    }
  return out;
}

Vector SpotBackground::var(const std::vector<GridQuery>& a) const {
  Vector out = Vector::Zero(static_cast<Index>(a.size()));
  for (const auto& term : terms_)
    for (Index j = 0; j < out.size(); ++j) {
      const auto& q = a[static_cast<std::size_t>(j)].row;
      out[j] += term->var * term->tt[0](q[0], q[0]) * term->tt[1](q[1], q[1]);
    }
  return out;
}

Vector SpotBackground::var(const std::vector<GridCell>& x) const {
  Vector out = Vector::Zero(static_cast<Index>(x.size()));
  for (const auto& term : terms_)
    for (Index i = 0; i < out.size(); ++i) {
      const GridCell& cell = x[static_cast<std::size_t>(i)];
      out[i] += term->var * term->diagonal[0][cell[0]] * term->diagonal[1][cell[1]];
    }
  return out;
}

// Summed over equal rows first: sum_i alpha_i k0(., p_i) k1(., q_i)' = xt0 A xt1', A(p, q) the sum of their alphas, of the
// few rows that answers have.
Matrix SpotBackground::field(const Vector& alpha) const {
  const SpotRows used(data_);
  Matrix sum = Matrix::Zero(used.count(0), used.count(1));
  for (Index i = 0; i < alpha.size(); ++i) sum(used.place(0, i), used.place(1, i)) += alpha[i];
  Matrix out = Matrix::Zero(grid_.points(0).size(), grid_.points(1).size());
  for (const auto& term : terms_) {
    if (term->root[0].size() > 0) {
      const Matrix inner = used.of(0, term->averaged[0]).transpose() * sum * used.of(1, term->averaged[1]);
      out.noalias() += term->var * (term->root[0] * inner).eval() * term->root[1].transpose();
    } else {
      const Matrix left = term->xt[0](Eigen::all, used.rows(0)) * (term->var * sum);
      out.noalias() += left * Matrix(term->xt[1](Eigen::all, used.rows(1))).transpose();
    }
  }
  return out;
}

Matrix SpotBackground::mean() const {
  Vector alpha = white_;
  factor_.solve_upper_in_place(alpha);
  return field(alpha);
}

SpotPaths::SpotPaths(const SpotBackground& background) : background_(background), used_(background.data()) {
  constexpr double kLeft = 1e-9;  // of a variance: smooth fields have far fewer features than points
  for (const auto& term : background.terms()) {
    std::array<Matrix, 2> root = term->root;
    for (std::size_t c = 0; c < 2 && term->root[0].size() == 0; ++c) {
      const DenseCovariance k(correlations(background.grid().points(static_cast<int>(c)), term->lengthscale));
      const Index n = background.grid().points(static_cast<int>(c)).size();
      root[c] = pivoted_cholesky(k, kLeft, n, n).factor;
    }
    averaged_.push_back(
        {used_.of(0, background.grid().laws(0)) * root[0], used_.of(1, background.grid().laws(1)) * root[1]});
    roots_.push_back(std::move(root));
  }
}

Matrix SpotPaths::draw(const Vector& z, Rng& rng) const {
  const SpotGrid& grid = background_.grid();
  const SpotData& data = background_.data();
  Matrix f = Matrix::Zero(grid.points(0).size(), grid.points(1).size());
  Matrix averaged = Matrix::Zero(used_.count(0), used_.count(1));
  for (std::size_t r = 0; r < roots_.size(); ++r) {
    const auto& [first, second] = roots_[r];
    const Matrix normal = std::sqrt(background_.terms()[r]->var) *
                          rng.normals(first.cols() * second.cols()).reshaped(first.cols(), second.cols());
    f.noalias() += (first * normal).eval() * second.transpose();
    averaged.noalias() += (averaged_[r][0] * normal).eval() * averaged_[r][1].transpose();
  }
  const Vector sd = data.noise(background_.noise_var()).cwiseSqrt();
  Vector residual(z.size());
  for (Index i = 0; i < z.size(); ++i) {
    residual[i] = z[i] - averaged(used_.place(0, i), used_.place(1, i)) - sd[i] * rng.normal();
  }
  background_.factor().solve_lower_in_place(residual);
  background_.factor().solve_upper_in_place(residual);
  return f + background_.field(residual);
}

namespace {

// The evidence under many sets of hyperparameters. A lengthscale enters through correlations at distances of lattice points
// alone, so that what counts of two rows of an axis is how much weight they give to each distance.
class Evidence {
 public:
  Evidence(const SpotGrid& grid, const SpotData& data, const SpotTerms& more) : data_(data) {
    const Index t = data.size();
    fixed_ = Matrix::Zero(t, t);
    for (const auto& term : more) add(term->var, term->tt, fixed_, [&](Index i) { return row(i); });
    for (std::size_t c = 0; c < 2; ++c) {
      std::vector<Index> used;
      for (Index i = 0; i < t; ++i) {
        const Index law = row(i)[c];
        const auto at = std::find(used.begin(), used.end(), law);
        place_.at(c).push_back(at - used.begin());
        if (at == used.end()) used.push_back(law);
      }
      tabulate(grid.points(static_cast<int>(c)), grid.laws(static_cast<int>(c))(used, Eigen::all), axes_.at(c));
    }
  }

  // As SpotBackground has it.
  double log_evidence(const SpotTheta& theta) const {
    using T = SpotTheta;
    Matrix s = fixed_;
    add_scale(theta.value(T::kLongScale), theta.value(T::kLongVar), s);
    add_scale(theta.value(T::kShortScale), theta.value(T::kShortVar), s);
    s.diagonal() += data_.noise(theta.value(T::kNoise)).cwiseMax(kLeastNoise * data_.s * data_.s);
    if (!s.allFinite()) return kNone;
    try {
      const Cholesky factor(s);
      Vector white = data_.z;
      factor.solve_lower_in_place(white);
      return -0.5 * (white.squaredNorm() + factor.log_determinant() +
                     static_cast<double>(data_.size()) * std::log(2.0 * std::numbers::pi));
    } catch (const NotPositiveDefinite&) {
      return kNone;
    }
  }

 private:
  struct Axis {
    Vector distance;
    Matrix share;  // pairs of rows, column by column of the lower triangle, x distances
    Index rows = 0;
  };

  const std::array<Index, 2>& row(Index i) const { return data_.query[static_cast<std::size_t>(i)].row; }

  static void tabulate(const Vector& point, const Matrix& law, Axis& out) {
    const Index n = point.size();
    out.rows = law.rows();
    out.distance = point.array() - point[0];
    out.share = Matrix::Zero(out.rows * (out.rows + 1) / 2, n);
    Index pair = 0;
    for (Index j = 0; j < out.rows; ++j)
      for (Index i = j; i < out.rows; ++i, ++pair)
        for (Index u = 0; u < n; ++u) {
          if (law(i, u) == 0.0) continue;
          for (Index v = 0; v < n; ++v)
            if (law(j, v) != 0.0) out.share(pair, std::abs(u - v)) += law(i, u) * law(j, v);
        }
  }

  // s += var * (entries of both axes), in the lower triangle; where(i): the row of each axis.
  template <class Where>
  void add(double var, const std::array<Matrix, 2>& tt, Matrix& s, const Where& where) const {
    for (Index j = 0; j < s.cols(); ++j)
      for (Index i = j; i < s.rows(); ++i)
        s(i, j) += var * tt[0](where(i)[0], where(j)[0]) * tt[1](where(i)[1], where(j)[1]);
  }

  void add_scale(double lengthscale, double var, Matrix& s) const {
    std::array<Matrix, 2> tt;
    for (std::size_t c = 0; c < 2; ++c) {
      const Axis& axis = axes_.at(c);
      const Vector value = axis.share * Vector((-0.5 * (axis.distance / lengthscale).array().square()).exp());
      tt.at(c).resize(axis.rows, axis.rows);
      Index pair = 0;
      for (Index j = 0; j < axis.rows; ++j)
        for (Index i = j; i < axis.rows; ++i) tt.at(c)(i, j) = tt.at(c)(j, i) = value[pair++];
    }
    add(var, tt, s, [this](Index i) {
      const auto at = static_cast<std::size_t>(i);
      return std::array<Index, 2>{place_[0][at], place_[1][at]};
    });
  }

  const SpotData& data_;
  Matrix fixed_;
  std::array<Axis, 2> axes_;
  std::array<std::vector<Index>, 2> place_;  // of each answer, among the rows that are used
};

}  // namespace

SpotTheta moved(SpotTheta theta, const SpotGrid& grid, const SpotPrior& prior, const SpotData& data,
                const SpotTerms& more, int moves, Rng& rng) {
  using T = SpotTheta;
  const Evidence evidence(grid, data, more);
  const auto density = [&](const SpotTheta& at) {
    const double before = prior.log_density(at);
    return std::isinf(before) ? before : before + evidence.log_evidence(at);
  };
  if (prior.noise_var) theta.log[T::kNoise] = std::log(*prior.noise_var);
  double at = density(theta);
  for (int i = 0; i < moves; ++i) {
    SpotTheta next = theta;
    const double step = i % 2 == 0 ? kLargeStep : kSmallStep;
    for (Index k = 0; k < T::kCount; ++k) next.log[k] += step * std::min(prior.sd[k], 1.5) * rng.normal();
    next.log[T::kShortVar] += next.log[T::kLongVar] - theta.log[T::kLongVar];  // the share moves by itself
    if (prior.noise_var) next.log[T::kNoise] = theta.log[T::kNoise];
    const double there = density(next);
    const double u = rng.uniform();
    if (std::isfinite(there) && (!std::isfinite(at) || std::log(u) < there - at)) {
      theta = next;
      at = there;
    }
  }
  return theta;
}

}  // namespace iqbo
