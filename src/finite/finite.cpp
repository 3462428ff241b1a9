#include "iqbo/finite/finite.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "engine.hpp"
#include "iqbo/core/stop.hpp"
#include "posterior/observations.hpp"

namespace iqbo {
namespace {

constexpr double kLeastNoise = 1e-6;  // of the amplitude: with less, features would have to be exact beyond rounding
constexpr Index kMany = 8;            // observations that are worth taking at once
constexpr Index kSmallRank = 100;     // always worth it
constexpr Index kLargeRank = 1000;    // never: data space is cheaper for the first 1,000 observations

const char* const kNotSpanned = "an observation has less noise than was promised, or is not spanned by the features";

// The row with exactly these coordinates, or -1.
Index find(const Rows& rows, const Rows& one) {
  for (Index i = 0; i < rows.rows(); ++i)
    if (rows.row(i) == one.row(0)) return i;
  return -1;
}

void require_row(Index row, Index size, std::string_view name) {
  if (row < 0 || row >= size) refuse(name, "is " + std::to_string(row), "0 to " + std::to_string(size - 1));
}

void require_variance(double value, std::string_view name) {
  if (!std::isfinite(value) || value < 0.0) refuse(name, "is " + readable(value), "a finite number >= 0");
}

void require_rows_of(const std::vector<Index>& rows, Index size, std::string_view name) {
  for (const Index row : rows) require_row(row, size, name);
}

FiniteObservation unlisted(const FiniteTargets& targets, Functionals one, double z, double noise_var) {
  const double mean = targets.prior.mean_of(one)[0];
  return {one.averaged(), -1, std::move(one), mean, z, noise_var};
}

FiniteObservation look(const FiniteTargets& targets, const Inputs& x, double z, double noise_var) {
  const Index row = find(targets.x.coordinates(), x.coordinates());
  if (row < 0) return unlisted(targets, looks(x), z, noise_var);
  return {false, row, std::nullopt, targets.f_mean[row], z, noise_var};
}

FiniteObservation answer(const FiniteTargets& targets, const Queries& a, double z, double noise_var) {
  const Index row = find(targets.a.coordinates(), a.coordinates());
  if (row < 0) return unlisted(targets, averages(*targets.conditional, a), z, noise_var);
  return {true, row, std::nullopt, targets.g_mean[row], z, noise_var};
}

Vector where(const FiniteTargets& targets, const FiniteObservation& seen) {
  if (seen.listed()) return (seen.averaged ? targets.a.coordinates() : targets.x.coordinates()).row(seen.row);
  if (seen.averaged) return seen.unlisted->queries.coordinates().row(0);
  return std::get<Inputs>(seen.unlisted->laws.parts().front().kind).coordinates().row(0);
}

// Names an answer to the same query (or a value at the same input) before `seen` with as little noise, if there is one.
// None if such an answer agrees with it.
std::optional<Contradiction> contradiction(const FiniteTargets& targets,
                                           const std::vector<FiniteObservation>& observations,
                                           const FiniteObservation& seen, const FiniteStep& step) {
  Contradiction::Observed it{seen.averaged, where(targets, seen),     seen.z, seen.z - step.surprise * step.sd,
                             false,         std::sqrt(step.noise_var)};
  for (const FiniteObservation& other : observations) {
    if (&other == &seen) break;
    if (other.averaged != seen.averaged || other.noise_var >= step.noise_var || where(targets, other) != it.at)
      continue;
    if (Determined::agree(seen.z, other.z, step.noise_var, step.noise_var)) return std::nullopt;
    if (!it.repeat) it.expected = other.z;
    it.repeat = true;
  }
  return Contradiction(it);
}

}  // namespace

FiniteBelief::FiniteBelief(const Posterior& posterior, Inputs x, Queries a, const FiniteOptions& options)
    : asked_(options.engine), queries_(options.queries), expected_(options.observations) {
  const Kernel* l = posterior.discrepancy();
  targets_ = std::make_shared<const FiniteTargets>(
      Prior{posterior.kernel().clone(), posterior.mean().clone(), l == nullptr ? nullptr : l->clone()},
      posterior.conditional().clone(), std::move(x), std::move(a), options.laws);
  for (const auto& [functionals, rows] : posterior.observations().parts())
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double z = posterior.z()[rows[i]];
      const double noise_var = posterior.noise_var()[rows[i]];
      const auto at = static_cast<Index>(i);
      observations_.push_back(functionals.averaged() ? answer(*targets_, functionals.queries.slice(at, 1), z, noise_var)
                                                     : look(*targets_, posterior.inputs().slice(at, 1), z, noise_var));
    }
  if (options.noise_var) require_variance(*options.noise_var, "options.noise_var");
  choose(options.noise_var.value_or(observations_.empty() ? kLeastNoise * targets_->amplitude
                                                          : posterior.noise_var().minCoeff()));
}

FiniteBelief::FiniteBelief(const FiniteBelief& other)
    : targets_(other.targets_),
      asked_(other.asked_),
      observations_(other.observations_),
      engine_(other.engine_->clone()),
      least_noise_var_(other.least_noise_var_),
      queries_(other.queries_),
      expected_(other.expected_),
      reason_(other.reason_),
      f_(other.f_),
      g_(other.g_),
      fg_cov_(other.fg_cov_),
      last_step_(other.last_step_) {}

FiniteBelief::FiniteBelief(FiniteBelief&&) noexcept = default;
FiniteBelief::~FiniteBelief() = default;

FiniteBelief& FiniteBelief::operator=(FiniteBelief other) noexcept {
  std::swap(targets_, other.targets_);
  std::swap(asked_, other.asked_);
  std::swap(observations_, other.observations_);
  std::swap(engine_, other.engine_);
  std::swap(least_noise_var_, other.least_noise_var_);
  std::swap(queries_, other.queries_);
  std::swap(expected_, other.expected_);
  std::swap(reason_, other.reason_);
  std::swap(f_, other.f_);
  std::swap(g_, other.g_);
  std::swap(fg_cov_, other.fg_cov_);
  std::swap(last_step_, other.last_step_);
  return *this;
}

Index FiniteBelief::most_rank() const {
  return std::clamp((x().size() + std::max(queries_, a().size())) / 3, kSmallRank, kLargeRank);
}

bool FiniteBelief::is_few_on_lattice() const {
  constexpr Index kManyPoints = 1000, kHuge = 20000;
  const Index points = x().size() + a().size();
  const Index observations = std::max(expected_, static_cast<Index>(observations_.size()));
  if (targets_->lattice == nullptr || points <= kManyPoints) return false;
  if (points > kHuge) return true;  // features of so many points would fill the memory
  return targets_->has_cheap_columns() && observations < FiniteOptions::kManyObservations;
}

void FiniteBelief::choose(double noise_var) {
  least_noise_var_ = noise_var;
  const Index points = targets_->x.size() + targets_->a.size();
  constexpr Index kAnyRank = std::numeric_limits<Index>::max();
  if (asked_ == EngineKind::kLowRank) return start(low_rank_engine(targets_, noise_var, kAnyRank), "asked for");
  if (asked_ == EngineKind::kDataSpace) return start(data_space_engine(targets_), "asked for");
  if (noise_var < kLeastNoise * targets_->amplitude)
    return start(data_space_engine(targets_), "noise sd below 1e-3 of the sd of f");
  if (is_few_on_lattice())
    return start(data_space_engine(targets_), std::to_string(x().size()) + " points on a lattice");
  auto low_rank = low_rank_engine(targets_, noise_var, most_rank());
  if (!low_rank)
    return start(data_space_engine(targets_), "more than " + std::to_string(most_rank()) +
                                                  " features would be needed for " + std::to_string(points) +
                                                  " points");
  const bool spanned =
      std::all_of(observations_.begin(), observations_.end(), [&](const auto& seen) { return low_rank->spans(seen); });
  if (!spanned) return start(data_space_engine(targets_), kNotSpanned);
  start(std::move(low_rank), "");
}

void FiniteBelief::start(std::unique_ptr<FiniteEngine> engine, std::string reason) {
  engine_ = std::move(engine);
  reason_ = std::move(reason);
  f_ = {targets_->f_mean, engine_->f_var()};
  g_ = {targets_->g_mean, engine_->g_var()};
  const bool whole = fg_cov_.has_value();
  fg_cov_.reset();
  take_all();
  last_step_.reset();
  if (whole) fg_cov();
}

void FiniteBelief::take_all() {
  if (static_cast<Index>(observations_.size()) < kMany || !engine_->absorb(observations_)) {
    for (const auto& seen : observations_) take(seen);
    return;
  }
  last_step_.reset();
  f_ = engine_->f_now();
  g_ = engine_->g_from(0);
}

// Updates everything along one direction.
void FiniteBelief::take(const FiniteObservation& seen) {
  FiniteStep step = engine_->observe(seen);
  if (step.contradicts) {
    if (const auto found = contradiction(*targets_, observations_, seen, step)) throw Contradiction(*found);
    FiniteObservation accepted = seen;
    accepted.agrees = true;
    step = engine_->observe(accepted);
  }
  last_step_ = std::make_shared<const FiniteStep>(std::move(step));
  if (last_step_->any()) follow(*last_step_);
}

void FiniteBelief::follow(const FiniteStep& step) {
  f_.mean += step.surprise * step.f;
  g_.mean += step.surprise * step.g;
  f_.var = targets_->remaining(f_.var, step.f.cwiseAbs2());
  g_.var = targets_->remaining(g_.var, step.g.cwiseAbs2());
  if (fg_cov_) fg_cov_->noalias() -= step.f * step.g.transpose();
}

// Restores what was believed before if observations turn out to contradict each other.
template <class Change>
void FiniteBelief::all_or_nothing(const Change& change) {
  FiniteBelief before(*this);
  try {
    change();
  } catch (const Contradiction&) {
    *this = std::move(before);
    throw;
  }
}

void FiniteBelief::observe(const std::vector<FiniteObservation>& added) {
  const StopShield whole;
  const bool spanned = asked_ != EngineKind::kAuto ||
                       std::all_of(added.begin(), added.end(), [&](const auto& seen) { return engine_->spans(seen); });
  const bool at_once = !spanned || (observations_.empty() && !fg_cov_);
  const auto take_one = [this](const FiniteObservation& seen) {
    take(seen);  // if it throws, nothing has changed
    observations_.push_back(seen);
  };
  if (!at_once && added.size() == 1) return take_one(added.front());
  all_or_nothing([&] {
    if (!at_once) return static_cast<void>(std::for_each(added.begin(), added.end(), take_one));
    observations_.insert(observations_.end(), added.begin(), added.end());
    spanned ? take_all() : start(data_space_engine(targets_), kNotSpanned);
  });
}

void FiniteBelief::observe(Index query, double z, double noise_var) {
  require_row(query, a().size(), "query");
  require_finite(z, "z");
  require_variance(noise_var, "noise_var");
  observe({FiniteObservation{true, query, std::nullopt, targets_->g_mean[query], z, noise_var}});
}

void FiniteBelief::observe(const Queries& a, const Vector& z, const NoiseVar& noise_var) {
  require_not_empty(a.size(), QuerySpace::kName);
  require_columns(a.dimension(), targets_->conditional->query_dimension(), QuerySpace::kName);
  require_rows(z.size(), a.size(), "z");
  require_finite(z, "z");
  const Vector noise = noise_var.of(a.size());
  std::vector<FiniteObservation> added;
  for (Index i = 0; i < a.size(); ++i) added.push_back(answer(*targets_, a.slice(i, 1), z[i], noise[i]));
  observe(added);
}

void FiniteBelief::observe(const Inputs& x, const Vector& z, const NoiseVar& noise_var) {
  require_not_empty(x.size(), InputSpace::kName);
  require_columns(x.dimension(), targets_->prior.kernel->dimension(), InputSpace::kName);
  require_rows(z.size(), x.size(), "z");
  require_finite(z, "z");
  const Vector noise = noise_var.of(x.size());
  std::vector<FiniteObservation> added;
  for (Index i = 0; i < x.size(); ++i) added.push_back(look(*targets_, x.slice(i, 1), z[i], noise[i]));
  observe(added);
}

void FiniteBelief::add(const Queries& more) {
  if (!more.empty()) extend(more);
}

bool FiniteBelief::extend(const Queries& more) {
  require_columns(more.dimension(), targets_->conditional->query_dimension(), QuerySpace::kName);
  const StopShield whole;
  const Index before = a().size();
  const auto targets = targets_->with(more);
  const bool extended = engine_->extend(targets);
  targets_ = targets;
  const bool worth_it = asked_ != EngineKind::kAuto || engine_->rank() <= most_rank();
  if (!extended || !worth_it) {
    choose(least_noise_var_);
    return false;
  }
  const Marginals added = engine_->g_from(before);
  g_.mean.conservativeResize(a().size());
  g_.mean.tail(more.size()) = added.mean;
  g_.var.conservativeResize(a().size());
  g_.var.tail(more.size()) = added.var;
  if (fg_cov_) {
    fg_cov_->conservativeResize(Eigen::NoChange, a().size());
    fg_cov_->rightCols(more.size()) = engine_->fg_cov_from(before);
  }
  return true;
}

Matrix FiniteBelief::f_cov(const std::vector<Index>& inputs) const {
  require_rows_of(inputs, x().size(), "inputs");
  return engine_->f_cov(inputs);
}

Matrix FiniteBelief::g_cov(const std::vector<Index>& queries) const {
  require_rows_of(queries, a().size(), "queries");
  return engine_->g_cov(queries);
}

Matrix FiniteBelief::g_cov_among(const std::vector<Index>& queries) const {
  require_rows_of(queries, a().size(), "queries");
  return engine_->g_cov_among(queries);
}

Matrix FiniteBelief::fg_cov(const std::vector<Index>& inputs) const {
  require_rows_of(inputs, x().size(), "inputs");
  if (fg_cov_) return (*fg_cov_)(inputs, Eigen::all);
  return engine_->fg_cov(inputs);
}

double FiniteBelief::prior_apart(const Vector& step) const {
  Rows both = Rows::Zero(2, step.size());
  both.row(1) = step.transpose();
  const Matrix k = targets_->prior.kernel->evaluate(both, both);
  return std::max(0.0, k(0, 0) + k(1, 1) - 2.0 * k(0, 1));
}

const Matrix& FiniteBelief::fg_cov() {
  if (!fg_cov_) {
    Matrix out(x().size(), a().size());
    by_blocks(out.rows(), [&](const std::vector<Index>& rows) {
      out.middleRows(rows.front(), static_cast<Index>(rows.size())) = engine_->fg_cov(rows);
    });
    fg_cov_ = std::move(out);
  }
  return *fg_cov_;
}

FiniteBelief::Paths FiniteBelief::draw(Index count, Rng& rng) const {
  if (count < 1) refuse("count", "is " + std::to_string(count), "at least 1");
  return engine_->draw(count, rng);
}

FiniteBelief::WinProbability FiniteBelief::win_probability(Index row, double error, Index most, Rng& rng,
                                                           const Widening& widening) const {
  require_row(row, x().size(), "row");
  require_positive(error, "error");
  if (most < 1) refuse("most", "is " + std::to_string(most), "at least 1");
  if (widening.factor.size() > 0) {
    require_rows(widening.factor.size(), x().size(), "widening.factor");
    require_rows(widening.about.size(), x().size(), "widening.about");
  }
  return race(*engine_, f_, widening, row, error, most, rng);
}

const Inputs& FiniteBelief::x() const { return targets_->x; }
const Queries& FiniteBelief::a() const { return targets_->a; }
Index FiniteBelief::size() const { return static_cast<Index>(observations_.size()); }
EngineKind FiniteBelief::engine() const { return engine_->kind(); }

std::optional<Marginals> FiniteBelief::g(const Queries& a) const {
  require_not_empty(a.size(), QuerySpace::kName);
  require_columns(a.dimension(), targets_->conditional->query_dimension(), QuerySpace::kName);
  if (!targets_->support_is_x || targets_->prior.discrepancy) return std::nullopt;
  return engine_->g_of(targets_->with(a), targets_->a.size());
}

std::string FiniteBelief::description(bool paths) const {
  return engine_->description(paths) + (reason_.empty() ? "" : " (" + reason_ + ")");
}

}  // namespace iqbo
