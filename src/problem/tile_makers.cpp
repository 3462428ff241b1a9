// Scenes of 64 x 64 pixels whose tiles are bought: rare spots on a smooth background, and fields without any.
//
//   background   an RBF field of lengthscale 6 sqrt(2) (white noise filtered by a Gaussian of sd 6) scaled to sd 0.12,
//                a hill of height 0.5 and sd 9, offset 0.3
//   spots        at least 20 pixels from the hill
//
// Tiles of 64, 32, 16, 8 and 4 pixels form a tree; they cost 0.5, 1, 2, 3 and 4. Everything follows from the seed.
#include <Eigen/Cholesky>
#include <cmath>
#include <numbers>
#include <utility>

#include "iqbo/conditional/cell.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "makers.hpp"
#include "numerics/gamma_mixture.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr Index kSide = 64;
constexpr double kMargin = 4.0;     // centres of hills and spots are at least so far from the border
constexpr double kFromHill = 20.0;  // between a spot and the hill
constexpr double kBetweenSpots = 12.0;
constexpr double kHeight = 1.2;
constexpr std::uint64_t kScene = 11;  // what the seed is used for

QueryTree tile_tree(const Inputs& pixels) {
  TreeOptions options;
  options.l_max = 4;
  options.box = QueryBox(Vector::Zero(2), Vector::Constant(2, static_cast<double>(kSide)));
  options.resolution = Vector{{64.0, 32.0, 16.0, 8.0, 4.0}};
  options.cost = Vector{{0.5, 1.0, 2.0, 3.0, 4.0}};
  return QueryTree(pixels, options);
}

class TileTruth final : public Truth {
 public:
  TileTruth(InputSet x, Vector f, QueryTree tree)
      : x_(std::move(x)), f_(std::move(f)), tree_(std::move(tree)), tiles_(tree_) {}

  Vector f(const Inputs& x) const override { return f_(x_.positions(x)); }
  Vector g(const Queries& a) const override { return tiles_.average(a, f_).col(0); }
  Inputs sample(const Queries& a, Rng& rng) const override {
    Rows out(a.size(), x_.dimension());
    for (Index i = 0; i < a.size(); ++i) {
      const std::vector<Index> rows = tree_.members(*tree_.find(a.row(i)));
      out.row(i) = x_.points().row(rows[static_cast<std::size_t>(rng.below(static_cast<Index>(rows.size())))]);
    }
    return Inputs(std::move(out));
  }

 private:
  InputSet x_;
  Vector f_;
  QueryTree tree_;
  CellConditional tiles_;
};

// A field on the pixels, rows along the first axis. A sum of RBF fields: each is a product over the axes, so that one
// factor of a line's pixels draws it.
Matrix draw_field(const ScaleMixture& mixture, double lengthscale, Rng& rng) {
  const Inputs line = Inputs::line(Vector::LinSpaced(kSide, 0.5, kSide - 0.5));
  Matrix out = Matrix::Zero(kSide, kSide);
  for (Index i = 0; i < mixture.scale.size(); ++i) {
    Matrix k = Rbf(1.0, Vector::Constant(1, lengthscale * mixture.scale[i])).gram(line);
    k.diagonal().array() += 1e-10;
    const Matrix root = Eigen::LLT<Matrix>(k).matrixL();
    const Matrix normal = rng.normals(kSide * kSide).reshaped(kSide, kSide);
    out += std::sqrt(mixture.weight[i]) * root * normal * root.transpose();
  }
  return out;
}

ScaleMixture one_scale() {
  ScaleMixture out;
  out.scale = Vector::Ones(1);
  out.weight = Vector::Ones(1);
  return out;
}

struct Place {
  double u, v;

  double to(const Place& other) const { return std::hypot(u - other.u, v - other.v); }
};

Place anywhere(Rng& rng) {
  const double u = rng.uniform(), v = rng.uniform();
  return {kMargin + (kSide - 2.0 * kMargin) * u, kMargin + (kSide - 2.0 * kMargin) * v};
}

Place away_from(const Place& hill, Rng& rng) {
  for (;;)
    if (const Place at = anywhere(rng); at.to(hill) >= kFromHill) return at;
}

// f = value(u, v) at the centres of the pixels.
template <class Value>
Matrix shape(const Value& value) {
  Matrix out(kSide, kSide);
  for (Index i = 0; i < kSide; ++i)
    for (Index j = 0; j < kSide; ++j) out(i, j) = value(static_cast<double>(i) + 0.5, static_cast<double>(j) + 0.5);
  return out;
}

// Height 1, turned by `angle`.
Matrix bump(const Place& at, double sd_along, double sd_across, double angle = 0.0) {
  return shape([&](double u, double v) {
    const double along = std::cos(angle) * (u - at.u) + std::sin(angle) * (v - at.v);
    const double across = -std::sin(angle) * (u - at.u) + std::cos(angle) * (v - at.v);
    return std::exp(-0.5 * (std::pow(along / sd_along, 2) + std::pow(across / sd_across, 2)));
  });
}

Matrix background(const Place& hill, Rng& rng) {
  Matrix out = draw_field(one_scale(), 6.0 * std::numbers::sqrt2, rng);
  out.array() -= out.mean();
  out *= 0.12 / std::sqrt(out.array().square().mean());
  return (out + 0.5 * bump(hill, 9.0, 9.0)).array() + 0.3;
}

// A background with whatever `spots` adds, given the place of the hill.
template <class Spots>
Matrix spotted(Rng& rng, const Spots& spots) {
  const Place hill = anywhere(rng);
  const Matrix field = background(hill, rng);
  return field + spots(hill);
}

struct Family {
  std::string name, title, words;
  Matrix (*draw)(Rng& rng);
};

Matrix round_spot(Rng& rng, double sd) {
  return spotted(rng, [&](const Place& hill) { return Matrix(kHeight * bump(away_from(hill, rng), sd, sd)); });
}

Matrix two_spots(Rng& rng) {
  return spotted(rng, [&](const Place& hill) {
    const Place first = away_from(hill, rng);
    Place second = away_from(hill, rng);
    while (second.to(first) < kBetweenSpots) second = away_from(hill, rng);
    return Matrix(kHeight * bump(first, 2.0, 2.0) + 0.9 * bump(second, 2.0, 2.0));
  });
}

Matrix disc(Rng& rng) {
  return spotted(rng, [&](const Place& hill) {
    const Place at = away_from(hill, rng);
    return shape([&](double u, double v) { return at.to({u, v}) <= 3.0 ? kHeight : 0.0; });
  });
}

Matrix ellipse(Rng& rng) {
  return spotted(rng, [&](const Place& hill) {
    const Place at = away_from(hill, rng);
    return Matrix(kHeight * bump(at, 4.0, 1.3, std::numbers::pi * rng.uniform()));
  });
}

Matrix smooth(Rng& rng) {
  const double lengthscale = 6.0 + 6.0 * rng.uniform();
  return 0.3 * draw_field(one_scale(), lengthscale, rng);
}

Matrix rough(Rng& rng) {
  const double nu = rng.uniform() < 0.5 ? 0.5 : 1.5;
  const double lengthscale = 6.0 + 10.0 * rng.uniform();
  return 0.3 * draw_field(matern_mixture(nu), lengthscale, rng);
}

const std::vector<Family>& families() {
  static const std::vector<Family> all{
      {"tiles-spot", "A spot", "and a spot of height 1.2 and sd 3 pixels",
       [](Rng& rng) { return round_spot(rng, 3.0); }},
      {"tiles-narrow-spot", "A narrow spot", "and a spot of height 1.2 and sd 1.5 pixels",
       [](Rng& rng) { return round_spot(rng, 1.5); }},
      {"tiles-two-spots", "Two spots", "and two spots of sd 2 pixels, of heights 1.2 and 0.9", two_spots},
      {"tiles-disc", "A disc", "and a disc of height 1.2 and radius 3 pixels", disc},
      {"tiles-ellipse", "An ellipse", "and an elliptic spot of height 1.2 and sds 4 and 1.3 pixels", ellipse},
      {"tiles-smooth", "A smooth scene", "an RBF GP of sd 0.3 and a lengthscale of 6 to 12 pixels", smooth},
      {"tiles-rough", "A rough scene", "a Matern 1/2 or 3/2 GP of sd 0.3 and a lengthscale of 6 to 16 pixels", rough}};
  return all;
}

ProblemParts tiles(const Family& family, const ProblemOptions& options) {
  const double last = static_cast<double>(kSide) - 0.5;
  const InputSet x(InputBox(Vector::Constant(2, 0.5), Vector::Constant(2, last)).grid({kSide, kSide}));
  const QueryTree tree = tile_tree(x.points());
  Rng rng(options.seed.value_or(kDefaultSeed), {kScene});
  const Matrix field = family.draw(rng);
  Vector f(x.size());
  for (Index i = 0; i < x.size(); ++i)
    f[i] = field(static_cast<Index>(x.points().row(i)[0]), static_cast<Index>(x.points().row(i)[1]));
  Queries nodes;
  for (Index level = 0; level <= tree.l_max(); ++level) nodes = nodes.joined(tree.queries_at(level).points());
  const bool plain = !family.words.starts_with("and ");
  return {
      .name = family.name,
      .title = family.title,
      .map = "tiles of 64 to 4 pixels",
      .description =
          "64 x 64 pixels, bought by tiles of 64, 32, 16, 8 or 4 pixels along a side at a cost of 0.5, 1, 2, 3 or 4 "
          "(a budget of 200 is usual). f is " +
          (plain ? "drawn from " + family.words
                 : "a smooth background (sd 0.12, a correlation length of 8.5 pixels, a hill of height 0.5 and sd "
                   "9) " +
                       family.words + ", at least 20 pixels from the hill") +
          ". Everything follows from the seed.",
      .x_names = {"east", "north"},
      .a_names = {"centre east", "centre north", "side"},
      .truth = std::make_shared<TileTruth>(x, f, tree),
      .conditional = CellConditional(tree).clone(),
      .x = x,
      .a = QuerySet(nodes),
      .tree = tree,
      .resolutions = {64.0, 32.0, 16.0, 8.0, 4.0},
      .noise_sd = 0.01};
}

}  // namespace

std::vector<ProblemMaker> tile_makers() {
  std::vector<ProblemMaker> out;
  for (const Family& family : families())
    out.push_back(
        {family.name, {.seed = true}, [&family](const ProblemOptions& options) { return tiles(family, options); }});
  return out;
}

}  // namespace iqbo
