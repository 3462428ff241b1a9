// The nodes of a tree; Frontier (search/frontier.hpp) tells which of them may be asked.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "iqbo/core/check.hpp"
#include "iqbo/domain/query_domain.hpp"
#include "search/frontier.hpp"
#include "search/spread_points.hpp"

namespace iqbo {

using namespace internal;

namespace {

// A number for each query that is a node.
template <class OfNode>
std::function<Vector(const Queries&)> of_nodes(const QueryTree& tree, double otherwise, OfNode value) {
  return [tree, otherwise, value](const Queries& a) {
    Vector out = Vector::Constant(a.size(), otherwise);
    for (Index i = 0; i < a.size(); ++i)
      if (const auto node = tree.find(a.row(i))) out[i] = value(*node);
    return out;
  };
}

QueryTraits traits_of(const QueryTree& tree) {
  QueryTraits out;
  out.cost = of_nodes(tree, 0.0, [tree](const Node& node) { return tree.cost(node); });
  if (tree.has_noise_var())
    out.noise_var = of_nodes(tree, std::numeric_limits<double>::quiet_NaN(),
                             [tree](const Node& node) { return *tree.noise_var(node); });
  out.finest = [tree](const Queries& a) { return tree.finest(a); };
  return out;
}

class OpenTree final : public OpenQueries {
 public:
  OpenTree(const QueryTree& tree, const OpenRules& rules)
      : frontier_(tree, rules.requery_leaf && rules.repeats, rules.printed_tree) {}

  std::unique_ptr<OpenQueries> clone() const override { return std::make_unique<OpenTree>(*this); }
  void select(const QueryRow& query) override {
    if (const auto node = tree().find(query)) frontier_.select(*node);
  }

  bool grows() const override { return true; }
  Index size() const override { return frontier_.size(); }
  Index most() const override {
    constexpr double kThousands = 5000.0;
    double sum = 0.0;
    for (Index l = 0; l <= tree().l_max(); ++l) sum += tree().size_at(l);
    return static_cast<Index>(std::min(sum, kThousands));
  }
  Queries slice(Index begin, Index count) const override {
    const auto first = frontier_.opened().begin() + begin;
    return tree().queries({first, first + count});
  }
  std::optional<Index> find(const QueryRow& query) const override {
    const auto node = tree().find(query);
    return node ? frontier_.row(*node) : std::nullopt;
  }

  Candidates candidates(double noise_var) const override {
    Candidates out{slice(0, size()), {}, Vector(size()), Vector(size())};
    for (Index i = 0; i < size(); ++i) {
      const Node& node = frontier_.opened()[static_cast<std::size_t>(i)];
      out.cost[i] = tree().cost(node);
      out.noise_var[i] = tree().noise_var(node).value_or(noise_var);
      out.allowed.push_back(frontier_.is_candidate(i));
    }
    return out;
  }
  std::string exhausted() const override {
    return "nothing is left to ask: every node of the tree has been asked or passed over";
  }

 private:
  const QueryTree& tree() const { return frontier_.tree(); }

  Frontier frontier_;
};

class TreeDomain final : public QueryDomain {
 public:
  explicit TreeDomain(const QueryTree& tree) : QueryDomain(traits_of(tree)), tree_(tree) {}

  std::shared_ptr<const QueryDomain> with(const QueryTraits& traits) const override {
    if (traits.cost) refuse("cost", "given with a tree", "none: the tree's own cost");
    if (traits.noise_var) refuse("noise_var", "given with a tree", "none: the tree's own noise_var");
    if (traits.finest) refuse("finest", "given with a tree", "none: the tree's own finest level");
    return clone();
  }

  Index dimension() const override { return tree_.dimension(); }
  Index continuous_dimension() const override { return 0; }
  bool contains(const QueryRow& query) const override { return tree_.find(query).has_value(); }
  std::optional<Cell> cell(const QueryRow& query) const override {
    const auto node = tree_.find(query);
    return node ? std::optional(tree_.cell(*node)) : std::nullopt;
  }
  Queries snapped(const Queries& a, double share) const override;

  double most_expensive() const override { return tree_.cost({tree_.l_max(), 0}); }
  Queries levels() const override {
    std::vector<Node> out;
    for (Index level = 0; tree_.points() == nullptr && level <= tree_.l_max(); ++level) out.push_back({level, 0});
    return tree_.queries(out);
  }

  Queries any() const override { return tree_.queries({tree_.root()}); }
  Queries probes() const override { return any(); }  // no node is cheaper than the root
  Queries sample(Index count, Rng& rng) const override;
  Queries overview(Index count) const override;
  Queries initial_design(Index count, Rng& rng) const override;

  TargetSpace as_targets(Rng& /*rng*/) const override {
    constexpr double kNotMany = 64.0;
    Index level = 0;  // the deepest with at most kNotMany nodes
    while (level < tree_.l_max() && tree_.size_at(level + 1) <= kNotMany) ++level;
    return InputSet(Inputs(tree_.queries(tree_.nodes_at(level)).coordinates()));
  }

  std::unique_ptr<OpenQueries> open(const OpenRules& rules) const override {
    return std::make_unique<OpenTree>(tree_, rules);
  }

 private:
  std::shared_ptr<QueryDomain> clone() const override { return std::make_shared<TreeDomain>(*this); }

  QueryTree tree_;
};

// The finest level: all of it, or at most `count` nodes of it.
Queries TreeDomain::sample(Index count, Rng& rng) const {
  const Index l_max = tree_.l_max();
  if (tree_.size_at(l_max) <= static_cast<double>(count)) return tree_.queries(tree_.nodes_at(l_max));
  if (tree_.points() == nullptr) {
    Rows out = Rows::Zero(count, dimension());
    out.leftCols(dimension() - 1) = spread_points(tree_.box(), count, rng).coordinates();
    return tree_.finest(Queries(std::move(out)));
  }
  std::vector<Node> leaves = tree_.nodes_at(l_max);
  const std::size_t some = std::min(leaves.size(), static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < some; ++i)
    std::swap(leaves[i], leaves[i + static_cast<std::size_t>(rng.below(static_cast<Index>(leaves.size() - i)))]);
  leaves.resize(some);
  return tree_.queries(leaves);
}

// The coarse levels that have at most `count` nodes each.
Queries TreeDomain::overview(Index count) const {
  std::vector<Node> out;
  for (Index level = 0; level <= tree_.l_max() && tree_.size_at(level) <= static_cast<double>(count); ++level)
    for (const Node& node : tree_.nodes_at(level))
      if (node.level == level) out.push_back(node);  // the others were listed with the level they belong to
  return tree_.queries(out);
}

// Root, children, grandchildren, ...: from coarse to fine, each level in a random order.
Queries TreeDomain::initial_design(Index count, Rng& rng) const {
  std::vector<Node> out{tree_.root()};
  for (std::size_t begin = 0; out.size() < static_cast<std::size_t>(count) && begin < out.size();) {
    const std::size_t end = out.size();
    for (std::size_t i = begin; i < end && out.size() < static_cast<std::size_t>(count) + end; ++i)
      for (const Node& child : tree_.children(out[i])) out.push_back(child);
    for (std::size_t i = out.size() - 1; i > end; --i)
      std::swap(out[i], out[end + static_cast<std::size_t>(rng.below(static_cast<Index>(i - end + 1)))]);
    begin = end;
  }
  out.resize(std::min(out.size(), static_cast<std::size_t>(count)));
  return tree_.queries(out);
}

// Descends through the cells that contain the location: a centre lies well inside its own cell.
Queries TreeDomain::snapped(const Queries& a, double share) const {
  const Index d = dimension() - 1;
  const Vector most = share * (tree_.box().upper() - tree_.box().lower());
  Rows out = a.coordinates();
  for (Index i = 0; i < out.rows(); ++i) {
    if (tree_.find(out.row(i))) continue;
    const Vector location = out.row(i).head(d).transpose();
    const auto off = [&](const Cell& cell) { return (location - cell.centre).cwiseAbs().eval(); };
    for (std::optional<Node> node = tree_.root(); node;) {
      const double resolution = tree_.resolution(*node);
      if ((off(tree_.cell(*node)).array() <= most.array()).all() &&
          std::abs(out(i, d) - resolution) <= share * resolution) {
        out.row(i) = tree_.queries({*node}).row(0);
        break;
      }
      const std::vector<Node> children = tree_.children(*node);
      const auto below = std::find_if(children.begin(), children.end(), [&](const Node& child) {
        const Cell cell = tree_.cell(child);
        return (off(cell).array() <= (1.0 + share) * cell.half_width.array()).all();
      });
      node = below == children.end() ? std::nullopt : std::optional(*below);
    }
  }
  return Queries(std::move(out));
}

}  // namespace

QueryDomainPtr::QueryDomainPtr(QueryTree tree) : domain_(std::make_shared<TreeDomain>(std::move(tree))) {}

}  // namespace iqbo
