#include "iqbo/likelihood/linked.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <map>

#include "average/nodes.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/kernel/stationary_part.hpp"
#include "node_readings.hpp"
#include "sites.hpp"
#include "tilted.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr Index kMostNodes = 1200;
constexpr double kLeastShare = 0.1;  // of the rate of all answers together: g under the identity link may be negative

// The answers that stand for the counts, each where the count was asked.
Posterior conditioned(Posterior prior, const std::vector<CountedAnswer>& asked, const Vector& z, const Vector& noise) {
  for (const bool values : {false, true}) {
    std::vector<Index> rows;
    Rows at;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (std::holds_alternative<Inputs>(asked[i].at) != values) continue;
      rows.push_back(static_cast<Index>(i));
      std::visit([&](const auto& one) { at = stacked(at, one.coordinates()); }, asked[i].at);
    }
    if (rows.empty()) continue;
    if (values)
      prior = prior.condition(Inputs(std::move(at)), z(rows), Vector(noise(rows)));
    else
      prior = prior.condition(Queries(std::move(at)), z(rows), Vector(noise(rows)));
  }
  return prior;
}

// The same kernel with its white parts made negligible. Parameters are in the order of the terms, a variance first.
std::shared_ptr<const Kernel> without_white(const Kernel& kernel) {
  constexpr double kNegligible = 1e-12;
  Vector theta = kernel.log_parameters();
  Index at = 0;
  for (const KernelTerm& term : kernel.stationary_terms()) {
    if (term.kind == KernelTerm::Kind::kOpaque) break;
    if (term.kind == KernelTerm::Kind::kWhite) theta[at] += std::log(kNegligible);
    ++at;
    for (const auto& [part, columns] : term.factors) at += static_cast<Index>(columns.size()) + part->shape().size();
  }
  return kernel.with_log_parameters(theta);
}

// The reweighted laws of what was asked, over nodes.
class AskedLaws final : public Conditional {
 public:
  AskedLaws(const NodeReadings& data, const Linearised& found, Index query_dimension)
      : points_(data.points), query_dimension_(query_dimension) {
    weight_ = data.readings.weight;
    for (Index i = 0; i < weight_.rows(); ++i) {
      for (SparseRows::InnerIterator it(weight_, i); it; ++it) it.valueRef() *= found.tilt[it.col()] / found.scale[i];
      if (const auto* a = std::get_if<Queries>(&data.asked[static_cast<std::size_t>(i)].at))
        row_.try_emplace({a->row(0).begin(), a->row(0).end()}, i);
    }
  }

  std::shared_ptr<const Conditional> clone() const override { return std::make_shared<AskedLaws>(*this); }
  Index input_dimension() const override { return points_->dimension(); }
  Index query_dimension() const override { return query_dimension_; }
  Gradients gradients() const override { return Gradients::kNone; }
  Laws laws(const Queries& a) const override {
    SparseRows out(a.size(), weight_.cols());
    std::vector<Eigen::Triplet<double, Index>> entries;
    for (Index i = 0; i < a.size(); ++i)
      for (SparseRows::InnerIterator it(weight_, row_.at({a.row(i).begin(), a.row(i).end()})); it; ++it)
        entries.emplace_back(i, it.col(), it.value());
    out.setFromTriplets(entries.begin(), entries.end());
    return DiscreteLaws{points_, out};
  }

  // Of a quantity at the nodes, or of its square with the weights squared.
  Vector mean_of(const Vector& at_nodes) const { return weight_ * at_nodes; }
  Vector mean_of_squares(const Vector& at_nodes) const { return SparseRows(weight_.cwiseProduct(weight_)) * at_nodes; }

 private:
  std::shared_ptr<const Inputs> points_;
  Index query_dimension_;
  SparseRows weight_;
  std::map<std::vector<double>, Index> row_;
};

Posterior without_observations(const Posterior& of, const Conditional& conditional) {
  return {of.kernel(), conditional, of.mean()};
}

}  // namespace

LinkedPosterior::LinkedPosterior(const Posterior& prior, const std::vector<CountedAnswer>& answers,
                                 LikelihoodPtr likelihood, Link link)
    : likelihood_(std::move(likelihood)), link_(link), conditional_(prior.conditional().clone()) {
  if (prior.size() > 0) refuse("prior", std::to_string(prior.size()) + " observations", "none");
  if (!likelihood_->admits(link))
    refuse("link", to_string(link) + " with " + likelihood_->name() + " answers", "a link that the family admits");
  for (std::size_t i = 0; i < answers.size(); ++i)
    likelihood_->check(answers[i].count, "answers, row " + std::to_string(i));
  double y = 0.0, exposure = 0.0;
  for (const CountedAnswer& each : answers) {
    y += each.count.y;
    exposure += each.count.exposure;
  }
  usual_rate_ = exposure > 0.0 ? (y + 0.5) / exposure : 1.0;
  if (link != Link::kIdentity)
    linearise(prior, answers);
  else
    by_sites(prior, answers);
}

void LinkedPosterior::linearise(const Posterior& prior, const std::vector<CountedAnswer>& answers) {
  if (answers.empty()) return tilt_untouched(prior, {}, {});
  const NodeReadings data(*conditional_, answers, *likelihood_, kMostNodes);
  const Matrix cov = data.covariance(prior.kernel());
  const LatentProblem problem{cov, data.mean(prior.mean(), prior.kernel(), link_), data.readings, *likelihood_, link_};
  const Linearised found = linearised(problem);
  log_evidence_ = LatentPosterior(problem).log_evidence();
  iterations_ = found.iterations;
  settled_ = found.settled;
  const Inputs* support = conditional_->support();
  if (support == nullptr || data.is_thinned) return from_nodes(prior, data, found);
  Vector tilt = Vector::Ones(support->size());
  std::vector<bool> touched(static_cast<std::size_t>(tilt.size()), false);
  for (std::size_t x = 0; x < data.support_row.size(); ++x) {
    if (data.support_row[x] < 0) continue;
    tilt[data.support_row[x]] = found.tilt[static_cast<Index>(x)];
    touched[static_cast<std::size_t>(data.support_row[x])] = true;
  }
  const Posterior believed = conditioned(without_observations(prior, TiltedConditional(conditional_, tilt)), data.asked,
                                         found.z, found.noise_var);
  tilt_untouched(believed, std::move(tilt), touched);
}

// Nodes are not the points of p(x|a) themselves, but tell what is believed there; one more step is then made with these.
void LinkedPosterior::from_nodes(const Posterior& prior, const NodeReadings& data, const Linearised& found) {
  const AskedLaws asked(data, found, conditional_->query_dimension());
  const double white = white_variance(prior.kernel());
  const Vector z = found.z - white * asked.mean_of(data.mean_rise(link_));
  const Vector noise = found.noise_var + white * asked.mean_of_squares(data.white_share);
  const Posterior smooth(*without_white(prior.kernel()), asked, prior.mean());
  const auto at_nodes = std::make_shared<const Posterior>(conditioned(smooth, data.asked, z, noise));
  if (conditional_->support() == nullptr) {
    const TiltedConditional tilted(conditional_, at_nodes, link_);
    eta_ = std::make_shared<const Posterior>(
        conditioned(without_observations(prior, tilted), data.asked, found.z, found.noise_var));
    return;
  }
  Marginals eta = at_nodes->f(*conditional_->support());
  eta.var.array() += white;
  const LinkMoments f = moments(link_, eta.mean, eta.var);
  const TiltedConditional tilted(conditional_, f.slope);
  const auto t = static_cast<Index>(data.asked.size());
  Vector fine(t), fine_noise(t);
  for (Index i = 0; i < t; ++i) {
    const CountedAnswer& each = data.asked[static_cast<std::size_t>(i)];
    const auto* a = std::get_if<Queries>(&each.at);
    if (a == nullptr) {  // an input is a node of its own
      fine[i] = found.z[i];
      fine_noise[i] = found.noise_var[i];
      continue;
    }
    const double g = conditional_->average(*a, f.mean)(0, 0), scale = conditional_->average(*a, f.slope)(0, 0);
    const double spread = link_ == Link::kLog ? at_nodes->g(*a).var[0] : 0.0;
    const auto stand_in = likelihood_->working(each.count, g, spread);
    fine[i] = stand_in.residual / scale + tilted.average(*a, eta.mean)(0, 0);
    fine_noise[i] = stand_in.variance / (scale * scale);
  }
  eta_ =
      std::make_shared<const Posterior>(conditioned(without_observations(prior, tilted), data.asked, fine, fine_noise));
}

// Laws that were not asked reach points whose tilt follows from what is believed there.
void LinkedPosterior::tilt_untouched(const Posterior& believed, Vector tilt, const std::vector<bool>& touched) {
  const Inputs* support = conditional_->support();
  if (support == nullptr) {
    const TiltedConditional tilted(conditional_, std::make_shared<const Posterior>(believed), link_);
    eta_ = std::make_shared<const Posterior>(believed.with_conditional(tilted));
    return;
  }
  const Marginals everywhere = believed.f(*support);
  const Vector slopes = moments(link_, everywhere.mean, everywhere.var).slope;
  if (touched.empty()) tilt = slopes;
  for (std::size_t x = 0; x < touched.size(); ++x)
    if (!touched[x]) tilt[static_cast<Index>(x)] = slopes[static_cast<Index>(x)];
  eta_ = std::make_shared<const Posterior>(believed.with_conditional(TiltedConditional(conditional_, tilt)));
}

// The averages themselves are Gaussian, and answers that stand for the counts are answers about them.
void LinkedPosterior::by_sites(const Posterior& prior, const std::vector<CountedAnswer>& answers) {
  if (!likelihood_->counts()) {
    Vector z(static_cast<Index>(answers.size())), noise(z.size());
    for (std::size_t i = 0; i < answers.size(); ++i) {
      z[static_cast<Index>(i)] = answers[i].count.y;
      noise[static_cast<Index>(i)] = likelihood_->variance(answers[i].count, 0.0);
    }
    eta_ = std::make_shared<const Posterior>(conditioned(prior, answers, z, noise));
    log_evidence_ = answers.empty() ? 0.0 : eta_->log_evidence();
    return;
  }
  if (answers.empty()) {
    eta_ = std::make_shared<const Posterior>(prior);
    return;
  }
  const NodeReadings data(*conditional_, answers, *likelihood_, 0);
  // Only the covariances and the order of the answers are used: what they said does not matter yet.
  const auto t = static_cast<Index>(data.asked.size());
  const Posterior shape = conditioned(prior, data.asked, Vector::Zero(t), Vector::Ones(t));
  std::vector<Count> counts;
  Matrix cov(t, t);
  Vector mean(t);
  std::vector<Index> order;  // answers at queries first, as conditioned() has them
  for (const bool values : {false, true})
    for (Index i = 0; i < t; ++i)
      if (std::holds_alternative<Inputs>(data.asked[static_cast<std::size_t>(i)].at) == values) order.push_back(i);
  for (const Index i : order) counts.push_back(data.asked[static_cast<std::size_t>(i)].count);
  mean = -shape.prior_residual();
  const Index asked = shape.queries().size();
  if (asked > 0) cov.leftCols(asked) = shape.observed_cov(shape.queries()).transpose();
  if (asked < t) cov.rightCols(t - asked) = shape.observed_cov(shape.inputs()).transpose();
  const SitePosterior sites(cov, mean, counts, *likelihood_);
  log_evidence_ = sites.log_evidence();
  iterations_ = sites.sweeps();
  settled_ = sites.settled();
  Vector z(t), noise(t);
  for (Index k = 0; k < t; ++k) {
    z[order[static_cast<std::size_t>(k)]] = sites.z()[k];
    noise[order[static_cast<std::size_t>(k)]] = sites.noise_var()[k];
  }
  eta_ = std::make_shared<const Posterior>(conditioned(prior, data.asked, z, noise));
}

Marginals LinkedPosterior::f(const Inputs& x) const {
  const Marginals eta = eta_->f(x);
  const LinkMoments out = moments(link_, eta.mean, eta.var);
  return {out.mean, out.var};
}

std::pair<Vector, Vector> LinkedPosterior::interval(const Inputs& x, double probability) const {
  if (!(probability > 0.0 && probability < 1.0)) refuse("probability", readable(probability), "between 0 and 1");
  const double reach = quantile(boost::math::normal(), 0.5 + 0.5 * probability);
  const Marginals eta = eta_->f(x);
  const Vector sd = eta.var.cwiseSqrt();
  return {apply(link_, Vector(eta.mean - reach * sd)), apply(link_, Vector(eta.mean + reach * sd))};
}

LinkedPosterior::Scale LinkedPosterior::scale(const Queries& a) const {
  if (link_ == Link::kIdentity) return {eta_->g(a).mean, Vector::Ones(a.size())};
  const DiscreteLaws laws = as_points(conditional_->laws(a));
  const Marginals eta = eta_->f(*laws.support);
  const LinkMoments f = moments(link_, eta.mean, eta.var);
  return {laws.weight * f.mean, laws.weight * f.slope};
}

Marginals LinkedPosterior::g(const Queries& a) const {
  const Scale at = scale(a);
  return {at.g, at.slope.cwiseAbs2().cwiseProduct(eta_->g(a).var)};
}

Vector LinkedPosterior::noise_var(const Queries& a, const std::vector<Count>& like) const {
  require_rows(static_cast<Index>(like.size()), a.size(), "like");
  const Scale at = scale(a);
  Vector out(a.size());
  for (Index i = 0; i < a.size(); ++i) {
    const double g = link_ == Link::kIdentity ? std::max(at.g[i], kLeastShare * usual_rate_) : at.g[i];
    const double slope = at.slope[i];
    out[i] = likelihood_->variance(like[static_cast<std::size_t>(i)], g) / (slope * slope);
  }
  return out;
}

}  // namespace iqbo
