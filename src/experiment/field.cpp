#include "field.hpp"

#include <algorithm>
#include <cmath>

#include "iqbo/search/search.hpp"
#include "numerics/pivoted_cholesky.hpp"
#include "numerics/sobol.hpp"

namespace iqbo {

using namespace internal;

namespace {

class Covariances final : public CovarianceSource {
 public:
  Covariances(const Kernel& k, const Inputs& x) : k_(k), x_(x) {}
  Vector diagonal() const override { return k_.diagonal(x_); }
  Matrix columns(const std::vector<Index>& which) const override { return k_.gram(x_, rows(which)); }
  Matrix block(const std::vector<Index>& which) const override { return k_.gram(rows(which)); }

 private:
  Inputs rows(const std::vector<Index>& which) const { return Inputs(Rows(x_.coordinates()(which, Eigen::all))); }
  const Kernel& k_;
  const Inputs& x_;
};

struct Reach : Bounds {
  void include(const Rows& centre, const Rows& around) {
    lower = lower.cwiseMin((centre - around).colwise().minCoeff().transpose());
    upper = upper.cwiseMax((centre + around).colwise().maxCoeff().transpose());
  }
};

// X, and three sd beyond the centre of every window.
Reach reach(const Setting& setting, bool& windows) {
  constexpr Index kAbout = 512;  // corners included: windows reach furthest there
  Reach out{bounds(setting.targets)};
  const Queries a = setting.queries->overview(kAbout);
  const Laws laws = setting.conditional->laws(a);
  for (const auto& part : laws.parts())
    if (const auto* spread = std::get_if<SpreadLaws>(&part.kind)) {
      out.include(spread->centre, 3.0 * spread->sd + spread->half_width);
      windows = true;
    }
  return out;
}

}  // namespace

Vector Field::f(const Inputs& x) const { return prior_.f(x).mean + prior_.kernel().gram(x, points_) * weight_; }
Vector Field::g(const Queries& a) const { return prior_.g(a).mean + prior_.fg_cov(points_, a).transpose() * weight_; }

FieldPrior::FieldPrior(const Posterior& prior, const Inputs& among) : prior_(prior) {
  const Covariances k(prior.kernel(), among);
  const double var = k.diagonal().maxCoeff();
  const PivotedCholesky found = pivoted_cholesky(k, kResolved * var, kMostPoints, among.size());
  points_ = Inputs(Rows(among.coordinates()(found.pivots, Eigen::all)));
  triangle_ = found.triangle();
  unresolved_ = found.residual.maxCoeff() / var;
}

Field FieldPrior::draw(Rng& rng) const {
  const Vector eps = rng.normals(size());
  return {prior_, points_, triangle_.triangularView<Eigen::Lower>().transpose().solve(eps)};
}

Inputs where_f_matters(const Setting& setting) {
  constexpr Index kSpread = 4096;
  Inputs out;
  if (const auto* list = std::get_if<InputSet>(&setting.targets)) out = list->points();
  if (const Inputs* support = setting.conditional->support()) out = out.joined(*support);
  bool windows = false;
  const Reach all = reach(setting, windows);
  if (!windows && std::holds_alternative<InputSet>(setting.targets)) return out;
  Rng rng(1);
  Rows spread = sobol(kSpread, all.lower.size(), rng) * (all.upper - all.lower).asDiagonal();
  spread.rowwise() += all.lower.transpose();
  return out.joined(Inputs(std::move(spread)));
}

double largest(const Field& field, const TargetSpace& x, Rng& rng) {
  if (const auto* list = std::get_if<InputSet>(&x)) return field.f(list->points()).maxCoeff();
  const InputScore f{[&](const Inputs& at, Rows* /*gradient*/) { return field.f(at); }, false};
  SearchOptions options;
  options.points = 4096;
  return search(f, std::get<InputBox>(x), Inputs(), rng, options).score;
}

}  // namespace iqbo
