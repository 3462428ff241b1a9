// Problems on lists: f is a number for each member of X, and a query is a distribution over them.
#include <array>
#include <utility>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "makers.hpp"
#include "numerics/cholesky.hpp"

namespace iqbo {

using namespace internal;

namespace {

class BagTruth final : public Truth {
 public:
  BagTruth(InputSet x, Vector f, std::shared_ptr<const BagConditional> bags)
      : x_(std::move(x)), queries_(bags->queries()), f_(std::move(f)), bags_(std::move(bags)) {}

  Vector f(const Inputs& x) const override {
    const std::vector<Index> rows = x_.positions(x);
    return f_(rows);
  }
  Vector g(const Queries& a) const override { return bags_->average(a, f_).col(0); }
  Inputs sample(const Queries& a, Rng& rng) const override {
    const std::vector<Index> bags = queries_.positions(a);
    Rows out(a.size(), x_.dimension());
    for (Index i = 0; i < a.size(); ++i) out.row(i) = x_.points().row(draw(bags[static_cast<std::size_t>(i)], rng));
    return Inputs(std::move(out));
  }

 private:
  Index draw(Index bag, Rng& rng) const {
    double left = rng.uniform();
    Index last = 0;
    for (SparseRows::InnerIterator it(bags_->weight(), bag); it; ++it) {
      if (it.value() <= 0.0) continue;
      last = it.col();
      if ((left -= it.value()) <= 0.0) break;
    }
    return last;
  }

  InputSet x_;
  QuerySet queries_;
  Vector f_;
  std::shared_ptr<const BagConditional> bags_;
};

ProblemParts bandit(const ProblemOptions&) {
  const Inputs arms = Inputs::line(Vector{{1.0, 2.0, 3.0, 4.0, 5.0}});
  const Vector reward{{0.3, 0.5, 0.2, 0.9, 0.4}};
  const Matrix share{{0.60, 0.30, 0.10, 0.00, 0.00},  // one context per row
                     {0.10, 0.70, 0.10, 0.05, 0.05}, {0.00, 0.20, 0.40, 0.30, 0.10}, {0.00, 0.00, 0.25, 0.50, 0.25},
                     {0.00, 0.45, 0.00, 0.45, 0.10}, {0.05, 0.05, 0.10, 0.20, 0.60}};
  auto bags = std::make_shared<BagConditional>(arms, SparseRows(share.sparseView()),
                                               Queries::line(Vector{{1.0, 2.0, 3.0, 4.0, 5.0, 6.0}}));
  return {.name = "bandit",
          .title = "Indirect-query bandit",
          .map = "6 contexts over 5 arms",
          .description =
              "The indirect-query bandit of [Zhang26], figure 1: five arms that cannot be pulled, six contexts that "
              "pull them "
              "with known probabilities and return the average reward. The numbers are ours. The context with the best "
              "average "
              "(the fifth) is not the one in which the best arm (the fourth) is pulled most (the fourth).",
          .x_names = {"arm"},
          .a_names = {"context"},
          .truth = std::make_shared<BagTruth>(InputSet(arms), reward, bags),
          .conditional = bags,
          .x = InputSet(arms),
          .a = QuerySet(bags->queries()),
          .noise_sd = 0.05};
}

// Districts around random centres; each pixel belongs to the nearest. They are named by their centroids.
std::shared_ptr<const BagConditional> voronoi(const Inputs& pixels, double side, Index districts, Rng& rng) {
  for (;;) {
    const Rows centres = rng.uniforms(districts, 2) * side;
    std::vector<BagRow> rows;
    Rows centroid = Rows::Zero(districts, 2);
    Vector count = Vector::Zero(districts);
    for (Index i = 0; i < pixels.size(); ++i) {
      Index nearest = 0;
      (centres.rowwise() - pixels.row(i)).rowwise().squaredNorm().minCoeff(&nearest);
      rows.push_back({nearest, i, 1.0});
      centroid.row(nearest) += pixels.row(i);
      count[nearest] += 1.0;
    }
    if (count.minCoeff() == 0.0) continue;  // a district without a pixel: draw again
    centroid.array().colwise() /= count.array();
    return std::make_shared<BagConditional>(pixels, rows, Queries(centroid));
  }
}

Vector draw_field(const Kernel& kernel, const Inputs& x, Rng& rng) {
  Matrix k = kernel.gram(x);
  k.diagonal().array() += 1e-9 * k(0, 0);
  return Cholesky(k).lower() * rng.normals(x.size());
}

ProblemParts districts(const std::string& name, const Kernel& kernel, const std::string& field,
                       const ProblemOptions& options) {
  constexpr Index kSide = 20;
  constexpr Index kDistricts = 40;
  const InputSet x(InputBox(Vector{{0.5, 0.5}}, Vector{{kSide - 0.5, kSide - 0.5}}).grid({kSide, kSide}));
  Rng rng(options.seed.value_or(kDefaultSeed), {7});
  const auto bags = voronoi(x.points(), kSide, kDistricts, rng);
  const Vector f = draw_field(kernel, x.points(), rng);
  return {.name = name,
          .title = name == "districts" ? "Districts" : "Districts, rough field",
          .map = "40 Voronoi districts",
          .description =
              "400 pixels (20 x 20) in 40 Voronoi districts around random centres; f is drawn from " + field +
              ". An answer is a district's mean, the hot pixel is sought: the malaria example of [Zhang26], section 2. "
              "Map and field follow from the seed. Queries are centroids.",
          .x_names = {"east", "north"},
          .a_names = {"centroid east", "centroid north"},
          .truth = std::make_shared<BagTruth>(x, f, bags),
          .conditional = bags,
          .x = x,
          .a = QuerySet(bags->queries()),
          .noise_sd = 0.1,
          .kernel = kernel.clone(),
          .centred = false};
}

}  // namespace

std::vector<ProblemMaker> bag_makers() {
  const auto smooth = [](const ProblemOptions& options) {
    return districts("districts", Rbf(1.0, Vector{{3.0, 3.0}}), "an RBF GP with variance 1 and lengthscale 3 pixels",
                     options);
  };
  const auto rough = [](const ProblemOptions& options) {
    return districts("districts-rough", Matern12(1.0, Vector{{4.0, 4.0}}),
                     "a Matern 1/2 GP with variance 1 and lengthscale 4 pixels", options);
  };
  return {{"bandit", {}, bandit}, {"districts", {.seed = true}, smooth}, {"districts-rough", {.seed = true}, rough}};
}

}  // namespace iqbo
