#include "models.hpp"

#include <algorithm>

#include "iqbo/core/stop.hpp"
#include "leave_one_out.hpp"
#include "moving.hpp"
#include "normal_cloud.hpp"
#include "numerics/cholesky.hpp"
#include "ridge_grid.hpp"
#include "thinning.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr Index kCmePairs = 200;  // lengthscales and ridge of the embedding are chosen on at most this many pairs

class Nw final : public LearnedModel {
 public:
  Nw(const LoggedPairs& pairs, const Vector& bandwidth) : support_(pairs.logged_x), weights_(pairs, bandwidth) {}
  Laws laws(const Queries& a) const override { return DiscreteLaws{support_, weights_(a).sparseView()}; }

 private:
  std::shared_ptr<const Inputs> support_;
  LocalWeights weights_;
};

class Cme final : public LearnedModel {
 public:
  Cme(const LoggedPairs& pairs, const RidgeSettings& settings, bool exact_constant)
      : support_(pairs.logged_x),
        exact_constant_(exact_constant),
        encoding_(pairs.encoding),
        scale_(settings.scale),
        logged_(encoding_->encoded(pairs.a, scale_)) {
    Matrix a = similarity(logged_, logged_);
    a.diagonal().array() += settings.ridge;
    factor_ = Cholesky(a);
  }
  Laws laws(const Queries& a) const override {
    Matrix weight = similarity(logged_, encoding_->encoded(a, scale_));
    factor_.solve_lower_in_place(weight);
    factor_.solve_upper_in_place(weight);
    return DiscreteLaws{support_, weight.transpose().sparseView(), false, exact_constant_};
  }

  // l(a)' ((L + ridge)^-1 h): one solve per function instead of one per query.
  std::optional<Matrix> average(const Queries& a, const Matrix& values) const override {
    constexpr Index kQueriesAtOnce = 256;
    if (a.size() <= values.cols()) return std::nullopt;
    Matrix solved = values;
    factor_.solve_lower_in_place(solved);
    factor_.solve_upper_in_place(solved);
    Matrix out(a.size(), values.cols());
    for (Index begin = 0; begin < a.size(); begin += kQueriesAtOnce) {
      const Index count = std::min(kQueriesAtOnce, a.size() - begin);
      out.middleRows(begin, count).noalias() =
          similarity(encoding_->encoded(a.slice(begin, count), scale_), logged_) * solved;
    }
    return out;
  }

 private:
  std::shared_ptr<const Inputs> support_;
  bool exact_constant_;
  std::shared_ptr<const QueryEncoding> encoding_;
  Vector scale_;
  Matrix logged_;
  Cholesky factor_;
};

class PlugIn final : public LearnedModel {
 public:
  PlugIn(const LoggedPairs& pairs, std::shared_ptr<const RidgeMean> mean, const Vector& bandwidth)
      : mean_(std::move(mean)), weights_(pairs, bandwidth), squares_(mean_->leave_one_out().array().square()) {}
  Laws laws(const Queries& a) const override {
    const Rows sd = (weights_(a) * squares_).array().sqrt();
    return SpreadLaws{(*mean_)(a), sd, Rows::Zero(sd.rows(), sd.cols())};
  }

 private:
  std::shared_ptr<const RidgeMean> mean_;
  LocalWeights weights_;
  Matrix squares_;
};

// Clustered residuals: each cluster lies at the mean of its members and has their total weight.
class Shift final : public LearnedModel {
 public:
  Shift(const LoggedPairs& pairs, std::shared_ptr<const RidgeMean> mean, const Vector& bandwidth, Index points,
        InputDomain domain)
      : mean_(std::move(mean)),
        weights_(pairs, bandwidth),
        clusters_(thinned(mean_->leave_one_out(), pairs.x_sd, points)),
        moving_(std::move(domain)) {}

  Laws laws(const Queries& a) const override {
    const Rows mu = (*mean_)(a);
    const Index m = clusters_.centre.rows();
    Rows points(a.size() * m, mu.cols());
    for (Index i = 0; i < a.size(); ++i) points.middleRows(i * m, m) = clusters_.centre.rowwise() + mu.row(i);
    return moving_.laws(std::move(points), weights_(a) * clusters_.member);
  }

 private:
  std::shared_ptr<const RidgeMean> mean_;
  LocalWeights weights_;
  Clusters clusters_;
  Moving moving_;
};

// kPlugIn as points with equal weights, which mix with other points.
class PlugInPoints final : public LearnedModel {
 public:
  PlugInPoints(std::unique_ptr<const LearnedModel> plug_in, Index dimension, InputDomain domain)
      : plug_in_(std::move(plug_in)), cloud_(normal_cloud(kPlugInPoints, dimension)), moving_(std::move(domain)) {}

  Laws laws(const Queries& a) const override {
    const Laws normal = plug_in_->laws(a);
    const auto& [centre, sd, half_width] = std::get<SpreadLaws>(normal.parts().front().kind);
    Rows points(a.size() * cloud_.rows(), centre.cols());
    for (Index i = 0; i < a.size(); ++i)
      points.middleRows(i * cloud_.rows(), cloud_.rows()) =
          (cloud_.array().rowwise() * sd.row(i).array()).rowwise() + centre.row(i).array();
    return moving_.laws(std::move(points),
                        Matrix::Constant(a.size(), cloud_.rows(), 1.0 / static_cast<double>(cloud_.rows())));
  }

 private:
  static constexpr Index kPlugInPoints = 64;

  std::unique_ptr<const LearnedModel> plug_in_;
  Rows cloud_;
  Moving moving_;
};

// A model that puts its weight on the logged x, which are replaced by clusters of them.
class Clustered final : public LearnedModel {
 public:
  Clustered(std::unique_ptr<const LearnedModel> model, const LoggedPairs& pairs) : model_(std::move(model)) {
    const Rows x = pairs.scaled_x();
    const Matrix a = pairs.encoding->encoded(pairs.a, Vector::Ones(pairs.encoding->groups()));
    Rows both(x.rows(), x.cols() + a.cols());
    both << x, a;
    member_ = thinned(both, Vector::Ones(both.cols()), kMixedPoints).member;
    const Vector size = (member_.transpose() * Vector::Ones(x.rows())).cwiseMax(1.0);
    points_ = std::make_shared<const Inputs>(
        Rows(size.cwiseInverse().asDiagonal() * (member_.transpose() * pairs.x().coordinates())));
  }

  std::shared_ptr<const Inputs> points() const { return points_; }
  Laws laws(const Queries& a) const override {
    const Laws all = model_->laws(a);
    const auto& [support, weight, of_density, exact_constant] = std::get<DiscreteLaws>(all.parts().front().kind);
    return DiscreteLaws{points_, weight * member_, of_density, exact_constant};
  }
  std::optional<Matrix> average(const Queries& a, const Matrix& values) const override {
    return model_->average(a, member_ * values);
  }

 private:
  std::unique_ptr<const LearnedModel> model_;
  SparseRows member_;  // logged x by clusters
  std::shared_ptr<const Inputs> points_;
};

// Uses the exact leave-one-out loss of the embedding for every scale and ridge that is not given.
RidgeSettings choose_cme(const LoggedPairs& all, const TrialFunctions& functions, const LearnedOptions& options) {
  const auto given = [&](const LoggedPairs& of) { return *options.lambda * static_cast<double>(of.size()); };
  const bool knows_scale = !options.lengthscales.empty();
  if (knows_scale && options.lambda) return {all.encoding->scales(options.lengthscales), given(all)};
  const LoggedPairs pairs = all.subset(some_rows(all.size(), kCmePairs));
  const Matrix gram_x = options.yardstick != nullptr ? options.yardstick->gram(pairs.x()) : functions.gram(pairs);
  const auto best_for = [&](const Vector& scale) {
    const Matrix logged = pairs.encoding->encoded(pairs.a, scale);
    const RidgeLeaveOneOut left_out(similarity(logged, logged));
    const auto loss = [&](double ridge) { return left_out.embedding_losses(ridge, gram_x).sum(); };
    return options.lambda ? Scored{given(pairs), loss(given(pairs))} : best_ridge(loss);
  };
  if (knows_scale) {
    const Vector scale = all.encoding->scales(options.lengthscales);
    return {scale, best_for(scale).ridge};
  }
  RidgeSettings out = search_ridge(*pairs.encoding, best_for);
  if (options.lambda) out.ridge = given(all);
  return out;
}

}  // namespace

bool is_among(const std::vector<LearnedKind>& kinds, LearnedKind kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

ModelSettings choose_settings(const LoggedPairs& pairs, const std::vector<LearnedKind>& kinds,
                              const TrialFunctions& functions, const LearnedOptions& options,
                              const LoggedPairs* others) {
  ModelSettings settings{};
  settings.shift_points = options.shift_points;
  settings.exact_constant = options.exact_constant;
  if (is_among(kinds, LearnedKind::kShift) || is_among(kinds, LearnedKind::kPlugIn)) {
    settings.mean = others != nullptr ? choose_ridge(pairs, *others) : choose_ridge(pairs);
    settings.trained_mean = std::make_shared<const RidgeMean>(pairs, settings.mean);
    const Rows& residuals = settings.trained_mean->leave_one_out();
    settings.shift_bandwidth = choose_bandwidth(pairs, residuals, functions.of_x());
    settings.spread_bandwidth = choose_spread_bandwidth(pairs, residuals);
  }
  if (is_among(kinds, LearnedKind::kNw)) settings.nw_bandwidth = choose_bandwidth(pairs, functions);
  if (is_among(kinds, LearnedKind::kCme)) settings.cme = choose_cme(pairs, functions, options);
  return settings;
}

std::unique_ptr<const LearnedModel> train(LearnedKind kind, const LoggedPairs& pairs, const ModelSettings& settings,
                                          const InputDomain& domain, std::shared_ptr<const RidgeMean> mean) {
  stop_point();
  const bool needs_mean = kind == LearnedKind::kPlugIn || kind == LearnedKind::kShift;
  if (needs_mean && mean == nullptr) mean = std::make_shared<const RidgeMean>(pairs, settings.mean);
  switch (kind) {
    case LearnedKind::kNw:
      return std::make_unique<Nw>(pairs, settings.nw_bandwidth);
    case LearnedKind::kCme:
      return std::make_unique<Cme>(pairs, settings.cme, settings.exact_constant);
    case LearnedKind::kPlugIn:
      return std::make_unique<PlugIn>(pairs, std::move(mean), settings.spread_bandwidth);
    default:
      return std::make_unique<Shift>(pairs, std::move(mean), settings.shift_bandwidth, settings.shift_points, domain);
  }
}

std::unique_ptr<const LearnedModel> as_points(std::unique_ptr<const LearnedModel> plug_in, Index dimension,
                                              const InputDomain& domain) {
  return std::make_unique<PlugInPoints>(std::move(plug_in), dimension, domain);
}

PointsModel train_points(LearnedKind kind, const LoggedPairs& pairs, const ModelSettings& settings,
                         const InputDomain& domain, std::shared_ptr<const RidgeMean> mean) {
  auto model = train(kind, pairs, settings, domain, std::move(mean));
  const auto* set = std::get_if<InputSet>(&domain);
  const auto listed = set != nullptr ? std::make_shared<const Inputs>(set->points()) : nullptr;
  if (kind == LearnedKind::kShift) return {std::move(model), listed};
  if (kind == LearnedKind::kPlugIn) return {as_points(std::move(model), pairs.x().dimension(), domain), listed};
  if (pairs.size() <= kMixedPoints) return {std::move(model), pairs.logged_x};
  const auto clustered = std::make_shared<const Clustered>(std::move(model), pairs);
  return {clustered, clustered->points()};
}

}  // namespace iqbo
