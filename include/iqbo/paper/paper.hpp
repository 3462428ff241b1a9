// The experiments of [Zhang26], section 6, and its claims.
//
//   figure 1  a bandit asked through contexts         figure 3  algorithm 1 on Branin, regret against answers
//   figure 2  f and its averages at several delta     figure 4  algorithm 2 on Branin, regret against cost
//   figure 5  what a schedule of resolutions saves
//
// The paper does not say which kernel, lengthscales, pairs, ridge, noise, samples, beta, grid and initial points it
// used. paper_settings() states ours with reasons. There are sets of them, by where p(x|a) comes from and whether kernel, mean
// and noise are given or fitted to the answers, and a claim should survive all:
//
//                                                                                   given          fitted
//   p(x|a) known                                                                    fixed          evidence
//   learned from pairs by the paper's CME, as printed                               learned        paper
//   by the CME, with a discrepancy of ours fitted beside it (docs/learned.md)       discrepancy    discrepancy-fitted
//   by our `auto`, with the discrepancy                                             auto           auto-fitted
//
// Given: an RBF of lengthscales 3 and 6, and the true mean and noise. Fitted: an RBF, by maximum evidence after every
// answer. `paper` cuts windows at the faces of X as the paper does (clip); the others do not unless told to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "iqbo/conditional/truncated.hpp"
#include "iqbo/experiment/figure.hpp"
#include "iqbo/experiment/finding.hpp"
#include "iqbo/record/experiment_record.hpp"

namespace iqbo {

enum class Choices { kPaper, kFixed, kEvidence, kLearned, kDiscrepancy, kDiscrepancyFitted, kAuto, kAutoFitted };
Choices choices(std::string_view name);  // refuses what is not one of the names above
std::string to_string(Choices choices);
const std::vector<Choices>& all_choices();
bool is_fitted(Choices choices);
bool is_learned(Choices choices);
bool is_printed_cme(Choices choices);  // learned or paper: the curves of the paper have its CME and nothing else

struct PaperOptions {
  Choices choices = Choices::kFixed;
  Index seeds = 30;
  std::uint64_t first_seed = 1;
  Index steps = 100;      // of figure 3
  double budget = 150.0;  // of figure 4
  Index x_grid = 36;      // points along each axis of X
  Index a_grid = 30;      // and of A, in figure 3
  Index pairs = 100;
  std::optional<Truncation> truncation = {};  // of windows that reach out of X, figures 3 and 4
  bool extras = true;           // also curves that the paper does not have: controls, and policies of ours
  bool printed_tree = false;    // algorithm 2 to the letter (docs/resolution.md)
  bool noise_by_level = false;  // figure 4: sd 5.1 at the leaves, as many times as delta is coarser above
};

// The set of this name as it is meant: `paper` with clipped windows and the printed tree.
PaperOptions paper_choices(std::string_view name);

// By the names none, clip and renormalise; refuses others.
std::optional<Truncation> truncation(std::string_view name);

// Figures 1, 3 and 4: what is to be run.
Figure paper_figure(int number, const PaperOptions& options);

// Figures 1, 2 and 5: what is to be drawn without a run. File name and CSV.
using Drawings = std::vector<std::pair<std::string, std::string>>;
Drawings paper_drawings(int number);

// Judged from all seeds that the regrets have; paper/claims.hpp. Controls and comparisons of ours come after the claims.
Findings figure3_findings(const Regrets& regrets, Choices choices);
Findings figure4_findings(const Regrets& regrets, Choices choices);
Findings figure2_findings();
Findings figure5_findings();
Findings lemma_findings(std::uint64_t seed);  // 1 (also with appendix B) and 4, on random posteriors

// Lemmas 2 and 3, theorems 1 and 2 as checks on runs: how often each bound holds, and how loose it is; assumption 2.
Findings theory_findings(std::uint64_t seed);

// "The tree improves computational efficiency", from a table of figure 4: how many queries were compared for an answer.
Findings efficiency_findings(const ResultTable& table, const Figure& figure);

std::string paper_settings(const PaperOptions& options);  // Markdown
std::string paper_title(const PaperOptions& options);     // "`fixed`, 30 seeds"
std::string paper_name(const PaperOptions& options);      // "`fixed`, clipped"
std::vector<SettingRecord> paper_setting_records(const PaperOptions& options);

}  // namespace iqbo
