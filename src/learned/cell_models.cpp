#include "cell_models.hpp"

#include <algorithm>
#include <utility>

#include "iqbo/core/stop.hpp"
#include "leave_one_out.hpp"
#include "moving.hpp"
#include "numerics/cholesky.hpp"
#include "ridge_grid.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kLeastRidge = 1e-10;  // ridge / n_k at least, for the factorisation
constexpr Index kCosinesUsed = 64;     // of the trial functions, when settings are chosen
constexpr Index kCosinesForWeights = 16;

Cholesky ridge_factor(const PairCells& cells, Matrix gram, double ridge) {
  gram.diagonal().array() += (ridge / cells.size.array()).max(kLeastRidge);
  return Cholesky(gram);
}

Matrix solved(const Cholesky& factor, Matrix right) {
  factor.solve_lower_in_place(right);
  factor.solve_upper_in_place(right);
  return right;
}

// Every so-manieth column, so that all lengthscales are among them.
Matrix some_columns(const Matrix& all, Index count) {
  if (all.cols() <= count) return all;
  std::vector<Index> columns;
  for (Index i = 0; i < count; ++i) columns.push_back(i * all.cols() / count);
  return all(Eigen::all, columns);
}

// Values of cells, and those to be predicted. If these are of other pairs of the same cells, a cell may be predicted by itself;
// else each is left out in turn.
struct Task {
  Matrix known, wanted;
  bool others;
};

// Scales and ridge with the least error, sum_k n_k |wanted_k - prediction|^2.
RidgeSettings choose_cell_ridge(const PairCells& cells, const Task& task, double intercept) {
  const Vector root = cells.size.array().sqrt();
  const Rows scaled = root.asDiagonal() * task.known;
  return search_ridge(*cells.encoding, [&](const Vector& scale) {
    const Matrix logged = cells.encoding->encoded(cells.a, scale);
    Matrix gram = similarity(logged, logged).array() + intercept;
    if (task.others)
      return best_ridge([&](double ridge) {
        // L A^-1 y = y - (A - L) A^-1 y, with A - L = ridge diag(1/n)
        const Vector per_cell = (ridge / cells.size.array()).max(kLeastRidge);
        const Matrix shrunk = per_cell.asDiagonal() * solved(ridge_factor(cells, gram, ridge), task.known);
        return (root.asDiagonal() * (task.wanted - task.known + shrunk)).squaredNorm();
      });
    // With D = diag(n): A = L + ridge D^-1 = D^-1/2 (D^1/2 L D^1/2 + ridge) D^-1/2, one decomposition for all ridges.
    gram = root.asDiagonal() * gram * root.asDiagonal();
    const RidgeLeaveOneOut left_out(gram);
    return best_ridge([&](double ridge) { return left_out.residuals(ridge, scaled).squaredNorm(); });
  });
}

Matrix weights_between(const Matrix& a, const Matrix& logged, const Vector& size) {
  Matrix w = (similarity(a, logged).array() + kWeightFloor).rowwise() * size.transpose().array();
  return w;
}

// The bandwidth with the least loss; `loss` is given the weights with which each cell is predicted, by the others or also by
// itself. The plain bootstrap stays unless something beats it.
Vector choose_cell_bandwidth(const PairCells& cells, bool by_itself, const std::function<double(const Matrix&)>& loss) {
  const auto score = [&](const Vector& bandwidth) {
    stop_point();
    const Matrix logged = cells.encoding->encoded(cells.a, bandwidth);
    Matrix w = weights_between(logged, logged, cells.size);
    if (!by_itself) w.diagonal().setZero();
    normalise_rows(w);
    return loss(w);
  };
  const Vector plain = Vector::Constant(cells.encoding->groups(), kBootstrap);
  const Vector found =
      exp2_of(search_scales(cells.encoding->groups(), [&](const Vector& log2) { return score(exp2_of(log2)); }));
  return score(found) < score(plain) ? found : plain;
}

Vector choose_for_values(const PairCells& cells, const Task& task) {
  return choose_cell_bandwidth(cells, task.others, [&](const Matrix& w) {
    return (cells.size.array() * (w * task.known - task.wanted).rowwise().squaredNorm().array()).sum();
  });
}

class CellWeights {
 public:
  CellWeights(const PairCells& cells, const Vector& bandwidth)
      : encoding_(cells.encoding),
        bandwidth_(bandwidth),
        logged_(encoding_->encoded(cells.a, bandwidth)),
        size_(cells.size) {}
  Matrix operator()(const Queries& a) const {
    Matrix w = weights_between(encoding_->encoded(a, bandwidth_), logged_, size_);
    normalise_rows(w);
    return w;
  }

 private:
  std::shared_ptr<const QueryEncoding> encoding_;
  Vector bandwidth_;
  Matrix logged_;
  Vector size_;
};

class CellNw final : public LearnedModel {
 public:
  CellNw(const PairCells& cells, const Vector& bandwidth)
      : bins_(cells.bins), share_(cells.share), weights_(cells, bandwidth) {}
  Laws laws(const Queries& a) const override { return DiscreteLaws{bins_, Matrix(weights_(a) * share_).sparseView()}; }

 private:
  std::shared_ptr<const Inputs> bins_;
  SparseRows share_;
  CellWeights weights_;
};

class CellCme final : public LearnedModel {
 public:
  CellCme(const PairCells& cells, const RidgeSettings& settings, bool exact_constant)
      : bins_(cells.bins),
        exact_constant_(exact_constant),
        encoding_(cells.encoding),
        scale_(settings.scale),
        logged_(encoding_->encoded(cells.a, scale_)),
        weight_(solved(ridge_factor(cells, similarity(logged_, logged_), settings.ridge), Matrix(cells.share))) {}
  Laws laws(const Queries& a) const override {
    return DiscreteLaws{bins_, Matrix(here(a) * weight_).sparseView(), false, exact_constant_};
  }
  std::optional<Matrix> average(const Queries& a, const Matrix& values) const override {
    constexpr Index kQueriesAtOnce = 256;
    if (a.size() <= values.cols()) return std::nullopt;
    const Matrix of_cells = weight_ * values;
    Matrix out(a.size(), values.cols());
    for (Index begin = 0; begin < a.size(); begin += kQueriesAtOnce) {
      const Index count = std::min(kQueriesAtOnce, a.size() - begin);
      out.middleRows(begin, count).noalias() = here(a.slice(begin, count)) * of_cells;
    }
    return out;
  }

 private:
  Matrix here(const Queries& a) const { return similarity(encoding_->encoded(a, scale_), logged_); }

  std::shared_ptr<const Inputs> bins_;
  bool exact_constant_;
  std::shared_ptr<const QueryEncoding> encoding_;
  Vector scale_;
  Matrix logged_;
  Matrix weight_;  // cells x bins
};

class CellPlugIn final : public LearnedModel {
 public:
  CellPlugIn(const PairCells& cells, CellMean mean, const Vector& bandwidth, const CellResiduals& residuals)
      : mean_(std::move(mean)), weights_(cells, bandwidth), squares_(residuals.square) {}
  Laws laws(const Queries& a) const override {
    const Rows sd = (weights_(a) * squares_).array().sqrt();
    return SpreadLaws{mean_(a), sd, Rows::Zero(sd.rows(), sd.cols())};
  }

 private:
  CellMean mean_;
  CellWeights weights_;
  Matrix squares_;
};

class CellShift final : public LearnedModel {
 public:
  CellShift(const PairCells& cells, CellMean mean, const Vector& bandwidth, const CellResiduals& residuals,
            InputDomain domain)
      : mean_(std::move(mean)),
        weights_(cells, bandwidth),
        centre_(residuals.centre),
        share_(residuals.share),
        moving_(std::move(domain)) {}
  Laws laws(const Queries& a) const override {
    const Rows mu = mean_(a);
    const Index m = centre_.rows();
    Rows points(a.size() * m, mu.cols());
    for (Index i = 0; i < a.size(); ++i) points.middleRows(i * m, m) = centre_.rowwise() + mu.row(i);
    return moving_.laws(std::move(points), weights_(a) * share_);
  }

 private:
  CellMean mean_;
  CellWeights weights_;
  Rows centre_;
  Matrix share_;
  Moving moving_;
};

// x - mu^ of every pair, column by column.
Matrix all_residuals(const BinnedPairs& pairs, const PairCells& cells, const CellMean& mean) {
  const auto [value, slope] = mean.at_cells();
  const Vector ones = Vector::Ones(cells.encoding->groups());
  const Matrix centre = cells.encoding->encoded(cells.a, ones);
  const Matrix here = cells.encoding->encoded(*pairs.a, ones);
  const Index d = pairs.x->dimension(), n = pairs.x->size();
  Matrix out(n, d);
  for (Index i = 0; i < n; ++i) {
    const Index k = pairs.cell.cell[static_cast<std::size_t>(i)];
    for (Index c = 0; c < d; ++c) {
      double mu = value(k, c);
      for (Index w = 0; w < here.cols(); ++w) mu += slope(k, w * d + c) * (here(i, w) - centre(k, w));
      out(i, c) = pairs.x->coordinates()(i, c) - mu;
    }
  }
  return out;
}

// Clusters at their means, moved apart until their variance is that of the points.
Rows centres_of(const Matrix& residual, const Division& clusters) {
  const auto n = static_cast<double>(residual.rows());
  Rows out = Rows::Zero(clusters.count, residual.cols());
  Vector size = Vector::Zero(clusters.count);
  for (Index i = 0; i < residual.rows(); ++i) {
    out.row(clusters.cell[static_cast<std::size_t>(i)]) += residual.row(i);
    size[clusters.cell[static_cast<std::size_t>(i)]] += 1.0;
  }
  for (Index m = 0; m < clusters.count; ++m) out.row(m) /= size[m];
  const Eigen::RowVectorXd middle = residual.colwise().mean();
  for (Index c = 0; c < residual.cols(); ++c) {
    const double all = (residual.col(c).array() - middle[c]).square().sum() / n;
    const double between = (size.array() * (out.col(c).array() - middle[c]).square()).sum() / n;
    if (between > 0.0) out.col(c) = (out.col(c).array() - middle[c]) * std::sqrt(all / between) + middle[c];
  }
  return out;
}

}  // namespace

CellMean::CellMean(const PairCells& cells, const RidgeSettings& settings)
    : encoding_(cells.encoding), scale_(settings.scale), logged_(encoding_->encoded(cells.a, scale_)) {
  unit_ = encoding_->per_coordinate(scale_);
  Matrix gram = similarity(logged_, logged_).array() + kIntercept;
  weight_ = solved(ridge_factor(cells, std::move(gram), settings.ridge), cells.x);
}

Rows CellMean::operator()(const Queries& a) const {
  const Matrix here = encoding_->encoded(a, scale_);
  const Eigen::RowVectorXd intercept = kIntercept * weight_.colwise().sum();
  Rows out(a.size(), weight_.cols());
  for (Index i = 0; i < a.size(); ++i) out.row(i) = similarity(logged_, here.row(i)).transpose() * weight_ + intercept;
  return out;
}

CellMean::Linear CellMean::at_cells() const {
  const Matrix gram = similarity(logged_, logged_);
  const Index d = weight_.cols();
  Linear out{(gram * weight_).rowwise() + (kIntercept * weight_.colwise().sum()),
             Rows(gram.rows(), d * logged_.cols())};
  for (Index w = 0; w < logged_.cols(); ++w) {
    // d/da_w exp(-|a - b|^2 / 2) = (b_w - a_w) exp(...)
    const Matrix moved = gram * (logged_.col(w).asDiagonal() * weight_);
    const Matrix own = logged_.col(w).asDiagonal() * (gram * weight_);
    out.slope.middleCols(w * d, d) = (moved - own) / unit_[w];
  }
  return out;
}

CellResiduals residuals_of(const BinnedPairs& pairs, const PairCells& cells, const CellMean& mean,
                           const TrialFunctions& functions, Index clusters, const LeftOut& left_out) {
  const Matrix residual = all_residuals(pairs, cells, mean);
  const Index n = residual.rows(), d = residual.cols();
  const Division division = divided(residual.array().rowwise() / cells.x_sd.transpose().array(), clusters);
  CellResiduals out{
      centres_of(residual, division), Matrix::Zero(cells.count(), division.count), Rows::Zero(cells.count(), d), {}};
  for (Index i = 0; i < n; ++i) {
    if (i % left_out.folds == left_out.without) continue;
    const Index k = pairs.cell.cell[static_cast<std::size_t>(i)];
    out.share(k, division.cell[static_cast<std::size_t>(i)]) += 1.0;
    out.square.row(k) += residual.row(i).array().square().matrix();
  }
  const Vector counted = out.share.rowwise().sum().cwiseMax(1.0);
  out.share.array().colwise() /= counted.array();
  out.square.array().colwise() /= counted.array();
  out.waves = out.share * some_columns(functions.waves_of_x(out.centre), kCosinesUsed);
  return out;
}

ModelSettings choose_cell_settings(const ChoiceTables& tables, const std::vector<LearnedKind>& kinds,
                                   const TrialFunctions& functions, Index shift_points) {
  const PairCells& coarse = tables.coarse;
  const bool others = tables.others.has_value();
  ModelSettings out{};
  out.shift_points = shift_points;
  const auto averages = [&](const PairCells& cells, Index columns) {
    return some_columns(functions.average(Laws(DiscreteLaws{cells.bins, cells.share})), columns);
  };
  const auto averages_task = [&](const PairCells& cells, Index columns) {
    const Matrix known = averages(cells, columns);
    return Task{known, others ? averages(*tables.others, columns) : known, others};
  };
  const auto in_sd = [&](const Rows& x) { return Matrix(x.array().rowwise() / coarse.x_sd.transpose().array()); };
  if (is_among(kinds, LearnedKind::kShift) || is_among(kinds, LearnedKind::kPlugIn)) {
    const Matrix x = in_sd(coarse.x);
    out.mean = choose_cell_ridge(coarse, {x, others ? in_sd(tables.others->x) : x, others}, kIntercept);
    const CellMean mean(coarse, out.mean);
    const auto residuals = [&](const LeftOut& left_out) {
      return residuals_of(tables.pairs, coarse, mean, functions, shift_points, left_out);
    };
    const CellResiduals known = residuals(others ? LeftOut{1, 2} : LeftOut());
    const CellResiduals wanted = others ? residuals({0, 2}) : known;
    out.shift_bandwidth = choose_for_values(coarse, {known.waves, wanted.waves, others});
    out.spread_bandwidth = choose_cell_bandwidth(coarse, others, [&](const Matrix& w) {
      const Eigen::ArrayXXd var = (w * known.square).array().max(1e-300);
      return ((var.log() + wanted.square.array() / var).colwise() * coarse.size.array()).sum();
    });
  }
  if (is_among(kinds, LearnedKind::kNw)) {
    const PairCells& cells = others ? coarse : tables.fine;
    out.nw_bandwidth = choose_for_values(cells, averages_task(cells, kCosinesForWeights));
  }
  if (is_among(kinds, LearnedKind::kCme)) out.cme = choose_cell_ridge(coarse, averages_task(coarse, kCosinesUsed), 0.0);
  return out;
}

std::unique_ptr<const LearnedModel> train_cells(LearnedKind kind, const PairCells& cells, const ModelSettings& settings,
                                                const InputDomain& domain, const CellResiduals* residuals) {
  stop_point();
  switch (kind) {
    case LearnedKind::kNw:
      return std::make_unique<CellNw>(cells, settings.nw_bandwidth);
    case LearnedKind::kCme:
      return std::make_unique<CellCme>(cells, settings.cme, settings.exact_constant);
    case LearnedKind::kPlugIn:
      return std::make_unique<CellPlugIn>(cells, CellMean(cells, settings.mean), settings.spread_bandwidth, *residuals);
    default:
      return std::make_unique<CellShift>(cells, CellMean(cells, settings.mean), settings.shift_bandwidth, *residuals,
                                         domain);
  }
}

}  // namespace iqbo
