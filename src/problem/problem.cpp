#include "iqbo/problem/problem.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "iqbo/numerics/gauss_rule.hpp"
#include "numerics/sobol.hpp"
#include "summit.hpp"

namespace iqbo {

using namespace internal;

namespace {

// Points and weights whose averages are those over the box: Gauss-Legendre in one and two dimensions, evenly spread
// points beyond.
struct Everywhere {
  Inputs x;
  Vector weight;
};

Everywhere everywhere(const InputBox& box) {
  const Index d = box.dimension();
  const Vector middle = 0.5 * (box.lower() + box.upper());
  const Vector half = 0.5 * (box.upper() - box.lower());
  Rows unit;  // on [-1, 1]^d
  Vector weight;
  if (d <= 2) {
    const Rule& rule = gauss_legendre(64);
    const Index n = rule.node.size();
    const Index rows = d == 1 ? n : n * n;
    unit.resize(rows, d);
    weight.resize(rows);
    for (Index i = 0; i < rows; ++i) {
      unit(i, 0) = rule.node[i % n];
      weight[i] = rule.weight[i % n];
      if (d == 1) continue;
      unit(i, 1) = rule.node[i / n];
      weight[i] *= rule.weight[i / n];
    }
  } else {
    Rng rng(1);
    unit = 2.0 * sobol(Index{1} << 14, d, rng).array() - 1.0;
    weight = Vector::Constant(unit.rows(), 1.0 / static_cast<double>(unit.rows()));
  }
  const Rows x = (unit * half.asDiagonal()).rowwise() + middle.transpose();
  return {Inputs(x), weight};
}

void require_parts(const ProblemParts& parts) {
  if (parts.truth == nullptr) refuse("truth", "null", "f and its averages");
  if (parts.conditional == nullptr) refuse("conditional", "null", "p(x|a)");
  require_columns(parts.x.dimension(), parts.conditional->input_dimension(), "x");
  require_columns(parts.a.dimension(), parts.conditional->query_dimension(), "a");
  if (parts.x_box) parts.x_box->require_inside(parts.x.points());
  if (parts.a_box) parts.a_box->require_inside(parts.a.points());
  require_rows(static_cast<Index>(parts.x_names.size()), parts.x.dimension(), "x_names");
  require_rows(static_cast<Index>(parts.a_names.size()), parts.a.dimension(), "a_names");
  for (const double delta : parts.resolutions) require_positive(delta, "resolutions");
}

}  // namespace

Problem::Problem(ProblemParts given) {
  require_parts(given);
  auto data = std::make_shared<Data>(Data{.parts = std::move(given)});
  const ProblemParts& parts = data->parts;
  const Truth& truth = *parts.truth;
  const Inputs& x = parts.x.points();
  const Queries& a = parts.a.points();
  data->listed_optimum = best_listed(truth.f(x), x);
  data->listed_best_query = best_listed(truth.g(a), a);
  data->optimum = data->listed_optimum;
  data->best_query = data->listed_best_query;
  Everywhere all{x, Vector::Constant(x.size(), 1.0 / static_cast<double>(x.size()))};
  if (parts.x_box) {
    data->optimum =
        summit<InputSpace>([&](const Inputs& at) { return truth.f(at); }, *parts.x_box, x, parts.known_argmax);
    all = everywhere(*parts.x_box);
  }
  if (parts.a_box)
    data->best_query =
        summit<QuerySpace>([&](const Queries& at) { return truth.g(at); }, *parts.a_box, a, parts.near_best_query);
  const Vector f = truth.f(all.x);
  const double mean = all.weight.dot(f);
  data->unit = std::sqrt(all.weight.dot((f.array() - mean).square().matrix()));
  data->mean = parts.centred ? mean : 0.0;
  data->noise_sd = parts.noise_sd.value_or(parts.relative_noise * data->unit);
  data_ = std::move(data);
}

Vector Problem::f(const Inputs& x) const {
  require_columns(x.dimension(), this->x().dimension(), "x");
  return data_->parts.truth->f(x);
}

Vector Problem::g(const Queries& a) const {
  require_columns(a.dimension(), this->a().dimension(), "a");
  if (a_box())
    a_box()->require_inside(a);
  else
    this->a().positions(a);  // refuses what is not listed
  return data_->parts.truth->g(a);
}

PairLog Problem::logged(Index count, Rng& rng) const {
  if (count < 1) refuse("count", std::to_string(count), "at least 1");
  Rows a(count, this->a().dimension());
  for (Index i = 0; i < count; ++i) {
    if (!a_box()) {
      a.row(i) = this->a().points().row(rng.below(this->a().size()));
      continue;
    }
    for (Index c = 0; c < a.cols(); ++c)
      a(i, c) = a_box()->lower()[c] + rng.uniform() * (a_box()->upper()[c] - a_box()->lower()[c]);
    if (const auto levels = static_cast<Index>(resolutions().size()); levels > 0)
      a(i, a.cols() - 1) = resolutions()[static_cast<std::size_t>(rng.below(levels))];
  }
  Queries queries(std::move(a));
  Inputs x = data_->parts.truth->sample(queries, rng);
  return {std::move(x), std::move(queries)};
}

Vector Problem::cost(const Queries& a) const {
  require_columns(a.dimension(), this->a().dimension(), "a");
  if (resolutions().empty()) return Vector::Ones(a.size());
  if (tree()) {
    Vector out(a.size());
    for (Index i = 0; i < a.size(); ++i) {
      const auto node = tree()->find(a.row(i));
      if (!node) refuse("a", "row " + std::to_string(i) + " is not a node of the tree", "one of its nodes, exactly");
      out[i] = tree()->cost(*node);
    }
    return out;
  }
  const Vector delta = a.coordinates().col(a.dimension() - 1);
  require_positive(delta, "delta");
  return 0.5 * delta.cwiseInverse();
}

Queries Problem::finest(const Queries& a) const {
  require_columns(a.dimension(), this->a().dimension(), "a");
  if (resolutions().empty()) return a;
  Rows out = a.coordinates();
  out.col(out.cols() - 1).setConstant(resolutions().back());
  return Queries(std::move(out));
}

}  // namespace iqbo
