#include "iqbo/paper/paper.hpp"

namespace iqbo {
namespace {

const std::vector<std::string> kBaselines{"mes", "ucb", "ei"};

std::string upper(std::string name) {
  for (char& letter : name)
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  return name;
}

Finding extra(Finding finding) {
  finding.extra = true;
  return finding;
}

// The initial queries, which all policies share, are not compared.
double begin(const Regrets& regrets) {
  const Figure& figure = regrets.figure();
  return figure.axis == Axis::kCost ? 0.0 : static_cast<double>(figure.experiment.entries[0].initial);
}
double end(const Regrets& regrets) { return regrets.figure().grid[regrets.figure().grid.size() - 1]; }

// "... especially in early iterations": the gap to the mean of the baselines in the first quarter minus the last one.
Finding early_gap(const Regrets& regrets, const std::string& problem, Regret regret) {
  const double last = end(regrets);
  const auto gap = [&](double low, double high) {
    Vector out = regrets.mean_log(problem, "cmes", regret, low, high);
    for (const std::string& other : kBaselines)
      out -= regrets.mean_log(problem, other, regret, low, high) / static_cast<double>(kBaselines.size());
    return out;
  };
  Finding out{"figure 3", "... especially in early iterations",
              problem + ", " + to_string(regret) +
                  " regret: gap of cmes to the mean of the baselines, first quarter minus last quarter"};
  out.problem = problem;
  out.regret = to_string(regret);
  out.difference = paired_difference(gap(begin(regrets), last / 4.0), gap(0.75 * last, last));
  out.verdict = is_smaller(*out.difference);
  return out;
}

}  // namespace

Findings figure3_findings(const Regrets& regrets, Choices choices) {
  Findings out;
  const double first = begin(regrets), last = end(regrets);
  for (const Panel& panel : regrets.figure().panels)
    for (const Regret regret : {Regret::kSimple, Regret::kInstant}) {
      const auto against = [&](const std::string& policy, const std::vector<std::string>& others, double low) {
        return Comparison{panel.problem, policy, others, regret, low, last};
      };
      for (const std::string& other : kBaselines)
        out.push_back(
            compare(regrets, against("cmes", {other}, first), "figure 3", "CMES outperforms " + upper(other)));
      out.push_back(compare(regrets, against("cmes", kBaselines, last - 0.5), "figure 3",
                            "CMES outperforms all baselines, at the end"));
      out.push_back(early_gap(regrets, panel.problem, regret));
      for (const char* control : {"random", "max-variance"})
        out.push_back(extra(compare(regrets, against("cmes", {control}, first), "figure 3",
                                    std::string("CMES outperforms ") + control + " queries")));
      const std::string tail = choices == Choices::kLearned ? ":auto" : "";
      for (const char* ours : {"ckg", "cjes", "auto"})
        out.push_back(extra(compare(regrets, against(ours + tail, {"cmes"}, first), "figure 3",
                                    std::string(ours) + " outperforms CMES")));
      if (choices == Choices::kLearned)
        out.push_back(extra(compare(regrets, against("cmes:auto", {"cmes"}, first), "figure 3",
                                    "CMES with p(x given a) learned by `auto` outperforms CMES with the CME")));
    }
  return out;
}

Findings figure4_findings(const Regrets& regrets, Choices choices) {
  Findings out;
  const double last = end(regrets);
  const std::vector<std::string> rivals{"mfmes", "mes", "ucb", "ei"};
  for (const Panel& panel : regrets.figure().panels)
    for (const Regret regret : {Regret::kSimple, Regret::kInstant}) {
      const auto against = [&](const std::string& policy, const std::vector<std::string>& others, double low) {
        return Comparison{panel.problem, policy, others, regret, low, last};
      };
      for (const double low : {0.0, last - 0.5}) {
        const std::string when = low > 0.0 ? ", at the end" : "";
        out.push_back(compare(regrets, against("cmets", {"cmes"}, low), "figure 4", "CMETS outperforms CMES" + when));
        out.push_back(compare(regrets, against("mfmes", {"mes"}, low), "figure 4", "MFMES outperforms MES" + when));
      }
      for (const char* policy : {"cmes", "cmets"})
        out.push_back(compare(regrets, against(policy, rivals, 0.0), "figure 4",
                              upper(policy) + " is among the best of all policies"));
      out.push_back(extra(compare(regrets, against("cmets", {"random-tree"}, 0.0), "figure 4",
                                  "CMETS outperforms random queries on the tree")));
      const std::string tail = choices == Choices::kLearned ? ":auto" : "";
      for (const char* ours : {"ckg-tree", "cjes-tree", "auto-tree"})
        out.push_back(extra(compare(regrets, against(ours + tail, {"cmets"}, 0.0), "figure 4",
                                    std::string(ours) + " outperforms CMETS")));
    }
  return out;
}

}  // namespace iqbo
