// f(x) = m + F th, g(a) = nu + G th: Bayesian linear regression in the r numbers th. Formulas: iqbo/finite/finite.hpp.
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine.hpp"
#include "iqbo/kernel/kernel.hpp"
#include "sampler.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr Index kWeighed = 100;        // queries whose sum of |w| is computed
constexpr double kWeightMargin = 2.0;  // factor by which another query's may be larger
constexpr double kLeastTolerance = 2e-15;
constexpr Index kFewer = 3;           // times as many features as observations
constexpr double kTruncated = 100.0;  // times the tolerance: the least noise variance
constexpr double kUnlisted = 10.0;    // times the tolerance: the variance of an unlisted query that may be unexplained

// Of variances, relative to the amplitude.
double tolerance_for(double noise_var, double amplitude) {
  return std::max(1e-14, std::min(1e-9, 1e-9 * noise_var / amplitude));
}

// Estimates max (sum |w|)^2 from some of the queries: all would cost what the features are meant to save.
double weight_growth(const Conditional& conditional, const Queries& a) {
  std::vector<Index> some;
  const Index count = std::min(kWeighed, a.size());
  for (Index i = 0; i < count; ++i) some.push_back(i * a.size() / count);
  const Laws laws = conditional.laws(Queries(a.coordinates()(some, Eigen::all)));
  Vector total = Vector::Zero(count);
  for (const auto& [share, kind] : laws.parts())
    if (const auto* discrete = std::get_if<DiscreteLaws>(&kind))
      total += std::abs(share) * (discrete->weight.cwiseAbs() * Vector::Ones(discrete->weight.cols()));
  const double most = total.maxCoeff();
  return most > 1.0 + 1e-9 ? std::pow(kWeightMargin * most, 2) : 1.0;
}

// No eigenvalue of a covariance of different inputs is below the nugget, so that r features of n of them leave at least n - r
// times as much.
bool is_spoiled_by_nugget(const FiniteTargets& targets, double tolerance, Index most_rank) {
  double nugget = 0.0;
  for (const KernelTerm& term : targets.prior.kernel->stationary_terms())
    if (term.kind == KernelTerm::Kind::kWhite) nugget += term.variance;
  if (nugget <= tolerance) return false;
  const std::vector<Index> which = distinct(targets.x.coordinates());
  const Index different = *std::max_element(which.begin(), which.end()) + 1;
  return nugget * static_cast<double>(different - most_rank) > tolerance * static_cast<double>(different);
}

struct Features {
  Features(std::shared_ptr<const FiniteTargets> about, double noise_var, Index most_rank)
      : targets(std::move(about)), joint(joint_prior(*targets)) {
    const Inputs& x = targets->x;
    const Queries& a = targets->a;
    const Conditional& conditional = *targets->conditional;
    const double amplitude = targets->amplitude;
    double relative = tolerance_for(noise_var, amplitude);
    if (targets->support() != nullptr) relative = std::max(kLeastTolerance, relative / weight_growth(conditional, a));
    tolerance = relative * amplitude;
    least_noise_var = std::min(std::max(noise_var, 1e-6 * amplitude), amplitude);

    if (is_spoiled_by_nugget(*targets, tolerance, most_rank)) return;
    PivotedCholesky found = pivoted_cholesky(joint, tolerance, most_rank, x.size(), true);
    complete = found.complete;
    if (!complete) return;
    pivots = found.pivots;
    triangle = found.triangle();
    on_x = found.factor.topRows(x.size());
    beyond_x = found.factor.bottomRows(joint.size() - x.size());
    found.factor.resize(0, 0);
    queries = targets->support() == nullptr ? std::move(beyond_x) : conditional.average(a, on_support());
    rank = queries.cols();
    if (targets->prior.discrepancy) add_discrepancy(most_rank);
  }

  static JointPrior joint_prior(const FiniteTargets& t) {
    if (t.support() == nullptr) return {t.of_f(), t.conditional, t.x, t.a};
    return {t.of_f(), t.conditional, t.support_is_x ? t.x : t.x.joined(*t.support()), Queries()};
  }

  void add_discrepancy(Index most_rank) {
    discrepancy = std::make_shared<const DiscrepancyPrior>(targets->prior.discrepancy, targets->a);
    const double most = discrepancy->diagonal().maxCoeff();
    PivotedCholesky found =
        pivoted_cholesky(*discrepancy, std::max(tolerance, kLeastTolerance * most), most_rank, targets->a.size(), true);
    complete = found.complete;
    if (!complete) return;
    discrepancy_pivots = found.pivots;
    discrepancy_triangle = found.triangle();
    rank += found.rank();
    queries.conservativeResize(Eigen::NoChange, rank);
    queries.rightCols(found.rank()) = found.factor;
  }

  // Adds rows of G for more queries: their features, and new pivots for what these leave unexplained. Where a query is
  // a sum over the support nothing is left. Returns false where that is not enough.
  bool add(const std::shared_ptr<const FiniteTargets>& extended) {
    const Index before = targets->a.size();
    const Queries more = extended->a.slice(before, extended->a.size() - before);
    Matrix rows;  // r x more
    if (targets->support() != nullptr) {
      rows = targets->conditional->average(more, on_support()).transpose();
    } else {
      const Functionals averaged = averages(*targets->conditional, more);
      rows = triangle.triangularView<Eigen::Lower>().solve(with_pivots(averaged));
      const Vector left = targets->of_f().variance(averaged) - rows.colwise().squaredNorm().transpose();
      if (left.maxCoeff() > tolerance && !become_pivots(averaged, rows)) return false;
    }
    if (discrepancy) {
      const Matrix e =
          discrepancy_triangle.triangularView<Eigen::Lower>().solve(discrepancy->covariance(discrepancy_pivots, more));
      const Vector left = extended->prior.discrepancy->diagonal(more) - e.colwise().squaredNorm().transpose();
      if (left.maxCoeff() > kUnlisted * tolerance) return false;
      rows.conservativeResize(rows.rows() + e.rows(), Eigen::NoChange);
      rows.bottomRows(e.rows()) = e;
    }
    make_room(extended->a.size(), rows.rows());
    rank = rows.rows();
    queries.block(before, 0, more.size(), rank) = rows.transpose();
    targets = extended;
    return true;
  }

  // Adds half as many rows again when there are too few, so that adding a query rarely copies all rows.
  void make_room(Index rows, Index columns) {
    const Index had_rows = queries.rows();
    const Index had_columns = queries.cols();
    if (rows <= had_rows && columns <= had_columns) return;
    queries.conservativeResize(rows <= had_rows ? had_rows : std::max(rows, had_rows + had_rows / 2),
                               std::max(columns, had_columns));
    if (columns > had_columns) queries.rightCols(columns - had_columns).setZero();
  }

  // Cov(pivots, others), including the pivots added later.
  Matrix with_pivots(const Functionals& others) const {
    Matrix out(triangle.rows(), others.size());
    const auto first = static_cast<Index>(pivots.size());
    out.topRows(first) = joint.covariance(pivots, others);
    if (!added_pivots.empty())
      out.bottomRows(out.rows() - first) =
          targets->of_f().covariance(averages(*targets->conditional, added_pivots), others);
    return out;
  }

  bool become_pivots(const Functionals& averaged, Matrix& rows) {
    if (discrepancy) return false;  // its features come after those of f
    const DenseCovariance left(targets->of_f().covariance(averaged, averaged) - rows.transpose() * rows);
    const PivotedCholesky found = pivoted_cholesky(left, tolerance, averaged.size(), averaged.size());
    const Index r = rows.rows();
    rows.conservativeResize(r + found.rank(), Eigen::NoChange);
    rows.bottomRows(found.rank()) = found.factor.transpose();
    triangle.conservativeResize(rows.rows(), rows.rows());
    triangle.rightCols(found.rank()).setZero();
    triangle.bottomRows(found.rank()) = rows(Eigen::all, found.pivots).transpose();
    added_pivots = added_pivots.joined(Queries(Rows(averaged.queries.coordinates()(found.pivots, Eigen::all))));
    on_x.conservativeResize(Eigen::NoChange, rows.rows());
    on_x.rightCols(found.rank()).setZero();
    return true;
  }

  const Matrix& on_support() const { return targets->support_is_x ? on_x : beyond_x; }
  auto on_a() const { return queries.topLeftCorner(targets->a.size(), rank); }  // G, p x (r + r_e)

  Vector row_of(const FiniteObservation& seen) const {
    if (seen.listed() && seen.averaged) return on_a().row(seen.row);
    Vector row = Vector::Zero(rank);
    row.head(on_x.cols()) = seen.listed() ? Vector(on_x.row(seen.row)) : projected(*seen.unlisted);
    if (!seen.listed() && seen.averaged && discrepancy)
      row.tail(rank - on_x.cols()) = discrepancy_triangle.triangularView<Eigen::Lower>().solve(
          discrepancy->covariance(discrepancy_pivots, seen.unlisted->queries));
    return row;
  }

  // The features of an unlisted query or input: averages of the support's, or from covariances with the pivots.
  Vector projected(const Functionals& one) const {
    if (one.averaged() && targets->support() != nullptr)
      return targets->conditional->average(one.queries, on_support()).transpose();
    return triangle.triangularView<Eigen::Lower>().solve(with_pivots(one));
  }

  // The variance that the features do not explain.
  double left_of(const FiniteObservation& seen) const {
    if (seen.listed()) return 0.0;
    const double left = targets->prior.variance(*seen.unlisted)[0] - row_of(seen).squaredNorm();
    return left > kUnlisted * tolerance ? left : 0.0;
  }

  std::shared_ptr<const FiniteTargets> targets;
  JointPrior joint;
  std::shared_ptr<const DiscrepancyPrior> discrepancy;
  double tolerance = 0.0;
  double least_noise_var = 0.0;
  bool complete = false;
  std::vector<Index> pivots;
  std::vector<Index> discrepancy_pivots;
  Queries added_pivots;         // after those
  Matrix triangle;              // features of the pivots, r x r
  Matrix discrepancy_triangle;  // r_e x r_e
  Matrix on_x;                  // F, n x r
  Matrix queries;               // on_a() and room for more
  Index rank = 0;
  Matrix beyond_x;  // features of the support, where that is not x
};

// A path is th ~ N(mu, T T'), from which f follows anywhere.
class FeaturePaths final : public PartialPaths {
 public:
  FeaturePaths(const Features& features, const Vector& mean, const Matrix& root, const std::vector<Index>& inputs)
      : features_(features), mean_(mean), root_(root), f_mean_(features.targets->f_mean(inputs)) {
    const Matrix rows = features.on_x(inputs, Eigen::all);
    on_inputs_ = rows * root.topRows(rows.cols());
    f_mean_ += rows * mean.head(rows.cols());
  }

  Matrix draw(Index count, Rng& rng) override {
    eps_ = normals(features_.rank, count, rng);
    Matrix out = on_inputs_ * eps_;
    out.colwise() += f_mean_;
    return out;
  }

  Matrix whole(const std::vector<Index>& columns, Rng& /*rng*/) override {
    const Index inner = features_.on_x.cols();
    Matrix th = root_.topRows(inner) * eps_(Eigen::all, columns);
    th.colwise() += mean_.head(inner);
    Matrix out = features_.on_x * th;
    out.colwise() += features_.targets->f_mean;
    return out;
  }

 private:
  const Features& features_;
  const Vector& mean_;
  const Matrix& root_;
  Vector f_mean_;     // of f at the inputs, current
  Matrix on_inputs_;  // F T, the rows of the inputs
  Matrix eps_;
};

class LowRank final : public FiniteEngine {
 public:
  explicit LowRank(std::shared_ptr<Features> features)
      : features_(std::move(features)),
        mean_(Vector::Zero(features_->rank)),
        root_(Matrix::Identity(features_->rank, features_->rank)) {}

  std::unique_ptr<FiniteEngine> clone() const override { return std::make_unique<LowRank>(*this); }
  EngineKind kind() const override { return EngineKind::kLowRank; }

  std::string description(bool /*paths*/) const override {
    const auto& t = *features_->targets;
    return "low rank: " + std::to_string(features_->rank) + " features for " + std::to_string(t.x.size() + t.a.size()) +
           " points";
  }

  Vector f_var() const override { return features_->on_x.rowwise().squaredNorm(); }
  Vector g_var() const override { return features_->on_a().rowwise().squaredNorm(); }

  bool spans(const FiniteObservation& seen) const override {
    return seen.noise_var >= features_->least_noise_var && features_->left_of(seen) == 0.0;
  }

  Step observe(const FiniteObservation& seen) override {
    const Vector row = features_->row_of(seen);
    const double noise_var = noise_of(seen, row);
    explained_.resize(features_->rank, 0);
    const Vector v = root_.transpose() * row;
    const double s = v.squaredNorm() + noise_var;
    if (!(s > 0.0)) return {};
    const double sd = std::sqrt(s);
    const double surprise = (seen.z - seen.prior_mean - row.dot(mean_)) / sd;
    if (contradicts(seen, surprise, s, noise_var)) return contradiction(surprise, sd, noise_var);
    const Vector tv = root_ * v;
    mean_ += tv * (surprise / sd);
    root_.noalias() -= tv * (v / (s + sd * std::sqrt(noise_var))).transpose();
    return {features_->on_x * tv.head(inner()) / sd, features_->on_a() * tv / sd, surprise, sd, noise_var};
  }

  // Sqrt(N)^-1 rows = V over I = Q (R, 0)': Cov(th) = (I + V'V)^-1 = R^-1 R^-T. As exact as one by one: no squares.
  bool absorb(const std::vector<FiniteObservation>& seen) override {
    const Index r = features_->rank;
    const auto t = static_cast<Index>(seen.size());
    Matrix stacked(t + r, r + 1);
    stacked.bottomLeftCorner(r, r).setIdentity();
    stacked.col(r).tail(r).setZero();
    for (Index i = 0; i < t; ++i) {
      const auto& one = seen[static_cast<std::size_t>(i)];
      const Vector row = features_->row_of(one);
      const double noise_var = noise_of(one, row);
      if (noise_var > one.noise_var + features_->left_of(one)) return false;  // only one by one shows a contradiction
      stacked.row(i).head(r) = row.transpose() / std::sqrt(noise_var);
      stacked(i, r) = (one.z - one.prior_mean) / std::sqrt(noise_var);
    }
    // Cov(th) = I - E E', which gives variances sooner where there are fewer observations than features.
    explained_.resize(r, 0);
    if (kFewer * t < r) {
      const Matrix v = stacked.topLeftCorner(t, r);
      Matrix s = Matrix::Identity(t, t);
      s.selfadjointView<Eigen::Lower>().rankUpdate(v);
      const Eigen::LLT<Matrix> llt(s);
      if (llt.info() == Eigen::Success) explained_ = llt.matrixL().solve(v).transpose();
    }
    const Matrix triangle = Eigen::HouseholderQR<Matrix>(stacked).matrixQR().topRows(r);
    const auto upper = triangle.leftCols(r).triangularView<Eigen::Upper>();
    root_ = upper.solve(Matrix::Identity(r, r));
    mean_ = upper.solve(triangle.col(r));
    return true;
  }
  Marginals f_now() const override {
    return {features_->targets->f_mean + features_->on_x * mean_.head(inner()), variances(features_->on_x)};
  }

  Index rank() const override { return features_->rank; }
  bool extend(const std::shared_ptr<const FiniteTargets>& targets) override {
    if (features_.use_count() > 1) features_ = std::make_shared<Features>(*features_);
    const Index before = features_->rank;
    if (!features_->add(targets)) return false;
    explained_.resize(features_->rank, 0);
    const Index added = features_->rank - before;
    mean_.conservativeResize(features_->rank);
    mean_.tail(added).setZero();
    root_.conservativeResize(features_->rank, features_->rank);
    root_.rightCols(added).setZero();
    root_.bottomRows(added).setZero();
    root_.bottomRightCorner(added, added).setIdentity();
    return true;
  }
  Marginals g_from(Index begin) const override {
    const auto rows = features_->on_a().bottomRows(features_->targets->a.size() - begin);
    return {features_->targets->g_mean.tail(rows.rows()) + rows * mean_, variances(rows)};
  }
  Matrix fg_cov_from(Index begin) const override {
    const auto rows = features_->on_a().bottomRows(features_->targets->a.size() - begin);
    return features_->on_x * covered(rows).leftCols(inner()).transpose();
  }

  Matrix f_cov(const std::vector<Index>& inputs) const override {
    return covered(features_->on_x(inputs, Eigen::all)).leftCols(inner()) * features_->on_x.transpose();
  }
  Matrix g_cov(const std::vector<Index>& queries) const override {
    return covered(features_->on_a()(queries, Eigen::all)) * features_->on_a().transpose();
  }
  Matrix g_cov_among(const std::vector<Index>& queries) const override {
    const Matrix rows = features_->on_a()(queries, Eigen::all);
    return covered(rows) * rows.transpose();
  }
  Matrix fg_cov(const std::vector<Index>& inputs) const override {
    return covered(features_->on_x(inputs, Eigen::all)) * features_->on_a().transpose();
  }

  FiniteBelief::Paths draw(Index count, Rng& rng) const override {
    Matrix th = root_ * normals(features_->rank, count, rng);
    th.colwise() += mean_;
    FiniteBelief::Paths out{features_->on_x * th.topRows(inner()), features_->on_a() * th};
    out.f.colwise() += features_->targets->f_mean;
    out.g.colwise() += features_->targets->g_mean;
    return out;
  }

  std::unique_ptr<PartialPaths> partial_paths(const Vector& /*mean*/, const std::vector<Index>& inputs) const override {
    return std::make_unique<FeaturePaths>(*features_, mean_, root_, inputs);
  }

 private:
  // What the features do not explain counts as noise.
  double noise_of(const FiniteObservation& seen, const Vector& row) const {
    const double least = assumed(*features_->targets, seen, row.squaredNorm());
    return std::max(least, kTruncated * features_->tolerance) + features_->left_of(seen);
  }

  Index inner() const { return features_->on_x.cols(); }  // features that f has

  // Of rows of F or of G.
  template <class Rows>
  Vector variances(const Rows& rows) const {
    if (explained_.cols() == 0) return (rows * root_.topRows(rows.cols())).rowwise().squaredNorm();
    const Matrix less = rows * explained_.topRows(rows.cols());
    return (rows.rowwise().squaredNorm() - less.rowwise().squaredNorm()).cwiseMax(0.0);
  }

  // rows T T', rows being those of F or of G.
  Matrix covered(const Matrix& rows) const {
    const Matrix half = rows * root_.topRows(rows.cols());
    return half * root_.transpose();
  }

  std::shared_ptr<Features> features_;  // shared with copies until one of them is extended
  Vector mean_;                         // of th
  Matrix root_;                         // T, Cov(th) = T T'
  Matrix explained_;                    // E, T T' = I - E E', until the next observation; without columns: not known
};

}  // namespace

std::unique_ptr<FiniteEngine> low_rank_engine(std::shared_ptr<const FiniteTargets> targets, double noise_var,
                                              Index most_rank) {
  auto features = std::make_shared<Features>(std::move(targets), noise_var, most_rank);
  if (!features->complete) return nullptr;
  return std::make_unique<LowRank>(std::move(features));
}

}  // namespace iqbo
