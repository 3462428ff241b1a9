#include "iqbo/paper/claims.hpp"

#include <algorithm>

namespace iqbo {
namespace {

const std::vector<std::string> kBaselines{"mes", "ucb", "ei"};
const std::vector<std::string> kRivals{"mfmes", "mes", "ucb", "ei"};
constexpr When kWhens[] = {When::kEarly, When::kOverall, When::kEnd};

std::string upper(std::string name) {
  for (char& letter : name)
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  return name;
}

std::string said(When when, Axis axis) {
  if (when == When::kEarly) return ", early";
  if (when == When::kEnd) return ", at the end";
  return axis == Axis::kCost ? ", over the budget" : ", over all answers";
}

// Claims about one problem and one regret.
class Claims {
 public:
  Claims(const Figure& figure, std::string problem, Regret regret)
      : axis_(figure.axis),
        about_(figure.axis == Axis::kCost ? "figure 4" : "figure 3"),
        problem_(std::move(problem)),
        regret_(regret) {}

  void add(const std::string& text, const std::string& policy, const std::vector<std::string>& others,
           bool extra = false) {
    for (const When when : kWhens) {
      if (extra && when != When::kOverall) continue;
      all.push_back(
          {about_, text + (extra ? "" : said(when, axis_)), problem_, regret_, when, policy, others, false, extra});
    }
  }
  void add_gap(const std::string& text, const std::string& policy, const std::vector<std::string>& others) {
    all.push_back({about_, text, problem_, regret_, When::kEarly, policy, others, true, false});
  }

  std::vector<Claim> all;

 private:
  Axis axis_;
  std::string about_, problem_;
  Regret regret_;
};

void add_figure3(Claims& out, const PaperOptions& options) {
  for (const std::string& other : kBaselines) out.add("CMES outperforms " + upper(other), "cmes", {other});
  out.add_gap("... especially in early iterations", "cmes", kBaselines);
  if (!options.extras) return;
  for (const char* control : {"random", "max-variance"})
    out.add(std::string("CMES outperforms ") + control + " queries", "cmes", {control}, true);
  const std::string tail = is_printed_cme(options.choices) ? ":auto" : "";
  for (const char* ours : {"ckg", "cjes", "auto"})
    out.add(std::string(ours) + " outperforms CMES", ours + tail, {"cmes"}, true);
  if (!is_printed_cme(options.choices)) return;
  out.add("CMES with p(x given a) learned by `auto` outperforms CMES with the CME", "cmes:auto", {"cmes"}, true);
  out.add("CMES with the CME and our discrepancy outperforms CMES with the CME", "cmes:discrepancy", {"cmes"}, true);
}

void add_figure4(Claims& out, const PaperOptions& options) {
  out.add("CMETS outperforms CMES", "cmets", {"cmes"});
  out.add("MFMES outperforms MES", "mfmes", {"mes"});
  for (const char* policy : {"cmes", "cmets"})
    out.add(upper(policy) + " is among the best of all policies", policy, kRivals);
  if (!options.extras) return;
  out.add("CMETS outperforms random queries on the tree", "cmets", {"random-tree"}, true);
  const std::string tail = is_printed_cme(options.choices) ? ":auto" : "";
  for (const char* ours : {"ckg-tree", "cjes-tree", "auto-tree"})
    out.add(std::string(ours) + " outperforms CMETS", ours + tail, {"cmets"}, true);
  if (!is_printed_cme(options.choices)) return;
  out.add("CMETS with p(x given a) learned by `auto` outperforms CMETS with the CME", "cmets:auto", {"cmets"}, true);
  out.add("CMETS with the CME and our discrepancy outperforms CMETS with the CME", "cmets:discrepancy", {"cmets"},
          true);
}

Findings judged(const Regrets& regrets, Choices choices) {
  PaperOptions options;
  options.choices = choices;
  return judge_all(paper_claims(regrets.figure(), options), regrets);
}

}  // namespace

std::vector<Claim> paper_claims(const Figure& figure, const PaperOptions& options) {
  std::vector<Claim> out;
  for (const Panel& panel : figure.panels)
    for (const Regret regret : {Regret::kSimple, Regret::kInstant}) {
      Claims some(figure, panel.problem, regret);
      if (figure.axis == Axis::kCost)
        add_figure4(some, options);
      else
        add_figure3(some, options);
      out.insert(out.end(), some.all.begin(), some.all.end());
    }
  return out;
}

Index count_claims() {
  PaperOptions options;
  options.extras = false;
  std::size_t out = 0;
  for (const int number : {3, 4}) {
    Figure figure;  // the claims depend on the axis and the names of the panels only
    figure.axis = number == 4 ? Axis::kCost : Axis::kAnswers;
    figure.panels = {{"linear", "", 1.0}, {"non-linear", "", 1.0}};
    out += paper_claims(figure, options).size();
  }
  return static_cast<Index>(out);
}

Findings figure3_findings(const Regrets& regrets, Choices choices) { return judged(regrets, choices); }
Findings figure4_findings(const Regrets& regrets, Choices choices) { return judged(regrets, choices); }

}  // namespace iqbo
