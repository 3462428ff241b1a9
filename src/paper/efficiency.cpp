#include <algorithm>
#include <cmath>
#include <memory>

#include "iqbo/core/check.hpp"
#include "iqbo/domain/query_domain.hpp"
#include "iqbo/paper/paper.hpp"

namespace iqbo {
namespace {

struct Compared {
  double sum = 0.0, most = 0.0;
  Index answers = 0;
};

QueryTree tree_of(const Problem& problem) {
  const Index axes = problem.a_box()->dimension() - 1;
  TreeOptions options;
  options.l_max = static_cast<Index>(problem.resolutions().size()) - 1;
  return QueryTree(QueryBox(problem.a_box()->lower().head(axes), problem.a_box()->upper().head(axes)), options);
}

// The candidates that CMETS had before each answer, as the queries of its runs opened the tree.
Compared on_the_tree(const ResultTable& table, const Entry& entry, const QueryDomain& tree) {
  Compared out;
  std::unique_ptr<OpenQueries> open;
  for (const ResultRow& row : table) {
    if (row.problem != entry.problem || row.policy != entry.policy) continue;
    if (row.t == 0) open = tree.open({.printed_tree = entry.printed_tree});
    if (row.t >= entry.initial) {
      double allowed = 0.0;
      for (const bool each : open->candidates(0.0).allowed) allowed += each ? 1.0 : 0.0;
      out.sum += allowed;
      out.most = std::max(out.most, allowed);
      ++out.answers;
    }
    open->select(Eigen::Map<const Eigen::RowVectorXd>(row.query.data(), static_cast<Index>(row.query.size())));
  }
  return out;
}

}  // namespace

Findings efficiency_findings(const ResultTable& table, const Figure& figure) {
  Findings out;
  for (const Entry& entry : figure.experiment.entries) {
    if (entry.policy != "cmets") continue;
    const QueryTree tree = tree_of(entry.make(figure.experiment.first_seed));
    const Compared compared = on_the_tree(table, entry, *QueryDomainPtr(tree));
    if (compared.answers == 0) continue;
    const double mean = compared.sum / static_cast<double>(compared.answers), leaves = tree.size_at(tree.l_max());
    Finding one{"section 4.2", "the hierarchical search improves computational efficiency",
                entry.problem + ": queries compared for an answer by CMETS " + readable(std::round(mean)) +
                    " on average, at most " + readable(compared.most) + "; by leaf-level CMES " + readable(leaves)};
    one.verdict = mean < leaves ? Verdict::kHolds : Verdict::kDoesNotHold;
    one.remark = "times are in fig4.timings.csv";
    one.problem = entry.problem;
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace iqbo
