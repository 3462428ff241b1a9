#include "objective.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "iqbo/core/stop.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"
#include "numerics/cholesky.hpp"

namespace iqbo {

using namespace internal;

namespace {

using Kind = FitParameter::Kind;

// Priors, relative to the unit of the parameter (FitData::usual_variance, usual_lengthscale; s^2 for noise and
// discrepancy): the median, the sd of the logarithm, and the bounds. docs/fitting.md says why.
struct Weak {
  double median, sd, low, high;
};

constexpr double kLeastDiscrepancySd = 0.01;
constexpr double kMostLinkedVariance = 6.0;  // of eta, f = exp(eta): a coefficient of variation of 20
constexpr double kMostLinkedNugget = 2.0;
constexpr double kLeastFlatVariance = 1e-4;  // where all z are the same

// Lengthscales of columns with the same unit: log l_c = common + own_c, and this is the sd of own_c.
constexpr double kOwnSd = 0.35;
constexpr double kOneUnit = 10.0;  // extents that differ by no more may have one unit

// Which columns have the same unit, as far as is known.
std::vector<int> units_of(const FitOptions& options, const Vector& extent) {
  std::vector<int> out = options.units;
  if (!out.empty()) {
    require_rows(static_cast<Index>(out.size()), extent.size(), "units");
    return out;
  }
  const bool one = extent.maxCoeff() <= kOneUnit * extent.minCoeff();
  for (int c = 0; c < extent.size(); ++c) out.push_back(one ? 0 : c);
  return out;
}

Weak weak(Kind kind) {
  switch (kind) {
    case Kind::kLengthscale:
      return {1.0, 1.5, 1e-2, 1e2};
    case Kind::kVariance:
      return {1.0, 1.5, 1e-6, 1e6};
    case Kind::kShape:
      return {1.0, 1.5, 0.05, 1e2};
    case Kind::kNugget:
      return {0.1, 2.5, 1e-6, 1e4};
    case Kind::kNoise:
      return {0.01, 2.5, 1e-11, 1e1};
    case Kind::kDiscrepancy:
      return {1.0, 0.4, 1e-8, 4.0};  // sd: of tau / s, or the error that the conditional states if that is less
    case Kind::kDispersion:
      return {0.1, 1.5, 1e-4, 1e1};
    case Kind::kOther:
      break;
  }
  return {1.0, 3.0, 1e-4, 1e4};
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// Which of a stationary kernel's parameters are lengthscales without a unit.
std::vector<std::size_t> pure_numbers(const Kernel& kernel) {
  std::vector<std::size_t> out;
  std::size_t at = 0;
  for (const KernelTerm& term : kernel.stationary_terms()) {
    if (term.kind == KernelTerm::Kind::kOpaque) return {};
    ++at;
    for (const auto& [part, columns] : term.factors) {
      for (std::size_t c = 0; c < columns.size() && !part->family().lengthscale_is_length; ++c) out.push_back(at + c);
      at += columns.size() + static_cast<std::size_t>(part->shape().size());
    }
  }
  return out;
}

}  // namespace

FitObjective::FitObjective(const FitData& data, const FitSample& sample, const Kernel& kernel,
                           const FitOptions& options)
    : data_(data), sample_(&sample), kernel_(kernel.clone()), has_priors_(options.priors) {
  if (options.families.empty())
    add_general();
  else
    add_stationary(kernel_->stationary_terms().front().factors.front().part->family(), options);
  const double s2 = data_.output_sd() * data_.output_sd();
  if (sample.white.size() > 0) {
    nugget_ = size();
    add(Kind::kNugget, "nugget", data_.usual_variance());
  }
  if (data_.fits_noise()) {
    noise_ = size();
    add(Kind::kNoise, "noise_var", data_.noise_unit());
  }
  if (sample.linked && sample.linked->likelihood->counts() && sample.linked->likelihood->has_parameter()) {
    dispersion_ = size();
    add(Kind::kDispersion, "dispersion", 1.0);
  }
  if (sample.discrepancy.size() > 0) {
    discrepancy_ = size();
    add(Kind::kDiscrepancy, "discrepancy_var", s2);
    // Logged pairs tell how far the averages learned from them may be off.
    if (const auto error = data_.posterior().conditional().relative_error())
      parameters_.back().sd = std::clamp(*error, kLeastDiscrepancySd, parameters_.back().sd);
  }
}

void FitObjective::add(Kind kind, std::string name, double unit) {
  auto [median, sd, low, high] = weak(kind);
  // Equal answers favour a variance of 0, the more so the more there are; that is not enough evidence to believe it.
  if (data_.flat() && kind == Kind::kVariance) low = std::max(low, kLeastFlatVariance);
  // exp(eta) of a wide eta is absurd: E f = exp(variance / 2) e^mean is not to hang on a draw of the variance.
  if (sample_->linked && sample_->linked->link != Link::kIdentity) {
    if (kind == Kind::kVariance) sd = 1.0, high = std::min(high, kMostLinkedVariance / unit);
    if (kind == Kind::kNugget) high = std::min(high, kMostLinkedNugget / unit);
  }
  const double top = std::log(unit * high);
  parameters_.push_back({std::move(name), kind, std::min(std::log(unit * median), top - 1.0), sd,
                         std::min(std::log(unit * low), top - 2.0), top});
}

// Adds one parameter for each column, or one for all; the prior median of a pure number is 1.
void FitObjective::add_columns(const std::string& name, bool is_length, const FitOptions& options) {
  const Vector usual = is_length ? data_.usual_lengthscale() : Vector::Ones(data_.dimension());
  const Kind kind = is_length ? Kind::kLengthscale : Kind::kShape;
  if (options.ard && kind == Kind::kLengthscale) return add_alike(name, units_of(options, data_.location_sd()));
  if (!options.ard) {
    source_.insert(source_.end(), static_cast<std::size_t>(usual.size()), size());
    return add(kind, name, std::sqrt(usual.array().square().mean()));
  }
  for (Index c = 0; c < usual.size(); ++c) {
    source_.push_back(size());
    add(kind, name + "[" + std::to_string(c) + "]", usual[c]);
  }
}

// Columns that share a unit have the same prior median.
void FitObjective::add_alike(const std::string& name, const std::vector<int>& units) {
  const Vector usual = data_.usual_lengthscale().array().log();
  const Index first = size();
  for (std::size_t c = 0; c < units.size(); ++c) {
    std::vector<Index> same;
    for (std::size_t other = 0; other < units.size(); ++other)
      if (units[other] == units[c]) same.push_back(static_cast<Index>(other));
    source_.push_back(size());
    add(Kind::kLengthscale, name + "[" + std::to_string(c) + "]", std::exp(usual(same).mean()));
    parameters_.back().alike = same.size() > 1;
    if (same.size() < 2 || same.front() != static_cast<Index>(c)) continue;
    for (Index& position : same) position += first;
    alike_.push_back(std::move(same));
  }
}

void FitObjective::add_stationary(const StationaryFamily& family, const FitOptions& options) {
  oscillates_ = family.oscillates;
  add(Kind::kVariance, "variance", data_.usual_variance());
  source_.push_back(0);
  add_columns("lengthscale", family.lengthscale_is_length, options);
  for (const ShapeParameter& each : family.shape) {
    if (each.per_column) {
      add_columns(each.name, each.is_length, options);
      continue;
    }
    source_.push_back(size());
    add(Kind::kShape, each.name, 1.0);
  }
}

void FitObjective::add_general() {
  const auto names = kernel_->parameter_names();
  const Vector given = kernel_->log_parameters().array().exp();
  const Vector usual = data_.usual_lengthscale();
  const auto numbers = pure_numbers(*kernel_);
  for (std::size_t i = 0; i < names.size(); ++i) {
    source_.push_back(size());
    const auto bracket = names[i].rfind("lengthscale[");
    if (std::count(numbers.begin(), numbers.end(), i) > 0) {
      add(Kind::kShape, names[i], given[static_cast<Index>(i)]);
    } else if (bracket != std::string::npos) {
      const auto c = static_cast<Index>(std::stol(names[i].substr(bracket + 12)));
      const bool known = c < data_.dimension();
      add(Kind::kLengthscale, names[i], known ? usual[c] : given[static_cast<Index>(i)]);
    } else if (ends_with(names[i], "variance")) {
      add(Kind::kVariance, names[i], data_.usual_variance());
    } else if (ends_with(names[i], "nugget")) {
      add(Kind::kNugget, names[i], data_.usual_variance());
    } else {
      add(Kind::kOther, names[i], given[static_cast<Index>(i)]);
    }
  }
}

Index FitObjective::position(Kind kind) const {
  for (Index i = 0; i < size(); ++i)
    if (parameters_[static_cast<std::size_t>(i)].kind == kind) return i;
  return -1;
}

Vector FitObjective::low() const {
  Vector out(size());
  for (Index i = 0; i < size(); ++i) out[i] = parameters_[static_cast<std::size_t>(i)].low;
  return out;
}

Vector FitObjective::high() const {
  Vector out(size());
  for (Index i = 0; i < size(); ++i) out[i] = parameters_[static_cast<std::size_t>(i)].high;
  return out;
}

Vector FitObjective::centre() const {
  Vector out(size());
  for (Index i = 0; i < size(); ++i) out[i] = parameters_[static_cast<std::size_t>(i)].centre;
  return out;
}

Vector FitObjective::at(const Hyperparameters& values) const {
  Vector out = centre();
  for (const FittedParameter& known : values.parameters())
    for (Index i = 0; i < size(); ++i)
      if (parameters_[static_cast<std::size_t>(i)].name == known.name && known.value > 0.0)
        out[i] = std::log(known.value);
  return out.cwiseMax(low()).cwiseMin(high());
}

double FitObjective::amount(Index position, const Vector& theta) const {
  return position < 0 ? 0.0 : std::exp(theta[position]);
}

std::shared_ptr<const Kernel> FitObjective::kernel(const Vector& theta) const {
  return kernel_->with_log_parameters(theta(source_));
}

Prior FitObjective::prior(const Vector& theta, const Vector& beta) const {
  Prior out{kernel(theta), data_.mean(beta), nullptr};
  if (nugget_ >= 0)
    out.kernel =
        std::make_shared<Sum>(Sum::Terms{out.kernel, White(amount(nugget_, theta), data_.dimension()).clone()});
  if (discrepancy_ >= 0) {
    const Kernel* l = data_.posterior().discrepancy();
    Vector l_theta = l->log_parameters();
    l_theta[0] = theta[discrepancy_];
    out.discrepancy = l->with_log_parameters(l_theta);
  }
  return out;
}

Vector FitObjective::noise_var(const Vector& theta) const {
  return data_.fits_noise() ? Vector(amount(noise_, theta) * data_.noise()) : data_.noise();
}

namespace {

// d ~ N(0, own^2 I + (sd^2 - own^2) 1 1'): each has the sd of a parameter alone, and two are alike.
struct Alike {
  double count;
  double own_var;
  double common_var;

  Alike(const std::vector<Index>& rows, const std::vector<FitParameter>& parameters)
      : count(static_cast<double>(rows.size())),
        own_var(kOwnSd * kOwnSd),
        common_var(std::pow(parameters[static_cast<std::size_t>(rows.front())].sd, 2) - own_var) {}
  Vector precision_times(const Vector& d) const {
    return ((d.array() - common_var / (own_var + count * common_var) * d.sum()) / own_var).matrix();
  }
  double log_determinant() const { return (count - 1.0) * std::log(own_var) + std::log(own_var + count * common_var); }
};

}  // namespace

double FitObjective::log_prior_constant() const {
  if (!has_priors_) return 0.0;
  const double log_root_2pi = 0.5 * std::log(2.0 * std::numbers::pi);
  double sum = 0.0;
  // tau / s is half-normal; d tau / d theta = tau / 2, of which log_prior() has the logarithm of tau / s.
  for (const FitParameter& p : parameters_)
    if (!p.alike) sum -= log_root_2pi + std::log(p.sd);
  for (const auto& rows : alike_) {
    const Alike alike(rows, parameters_);
    sum -= alike.count * log_root_2pi + 0.5 * alike.log_determinant();
  }
  return sum;
}

double FitObjective::log_prior(const Vector& theta, Vector* gradient) const {
  if (!has_priors_) return 0.0;
  double sum = 0.0;
  for (const auto& rows : alike_) {
    const Alike alike(rows, parameters_);
    const Vector deviate = (theta - centre())(rows);
    const Vector slope = -alike.precision_times(deviate);
    sum += 0.5 * slope.dot(deviate);
    if (gradient != nullptr) (*gradient)(rows) += slope;
  }
  for (Index i = 0; i < size(); ++i) {
    const FitParameter& p = parameters_[static_cast<std::size_t>(i)];
    double slope = 0.0;
    if (p.kind == Kind::kDiscrepancy) {
      const double ratio2 = std::exp(theta[i] - p.centre) / (p.sd * p.sd);  // (tau / (sd s))^2
      sum -= 0.5 * ratio2;
      slope = -0.5 * ratio2;
      if (is_density_) {
        sum += 0.5 * (theta[i] - p.centre);
        slope += 0.5;
      }
    } else if (!p.alike) {
      const double deviate = (theta[i] - p.centre) / p.sd;
      sum -= 0.5 * deviate * deviate;
      slope = -deviate / p.sd;
    }
    if (gradient != nullptr) (*gradient)[i] += slope;
  }
  return sum;
}

FitObjective FitObjective::as_density() const {
  FitObjective out = *this;
  out.is_density_ = true;
  out.evaluations_ = 0;
  return out;
}

FitObjective FitObjective::on(const FitSample& other) const {
  FitObjective out = *this;
  out.sample_ = &other;
  out.evaluations_ = 0;
  return out;
}

FitObjective::Value FitObjective::evaluate(const Vector& theta, Vector* gradient) const {
  return evaluate(sample_->under(*kernel(theta), gradient != nullptr), theta, gradient);
}

FitObjective::Value FitObjective::evaluate_with(const Matrix& covariance, const Vector& theta) const {
  return evaluate({covariance, {}}, theta, nullptr);
}

// With V = S^-1 H and A = B^-1 + H' V:  beta = A^-1 V' r,  (S + H B H')^-1 = S^-1 - V A^-1 V' =: P,  w = P r. Adding
// H B H' to S instead would cost digits, as B is wide.
FitObjective::Value FitObjective::evaluate(LawGram::Under averages, const Vector& theta, Vector* gradient) const {
  stop_point();
  ++evaluations_;
  if (sample_->linked) return evaluate_linked(std::move(averages), theta, gradient);
  const FitSample& sample = *sample_;
  const double factor_of_noise = data_.fits_noise() ? amount(noise_, theta) : 1.0;
  Matrix& s = averages.covariance;
  if (nugget_ >= 0) s += amount(nugget_, theta) * sample.white;
  if (discrepancy_ >= 0) s += amount(discrepancy_, theta) * sample.discrepancy;
  s.diagonal() += factor_of_noise * sample.noise;
  const Matrix& h = sample.mean_basis;
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  Value out{kNone, kNone, 0.0, Vector::Zero(h.cols()), Matrix::Zero(h.cols(), h.cols())};
  if (gradient != nullptr) gradient->setZero();
  if (!s.allFinite()) return out;
  Cholesky factor;
  try {
    factor = Cholesky(s);
  } catch (const NotPositiveDefinite&) {
    return out;
  }
  const double vague_var = std::pow(FitData::kVagueSd * data_.output_sd(), 2);
  Matrix v(h.rows(), h.cols() + 1);
  v << h, sample.residual;
  factor.solve_lower_in_place(v);
  factor.solve_upper_in_place(v);
  const Vector plain = v.col(h.cols());  // S^-1 r
  v.conservativeResize(Eigen::NoChange, h.cols());
  Matrix a = h.transpose() * v;
  a.diagonal().array() += 1.0 / vague_var;
  const Eigen::LLT<Matrix> a_factor(a);
  out.beta_cov = a_factor.solve(Matrix::Identity(h.cols(), h.cols()));
  out.beta = out.beta_cov * (v.transpose() * sample.residual);
  const Vector w = plain - v * out.beta;
  const WithinRepeats& within = sample.within;
  out.quadratic = sample.residual.dot(w) + within.quadratic / factor_of_noise;
  double log_det = factor.log_determinant() + static_cast<double>(h.cols()) * std::log(vague_var);
  if (h.cols() > 0) log_det += 2.0 * Matrix(a_factor.matrixL()).diagonal().array().log().sum();
  log_det += within.log_var + within.count * std::log(factor_of_noise);
  const auto t = static_cast<double>(sample.size());
  out.log_evidence = -0.5 * (out.quadratic + log_det + t * std::log(2.0 * std::numbers::pi));
  out.log_posterior = out.log_evidence + log_prior(theta, gradient);
  if (gradient == nullptr) return out;

  Matrix m = factor.inverse();
  m *= -0.5;
  m.noalias() += (0.5 * w) * w.transpose();
  m.noalias() += (0.5 * v * out.beta_cov) * v.transpose();
  const Vector in_kernel = averages.pull_back(m);
  for (std::size_t i = 0; i < source_.size(); ++i) (*gradient)[source_[i]] += in_kernel[static_cast<Index>(i)];
  if (nugget_ >= 0) (*gradient)[nugget_] += amount(nugget_, theta) * m.cwiseProduct(sample.white).sum();
  if (discrepancy_ >= 0)
    (*gradient)[discrepancy_] += amount(discrepancy_, theta) * m.cwiseProduct(sample.discrepancy).sum();
  if (noise_ >= 0)
    (*gradient)[noise_] +=
        factor_of_noise * m.diagonal().dot(sample.noise) + 0.5 * (within.quadratic / factor_of_noise - within.count);
  return out;
}

}  // namespace iqbo
