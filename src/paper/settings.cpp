#include "iqbo/core/check.hpp"
#include "iqbo/paper/paper.hpp"

namespace iqbo {
namespace {

SettingRecord row(std::string what, std::string ours, std::string why) {
  return {std::move(what), std::move(ours), std::move(why)};
}

SettingRecord kernel_row(Choices choices) {
  if (choices != Choices::kEvidence)
    return row(
        "kernel, mean, noise of f", "RBF of the variance of f, lengthscales 3 and 6; mean and noise known",
        "those of our studies (tree_branin), a fifth and two fifths of the sides of X; the set `evidence` fits them");
  return row("kernel, mean, noise of f",
             "RBF, a lengthscale per axis; fitted to the answers by evidence, again at 1.4 times as many",
             "what a user would do; an RBF as in theorem 2, since Branin is smooth");
}

SettingRecord conditional_row(const PaperOptions& options) {
  if (options.choices != Choices::kLearned)
    return row("p(x given a)", "known", "the theory assumes it; the set `learned` does not");
  return row("p(x given a)",
             "learned from " + std::to_string(options.pairs) +
                 " pairs, a uniform: the paper's CME, and `auto` for curves named \"...:auto\"",
             "the paper learns it, from a number of pairs it does not state");
}

SettingRecord truncation_row(const PaperOptions& options) {
  const std::string why = "docs/problems.md: clipped or renormalised floors differ";
  if (!options.truncation) return row("truncation", "none: windows average beyond X too", why);
  return *options.truncation == Truncation::kClip
             ? row("truncation", "what a window would see beyond X counts at the face it leaves by", why)
             : row("truncation", "windows end at the faces of X, and what is left counts as the whole", why);
}

}  // namespace

std::string paper_title(const PaperOptions& options) {
  std::string out("`");
  out.append(to_string(options.choices)).append("`, ");
  if (options.truncation) out.append(*options.truncation == Truncation::kClip ? "clipped, " : "renormalised, ");
  return out.append(std::to_string(options.seeds)).append(options.seeds == 1 ? " seed" : " seeds");
}

std::vector<SettingRecord> paper_setting_records(const PaperOptions& options) {
  const bool fixed = options.choices != Choices::kEvidence;
  std::vector<SettingRecord> out;
  out.push_back(kernel_row(options.choices));
  out.push_back(
      row("kernel of the baselines on A",
          fixed ? "RBF of the variance of f, lengthscales 0.2 and 0.4 (and 1 in the resolution), mean and noise known"
                : "RBF, fitted to (a, z) by evidence",
          fixed ? "those on X over 15, the side of X: exact under the linear map" : "as that of f"));
  out.push_back(conditional_row(options));
  out.push_back(row("ridge and lengthscales of the CME", "exact leave-one-out", "docs/learned.md"));
  out.push_back(row(
      "noise", "sd of a tenth of that of f (5.1 on Branin), at every level of the tree",
      "\"noise standard deviations ... set according to the height\" gives no numbers; resolutions follow the height"));
  out.push_back(truncation_row(options));
  out.push_back(row("samples of f*", "10 joint paths", "enough that more change little; the paper says |F*| only"));
  out.push_back(row("UCB", "sqrt(beta) = 2", "usual"));
  out.push_back(row("EI", "incumbent: largest posterior mean at asked queries", "answers are noisy"));
  out.push_back(row(
      "grids",
      "X " + std::to_string(options.x_grid) + "^2, A " + std::to_string(options.a_grid) + "^2; the tree has 4^6 leaves",
      "\"discretize the search space into grids\""));
  out.push_back(
      row("initial queries",
          std::string(fixed ? "2" : "5") + " at random, shared by all policies of a seed; in figure 4 leaves, free",
          fixed ? "the least that a fit on (a, z) needs" : "a fit needs a few more than two"));
  out.push_back(row("recommendation", "largest posterior mean of f given p(x given a), for every policy",
                    "the paper's baselines must recommend x somehow; so only the queries differ"));
  out.push_back(row("instant regret", "max f - max over all queries so far of g", "definition 1"));
  out.push_back(
      row("figure 3", std::to_string(options.steps) + " answers, the initial ones included", "the paper's 100"));
  out.push_back(row("figure 4",
                    "budget " + readable(options.budget) + ", never overspent; cost (l + 1)/2, delta = 1/(l + 1)",
                    "the paper's formulas; it does not state its budget"));
  out.push_back(row(
      "compared", "log10 max(regret, 0.001 sd of f), mean over t or cost, Student's 95 % interval over paired seeds",
      "regrets span decades; plain means are those of the worst run. Intervals are not corrected for their number"));
  out.push_back(row("seeds",
                    std::to_string(options.first_seed) + " to " +
                        std::to_string(options.first_seed + static_cast<std::uint64_t>(options.seeds) - 1),
                    "the paper has 10 runs"));
  return out;
}

std::string paper_settings(const PaperOptions& options) {
  std::string out = "# Settings\n\nChoices: `" + to_string(options.choices) +
                    "`. What the paper leaves out, what we took, and why.\n\n| setting | ours | why |\n|---|---|---|\n";
  for (const SettingRecord& each : paper_setting_records(options))
    out += "| " + each.name + " | " + each.choice + " | " + each.reason + " |\n";
  return out;
}

}  // namespace iqbo
