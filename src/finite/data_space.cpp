// Stores rows of L^-1 Cov(observations, targets): exact for any kernel and noise. Formulas: iqbo/finite/finite.hpp.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine.hpp"
#include "paths.hpp"

namespace iqbo {

using namespace internal;

namespace {

// Makes room for a column after the first `used`. Columns that fit in kSmall bytes are doubled, so that copies are rare;
// longer ones are too large to be kept for nothing.
void make_room(Matrix& m, Index used, bool square) {
  constexpr Index kSmall = Index{1} << 23;
  if (used < m.cols()) return;
  const bool small = m.rows() * used * static_cast<Index>(sizeof(double)) <= kSmall;
  const Index room = square || small ? std::max<Index>(16, 2 * used) : used + std::max<Index>(4, used / 4);
  m.conservativeResize(square ? room : m.rows(), room);
}

// One observation; row -1 if it is not listed.
struct Seen {
  Index row;
  bool averaged;
  double residual;  // z - prior mean
  double noise_var;
  double z;
};

// Replaces repeated answers at a row by their mean, weighted by precision, which is equivalent: a study of thousands of
// answers repeats promising queries often. Answers with less noise than `least`, which might contradict each other, are
// not merged.
std::vector<Seen> merged(const std::vector<FiniteObservation>& answers, double least) {
  std::vector<Seen> out;
  std::unordered_map<Index, std::size_t> known;
  for (const FiniteObservation& answer : answers) {
    const Seen one{answer.row, answer.averaged, answer.z - answer.prior_mean, answer.noise_var, answer.z};
    const auto [at, is_new] = known.try_emplace(one.row, out.size());
    Seen* before = is_new ? nullptr : &out[at->second];
    if (before == nullptr || std::max(before->noise_var, one.noise_var) <= least) {
      out.push_back(one);
      continue;
    }
    const double share = before->noise_var / (before->noise_var + one.noise_var);
    before->residual += share * (one.residual - before->residual);
    before->noise_var = share * one.noise_var;
  }
  return out;
}

class DataSpace final : public FiniteEngine {
 public:
  explicit DataSpace(std::shared_ptr<const FiniteTargets> targets)
      : prior_(std::make_shared<const FinitePrior>(std::move(targets))),
        paths_(std::make_shared<const PriorPaths>(prior_, std::vector<FiniteObservation>{})),
        on_x_(prior_->targets().x.size(), 0),
        on_a_(prior_->targets().a.size(), 0) {}

  std::unique_ptr<FiniteEngine> clone() const override { return std::make_unique<DataSpace>(*this); }
  EngineKind kind() const override { return EngineKind::kDataSpace; }
  std::string description(bool paths) const override {
    return paths ? "data space, exact; paths " + paths_->description() : "data space, exact";
  }
  Vector f_var() const override { return prior_->f_var(); }
  Vector g_var() const override { return prior_->g_var(); }
  bool spans(const FiniteObservation&) const override { return true; }

  Step observe(const FiniteObservation& seen) override {
    const auto both =
        seen.listed() ? prior_->covariances(Listed{seen.averaged, {seen.row}}) : prior_->covariances(*seen.unlisted);
    Vector cov_x = both.first.col(0), cov_a = both.second.col(0);
    const double var =
        seen.listed() ? (seen.averaged ? cov_a : cov_x)[seen.row] : prior_->targets().prior.variance(*seen.unlisted)[0];
    const Vector known = explained(seen, cov_x, cov_a);
    const double noise_var = assumed(prior_->targets(), seen, var);
    const double s = std::max(0.0, var - known.squaredNorm()) + noise_var;
    if (!(s > 0.0)) return {};
    const double sd = std::sqrt(s), surprise = (seen.z - seen.prior_mean - known.dot(surprises_)) / sd;
    if (contradicts(seen, surprise, s, noise_var)) return contradiction(surprise, sd, noise_var);
    cov_x.noalias() -= on_x_.leftCols(size()) * known;
    cov_a.noalias() -= on_a_.leftCols(size()) * known;
    Step step{cov_x / sd, cov_a / sd, surprise, sd, noise_var};
    keep(seen, step, known);
    return step;
  }

  // Factors Cov(observations) = L L' at once: as many operations as one by one, but in blocks that fit the cache.
  // Returns false where an observation is not listed, or contradicts others.
  bool absorb(const std::vector<FiniteObservation>& seen) override {
    const bool averaged = seen.front().averaged;
    if (size() > 0 || !std::all_of(seen.begin(), seen.end(), [&](const FiniteObservation& one) {
          return one.listed() && one.averaged == averaged;
        }))
      return false;
    const FiniteTargets& targets = prior_->targets();
    std::vector<Seen> once = merged(seen, targets.least_share * targets.amplitude);
    const auto t = static_cast<Index>(once.size());
    std::vector<Index> rows;
    Vector stated(t), noise_var(t), residual(t);
    for (Index i = 0; i < t; ++i) {
      const Seen& one = once[static_cast<std::size_t>(i)];
      rows.push_back(one.row);
      residual[i] = one.residual;
    }
    auto [cov_x, cov_a] = prior_->covariances(Listed{averaged, rows});
    Matrix lower = (averaged ? cov_a : cov_x)(rows, Eigen::all);
    for (Index i = 0; i < t; ++i) {
      Seen& one = once[static_cast<std::size_t>(i)];
      stated[i] = one.noise_var;
      noise_var[i] = LeastNoise::of(targets.least_share, lower(i, i), one.z, one.noise_var);
      one.noise_var = noise_var[i];
    }
    lower.diagonal() += noise_var;
    const Eigen::LLT<Eigen::Ref<Matrix>> in_place(lower);
    if (in_place.info() != Eigen::Success) return false;
    lower.triangularView<Eigen::Lower>().solveInPlace(residual);
    for (Index i = 0; i < t; ++i)
      if (Determined::contradicts(residual[i], std::pow(lower(i, i), 2), noise_var[i], stated[i])) return false;
    const auto upper = lower.transpose().triangularView<Eigen::Upper>();
    upper.solveInPlace<Eigen::OnTheRight>(cov_x);
    upper.solveInPlace<Eigen::OnTheRight>(cov_a);
    on_x_ = std::move(cov_x);
    on_a_ = std::move(cov_a);
    lower_ = std::move(lower);
    surprises_ = std::move(residual);
    seen_ = std::move(once);
    return true;
  }
  Marginals f_now() const override {
    const auto rows = on_x_.leftCols(size());
    return {prior_->targets().f_mean + rows * surprises_,
            prior_->targets().remaining(prior_->f_var(), rows.rowwise().squaredNorm())};
  }

  bool extend(const std::shared_ptr<const FiniteTargets>& targets) override {
    const Index before = on_a_.rows();
    auto prior = std::make_shared<const FinitePrior>(*prior_, targets);
    Matrix rows = explained_from(*prior, before);
    auto paths = std::make_shared<const PriorPaths>(prior, unlisted_, paths_.get());
    on_a_.conservativeResize(targets->a.size(), Eigen::NoChange);
    on_a_.leftCols(size()).bottomRows(rows.rows()) = rows;
    prior_ = std::move(prior);
    paths_ = std::move(paths);
    return true;
  }
  Marginals g_from(Index begin) const override {
    const FiniteTargets& targets = prior_->targets();
    const Index count = targets.a.size() - begin;
    const auto rows = on_a_.leftCols(size()).bottomRows(count);
    return {targets.g_mean.tail(count) + rows * surprises_,
            targets.remaining(prior_->g_var(begin), rows.rowwise().squaredNorm())};
  }
  std::optional<Marginals> g_of(const std::shared_ptr<const FiniteTargets>& targets, Index begin) const override {
    const FinitePrior prior(*prior_, targets);
    const Index count = targets->a.size() - begin;
    const Matrix rows = explained_from(prior, begin);
    return Marginals{targets->g_mean.tail(count) + rows * surprises_,
                     targets->remaining(prior.g_var(begin), rows.rowwise().squaredNorm())};
  }
  Matrix fg_cov_from(Index begin) const override {
    const Index count = prior_->targets().a.size() - begin;
    std::vector<Index> added(static_cast<std::size_t>(count));
    std::iota(added.begin(), added.end(), begin);
    Matrix out = prior_->f_cov(Listed{true, added});
    out.noalias() -= on_x_.leftCols(size()) * on_a_.leftCols(size()).bottomRows(count).transpose();
    return out;
  }

  Matrix f_cov(const std::vector<Index>& inputs) const override {
    Matrix out = prior_->f_cov(Listed{false, inputs}).transpose();
    out.noalias() -= on_x_.leftCols(size())(inputs, Eigen::all) * on_x_.leftCols(size()).transpose();
    return out;
  }
  Matrix f_cov_times(const std::vector<Index>& inputs, const Matrix& weight) const override {
    Matrix out = prior_->f_cov_times(inputs, weight);
    const Matrix rows = on_x_.leftCols(size())(inputs, Eigen::all);
    out.noalias() -= on_x_.leftCols(size()) * (rows.transpose() * weight);
    return out;
  }
  Matrix f_cov_among(const std::vector<Index>& inputs) const override {
    const Matrix rows = on_x_.leftCols(size())(inputs, Eigen::all);
    return prior_->f_cov_among(inputs) - rows * rows.transpose();
  }
  Matrix g_cov_among(const std::vector<Index>& queries) const override {
    const Matrix rows = on_a_.leftCols(size())(queries, Eigen::all);
    return prior_->g_cov_among(queries) - rows * rows.transpose();
  }
  Matrix g_cov(const std::vector<Index>& queries) const override {
    Matrix out = prior_->g_cov(Listed{true, queries}).transpose();
    out.noalias() -= on_a_.leftCols(size())(queries, Eigen::all) * on_a_.leftCols(size()).transpose();
    return out;
  }
  Matrix fg_cov(const std::vector<Index>& inputs) const override {
    Matrix out = prior_->fg_cov(inputs);
    out.noalias() -= on_x_.leftCols(size())(inputs, Eigen::all) * on_a_.leftCols(size()).transpose();
    return out;
  }

  const FinitePrior& prior() const { return *prior_; }
  Index observed() const { return size(); }
  auto explained_of_x() const { return on_x_.leftCols(size()); }
  auto explained_of_a() const { return on_a_.leftCols(size()); }

  // Matheron's rule: prior path + Cov(., z) S^-1 (z - what the path would have shown), Cov(., z) = on_ L'.
  FiniteBelief::Paths draw(Index count, Rng& rng) const override {
    PriorPaths::Draw path = paths_->draw(count, rng);
    if (size() > 0) {
      Matrix miss = normals(size(), count, rng);
      Index unlisted = 0;
      for (Index i = 0; i < size(); ++i) {
        const auto& [row, averaged, residual, noise_var, z] = seen_[static_cast<std::size_t>(i)];
        const auto shown = row < 0 ? path.unlisted.row(unlisted++) : (averaged ? path.g.row(row) : path.f.row(row));
        miss.row(i) = (residual - (shown + std::sqrt(noise_var) * miss.row(i)).array()).matrix();
      }
      lower_.topLeftCorner(size(), size()).triangularView<Eigen::Lower>().solveInPlace(miss);
      path.f.noalias() += on_x_.leftCols(size()) * miss;
      path.g.noalias() += on_a_.leftCols(size()) * miss;
    }
    path.f.colwise() += prior_->targets().f_mean;
    path.g.colwise() += prior_->targets().g_mean;
    return {std::move(path.f), std::move(path.g)};
  }

 private:
  Index size() const { return static_cast<Index>(seen_.size()); }

  // Cov(g, observations) L^-T of the queries from `begin` on. Averages over x itself are averages of what is known of f.
  Matrix explained_from(const FinitePrior& prior, Index begin) const {
    const FiniteTargets& targets = prior.targets();
    if (size() == 0) return {targets.a.size() - begin, 0};
    if (targets.support_is_x && !targets.prior.discrepancy) return prior.average_from(begin, on_x_.leftCols(size()));
    const Functionals more = averages(*targets.conditional, targets.a.slice(begin, targets.a.size() - begin));
    Matrix cov(size(), more.size());  // L^-1 Cov(observations, more)
    Index unlisted = 0;
    for (Index i = 0; i < size(); ++i) {
      const auto& seen = seen_[static_cast<std::size_t>(i)];
      const Functionals one = seen.row < 0 ? *unlisted_[static_cast<std::size_t>(unlisted++)].unlisted
                                           : prior.functionals({seen.averaged, {seen.row}});
      cov.row(i) = targets.prior.covariance(one, more);
    }
    lower_.topLeftCorner(size(), size()).triangularView<Eigen::Lower>().solveInPlace(cov);
    return cov.transpose();
  }

  // L^-1 Cov(observations, this one): a stored row if it is listed.
  Vector explained(const FiniteObservation& seen, const Vector& cov_x, const Vector& cov_a) const {
    if (seen.listed()) return (seen.averaged ? on_a_ : on_x_).row(seen.row).head(size());
    Vector cov(size());
    Index unlisted = 0;
    for (Index i = 0; i < size(); ++i) {
      const auto& other = seen_[static_cast<std::size_t>(i)];
      if (other.row >= 0)
        cov[i] = (other.averaged ? cov_a : cov_x)[other.row];
      else
        cov[i] = prior_->targets().prior.covariance(*unlisted_[static_cast<std::size_t>(unlisted++)].unlisted,
                                                    *seen.unlisted)(0, 0);
    }
    lower_.topLeftCorner(size(), size()).triangularView<Eigen::Lower>().solveInPlace(cov);
    return cov;
  }

  void keep(const FiniteObservation& seen, const Step& step, const Vector& known) {
    const Index t = size();
    make_room(on_x_, t, false);
    make_room(on_a_, t, false);
    make_room(lower_, t, true);
    on_x_.col(t) = step.f;
    on_a_.col(t) = step.g;
    lower_.row(t).head(t) = known;
    lower_(t, t) = step.sd;
    surprises_.conservativeResize(t + 1);
    surprises_[t] = step.surprise;
    seen_.push_back({seen.row, seen.averaged, seen.z - seen.prior_mean, step.noise_var, seen.z});
    if (seen.listed()) return;
    unlisted_.push_back(seen);
    paths_ = std::make_shared<const PriorPaths>(prior_, unlisted_, paths_.get());
  }

  std::shared_ptr<const FinitePrior> prior_;
  std::shared_ptr<const PriorPaths> paths_;
  std::vector<Seen> seen_;
  std::vector<FiniteObservation> unlisted_;  // in order of arrival
  Matrix on_x_;                              // n x t in use: Cov(f(x), z) L^-T
  Matrix on_a_;                              // p x t
  Matrix lower_;                             // L
  Vector surprises_;                         // L^-1 (z - prior mean)
};

}  // namespace

std::optional<Matrix> mixed_fg_cov(const std::vector<const FiniteEngine*>& engines, const Vector& weights,
                                   const std::vector<Index>& inputs, const Matrix& left, const Matrix& right) {
  std::vector<std::pair<double, const LatticeKernel*>> kernels;
  std::vector<std::pair<double, const DataSpace*>> parts;
  Index columns = left.cols();
  for (std::size_t s = 0; s < engines.size(); ++s) {
    const double weight = weights[static_cast<Index>(s)];
    if (weight == 0.0) continue;
    const auto* one = dynamic_cast<const DataSpace*>(engines[s]);
    if (one == nullptr || one->prior().by_lag() == nullptr) return std::nullopt;
    if (!parts.empty() && !parts.front().second->prior().has_laws_of(one->prior())) return std::nullopt;
    kernels.emplace_back(weight, one->prior().by_lag());
    parts.emplace_back(weight, one);
    columns += one->observed();
  }
  Matrix out = parts.front().second->prior().fg_cov(inputs, LatticeKernel(kernels));
  Matrix first(out.rows(), columns), second(out.cols(), columns);
  first.leftCols(left.cols()) = left;
  second.leftCols(left.cols()) = right;
  Index at = left.cols();
  for (const auto& [weight, one] : parts) {
    first.middleCols(at, one->observed()) = -weight * one->explained_of_x()(inputs, Eigen::all);
    second.middleCols(at, one->observed()) = one->explained_of_a();
    at += one->observed();
  }
  out.noalias() += first * second.transpose();
  return out;
}

std::unique_ptr<FiniteEngine> data_space_engine(std::shared_ptr<const FiniteTargets> targets) {
  return std::make_unique<DataSpace>(std::move(targets));
}

}  // namespace iqbo
