#include "data.hpp"

#include <algorithm>
#include <cmath>

#include "iqbo/average/expectation.hpp"
#include "iqbo/kernel/white.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kConstant = 1e-12;  // values that differ by less, relative to their size, are one value

// E X and Var X of each law, coordinate by coordinate.
struct Locations {
  Rows mean, var;
};

struct LocationsOf {
  Locations operator()(const Inputs& x) const { return {x.coordinates(), Rows::Zero(x.size(), x.dimension())}; }
  Locations operator()(const SpreadLaws& p) const {
    return {p.centre, p.sd.array().square() + p.half_width.array().square() / 3.0};
  }
  // Negative weights count with their absolute value: only the locations of the points matter.
  Locations operator()(const DiscreteLaws& p) const {
    const Rows& point = p.support->coordinates();
    Locations out{Rows::Zero(p.weight.rows(), point.cols()), Rows::Zero(p.weight.rows(), point.cols())};
    for (Index i = 0; i < p.weight.rows(); ++i) {
      double total = 0.0;
      for (SparseRows::InnerIterator it(p.weight, i); it; ++it) {
        total += std::abs(it.value());
        out.mean.row(i) += std::abs(it.value()) * point.row(it.col());
      }
      if (total == 0.0) continue;
      out.mean.row(i) /= total;
      for (SparseRows::InnerIterator it(p.weight, i); it; ++it)
        out.var.row(i).array() +=
            std::abs(it.value()) / total * (point.row(it.col()) - out.mean.row(i)).array().square();
    }
    return out;
  }
  Locations operator()(const AxisLaws& p) const {
    const auto d = static_cast<Index>(p.node.size());
    Locations out{Rows(p.node.front().rows(), d), Rows(p.node.front().rows(), d)};
    for (Index c = 0; c < d; ++c) {
      const auto& node = p.node[static_cast<std::size_t>(c)].array();
      const auto& weight = p.weight[static_cast<std::size_t>(c)].array();
      out.mean.col(c) = (node * weight).rowwise().sum();
      out.var.col(c) = ((node.colwise() - out.mean.col(c).array()).square() * weight).rowwise().sum();
    }
    return out;
  }
};

// The locations of a mixture are those of its parts.
Locations locations(const Laws& laws) {
  if (laws.parts().size() == 1) return std::visit(LocationsOf{}, laws.parts().front().kind);
  Locations sum{Rows::Zero(laws.size(), laws.dimension()), Rows::Zero(laws.size(), laws.dimension())};
  double total = 0.0;
  for (const auto& part : laws.parts()) total += std::abs(part.weight);
  for (const auto& part : laws.parts()) {
    const Locations at = std::visit(LocationsOf{}, part.kind);
    sum.mean += std::abs(part.weight) / total * at.mean;
    sum.var.array() += std::abs(part.weight) / total * (at.var.array() + at.mean.array().square());
  }
  sum.var = (sum.var.array() - sum.mean.array().square()).max(0.0);
  return sum;
}

std::string column(Index c) { return "column " + std::to_string(c); }

}  // namespace

FitData::FitData(const Posterior& data, const FitOptions& options)
    : posterior_(data), observations_(posterior_.observations()) {
  measure_locations();
  prepare_noise(options.noise);
  sample_ = std::make_unique<FitSample>(observations_, posterior_.conditional(), noise_);
  prepare_mean(options.mean);
  measure_output();
  measure_averaging();
  if (options.nugget && !options.families.empty()) prepare_nugget();
  if (posterior_.discrepancy() != nullptr) prepare_discrepancy();
}

FitData::FitData(const Posterior& data, const FitOptions& options, const FitReadings& readings,
                 const NodeReadings& nodes)
    : posterior_(data), observations_(posterior_.observations()) {
  measure_locations();
  prepare_noise(readings.likelihood->counts() ? FitOptions::Noise::kKnown : options.noise);
  sample_ = std::make_unique<FitSample>(observations_, posterior_.conditional(), noise_);
  prepare_mean(options.mean);
  measure_output();
  prepare_link(readings, nodes);
  measure_averaging();
  if (!options.nugget || options.families.empty() || nodes.white_share.maxCoeff() == 0.0) return;
  prepare_nugget();
  if (readings.link != Link::kIdentity) sample_->white = nodes.white_share.asDiagonal();
}

// From here on the unit is that of eta: at the rate of all answers together, dg = h' d eta.
void FitData::prepare_link(const FitReadings& readings, const NodeReadings& nodes) {
  constexpr double kLeastSd = 0.1, kMostSd = 2.0;  // of eta; and of f, in units of that rate
  double y = 0.0, exposure = 0.0;
  for (const Count& each : nodes.readings.answers) {
    y += each.y;
    exposure += each.exposure;
  }
  const bool counts = readings.likelihood->counts();
  double rate = counts ? (y + 0.5) / (exposure + 1.0) : y / exposure;
  if (readings.link == Link::kLog && !(rate > 0.0)) rate = output_sd_;
  const double level = inverse(readings.link, rate);
  const double spread = output_sd_ / slope(readings.link, level);
  if (counts && readings.link == Link::kIdentity)
    output_sd_ = rate * std::clamp(output_sd_ / rate, kLeastSd, kMostSd);
  else if (readings.link != Link::kIdentity)
    output_sd_ = std::clamp(spread, kLeastSd, kMostSd);
  sample_ = std::make_unique<FitSample>(nodes, posterior_.conditional(), readings.likelihood, readings.link);
  for (std::size_t i = 0; i < sample_->linked->readings.answers.size() && !counts; ++i)
    sample_->linked->readings.answers[i].noise_var = noise_[static_cast<Index>(i)];
  if (mean_->parameters().size() > 0 && to_user_.cols() > 0)
    scale_mean_basis(level);
  else
    sample_->mean_basis.resize(sample_->size(), 0);
  sample_->linked->mean = sample_->mean_of(*mean(Vector::Zero(mean_parameters())));
}

void FitData::measure_locations() {
  const Index d = posterior_.kernel().dimension();
  Rows mean(size(), d);
  Rows var(size(), d);
  for (const auto& part : observations_.parts()) {
    const Locations at = locations(part.functionals.laws);
    mean(part.rows, Eigen::all) = at.mean;
    var(part.rows, Eigen::all) = at.var;
  }
  location_sd_.resize(d);
  for (Index c = 0; c < d; ++c) {
    const double centre = mean.col(c).mean();
    location_sd_[c] = std::sqrt((mean.col(c).array() - centre).square().mean() + var.col(c).mean());
    if (location_sd_[c] > kConstant * std::abs(centre)) continue;
    location_sd_[c] = centre == 0.0 ? 1.0 : std::abs(centre);
    notes_.push_back(column(c) +
                     " is the same for all observations, which therefore say nothing about its lengthscale");
  }
}

void FitData::prepare_mean(FitOptions::MeanModel model) {
  const Index d = dimension();
  mean_ = posterior_.mean().clone();
  if (mean_->parameters().size() == 0 && model != FitOptions::MeanModel::kFixed) {
    notes_.emplace_back("the prior mean is a function of yours and was kept");
    model = FitOptions::MeanModel::kFixed;
  }
  if (model == FitOptions::MeanModel::kFixed) {
    residual_squares_ =
        (observations_.z() - observations_.prior_mean({posterior_.kernel().clone(), mean_, nullptr})).squaredNorm();
    sample_->residual -= sample_->mean_of(*mean_);
    sample_->mean_basis.resize(sample_->size(), 0);
    to_user_.resize(mean_->parameters().size(), 0);
    mean_offset_ = mean_->parameters();
    return;
  }
  mean_ = model == FitOptions::MeanModel::kLinear ? LinearMean(0.0, Vector::Zero(d)).clone() : ConstantMean().clone();
  const double z_mean = observations_.z().mean();
  residual_squares_ = (observations_.z().array() - z_mean).square().sum();
  sample_->residual.array() -= z_mean;
  scale_mean_basis(z_mean);
}

void FitData::scale_mean_basis(double offset) {
  Matrix& basis = sample_->mean_basis;
  basis = sample_->mean_jacobian(*mean_);
  // c + slope . x = beta_0 + sum_c beta_c (x_c - mean x_c) / sd_c: the same functions, better scaled.
  to_user_ = Matrix::Identity(basis.cols(), basis.cols());
  for (Index c = 1; c < basis.cols(); ++c) {
    const double centre = basis.col(c).mean();
    const double sd = location_sd_[c - 1];
    basis.col(c) = (basis.col(c).array() - centre) / sd;
    to_user_(c, c) = 1.0 / sd;
    to_user_(0, c) = -centre / sd;
  }
  mean_offset_ = Vector::Zero(basis.cols());
  mean_offset_[0] = offset;
}

void FitData::measure_output() {
  const Index free =
      std::max<Index>(1, size() - std::min<Index>(1, mean_parameters()));  // one is spent on the mean of z
  output_sd_ = std::sqrt(residual_squares_ / static_cast<double>(free));
  noise_unit_ = output_sd_ * output_sd_;
  const double size_of_z = observations_.z().cwiseAbs().maxCoeff();
  if (output_sd_ > kConstant * size_of_z) return;
  output_sd_ = size_of_z > 0.0 ? size_of_z : 1.0;
  noise_unit_ = output_sd_ * output_sd_;
  flat_ = size() > 1;
  if (flat_)
    notes_.emplace_back(
        size_of_z > 0.0
            ? "all observations are equal: how much f varies cannot be estimated, and it is assumed to vary by at "
              "least 1 % of their size"
            : "all observations are 0: how much f varies cannot be estimated, and it is assumed to vary by "
              "about 1");
  else
    notes_.emplace_back("there is only one observation: variances are guessed from its size");
}

// The extent is that of a uniform distribution with the same sd.
Vector FitData::usual_lengthscale() const {
  const double points_per_axis = std::pow(static_cast<double>(size()), 1.0 / static_cast<double>(dimension()));
  return std::sqrt(12.0) / std::sqrt(points_per_axis) * location_sd_;
}

void FitData::measure_averaging() {
  const Matern32 usual(1.0, usual_lengthscale());
  double share = 0.0;
  for (const auto& part : observations_.parts()) share += expect_diagonal(usual, part.functionals.laws).sum();
  share /= static_cast<double>(size());
  usual_variance_ = output_sd_ * output_sd_ / std::max(share, 1e-6);
}

void FitData::prepare_noise(FitOptions::Noise noise) {
  noise_ = observations_.noise_var();
  fits_noise_ = noise == FitOptions::Noise::kFitted;
  if (!fits_noise_) return;
  const double mean = noise_.mean();
  if (mean > 0.0)
    noise_ /= mean;
  else
    noise_.setOnes();
}

void FitData::prepare_nugget() {
  if (!posterior_.conditional().support()) {
    notes_.emplace_back(
        "no nugget is fitted: p(x|a) has no finite support, and an average over a density does not show a nugget");
    return;
  }
  Matrix& white = sample_->white;
  white = sample_->under(White(1.0, dimension()), false).covariance;
  if (sample_->linked) return;
  const Vector share = white.diagonal().cwiseQuotient(sample_->noise.cwiseMax(1e-300));
  const Vector others = white * Vector::Ones(white.rows()) - white.diagonal();
  if (fits_noise_ && size() > 1 && sample_->size() == size() &&
      (share.array() - share[0]).abs().maxCoeff() <= 1e-3 * share[0] &&
      others.cwiseAbs().maxCoeff() <= 1e-6 * white.diagonal().maxCoeff())
    notes_.emplace_back(
        "every observation averages over equally many points, so that nugget and noise cannot be told apart, and their "
        "shares of the white variance are guessed; if the noise is known, state it");
}

void FitData::prepare_discrepancy() {
  const Kernel& l = *posterior_.discrepancy();
  if (l.parameter_names().front() != "variance")
    refuse("discrepancy", "its first parameter is " + l.parameter_names().front(), "variance");
  Vector theta = l.log_parameters();
  theta[0] = 0.0;
  sample_->discrepancy = sample_->gram_of_queries(*l.with_log_parameters(theta));
}

std::shared_ptr<const Mean> FitData::mean(const Vector& beta) const {
  if (mean_parameters() == 0) return mean_;
  return mean_->with_parameters(mean_offset_ + to_user_ * beta);
}

}  // namespace iqbo
