// The experiments of [Zhang26], section 6, and its claims.
//
//   figure 1  a bandit asked through contexts         figure 3  algorithm 1 on Branin, regret against answers
//   figure 2  f and its averages at several delta     figure 4  algorithm 2 on Branin, regret against cost
//   figure 5  what a schedule of resolutions saves
//
// The paper does not say which kernel, lengthscales, pairs, ridge, noise, samples, beta, grid and initial points it
// used. paper_settings() states ours with reasons. There are three sets of them, and a claim should survive all:
//
//   kFixed      p(x|a) known; an RBF of lengthscales 3 and 6, mean and noise known
//   kEvidence   the same, but kernel, mean and noise are fitted to the answers
//   kLearned    as kFixed, but p(x|a) is learned from pairs: by the paper's CME, and for curves named "...:auto" by `auto`
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

enum class Choices { kFixed, kEvidence, kLearned };
Choices choices(std::string_view name);  // refuses what is not fixed, evidence or learned
std::string to_string(Choices choices);

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
};

// By the names none, clip and renormalise; refuses others.
std::optional<Truncation> truncation(std::string_view name);

// Figures 1, 3 and 4: what is to be run.
Figure paper_figure(int number, const PaperOptions& options);

// Figures 1, 2 and 5: what is to be drawn without a run. File name and CSV.
using Drawings = std::vector<std::pair<std::string, std::string>>;
Drawings paper_drawings(int number);

Findings figure3_findings(const Regrets& regrets, Choices choices);
Findings figure4_findings(const Regrets& regrets, Choices choices);
Findings figure2_findings();
Findings figure5_findings();
Findings lemma_findings(std::uint64_t seed);  // 1 and 4, on random posteriors

std::string paper_settings(const PaperOptions& options);  // Markdown
std::string paper_title(const PaperOptions& options);     // "`fixed`, 30 seeds"
std::vector<SettingRecord> paper_setting_records(const PaperOptions& options);

}  // namespace iqbo
