#include "iqbo/core/check.hpp"
#include "iqbo/experiment/paper.hpp"

namespace iqbo {
namespace {

std::string row(const std::string& what, const std::string& ours, const std::string& why) {
  return "| " + what + " | " + ours + " | " + why + " |\n";
}

std::string kernel_row(Choices choices) {
  if (choices != Choices::kEvidence)
    return row(
        "kernel, mean, noise of f", "RBF of the variance of f, lengthscales 3 and 6; mean and noise known",
        "those of our studies (tree_branin), a fifth and two fifths of the sides of X; the set `evidence` fits them");
  return row("kernel, mean, noise of f",
             "RBF, a lengthscale per axis; fitted to the answers by evidence, again at 1.4 times as many",
             "what a user would do; an RBF as in theorem 2, since Branin is smooth");
}

std::string conditional_row(const PaperOptions& options) {
  if (options.choices != Choices::kLearned)
    return row("p(x given a)", "known", "the theory assumes it; the set `learned` does not");
  return row("p(x given a)",
             "learned from " + std::to_string(options.pairs) +
                 " pairs, a uniform: the paper's CME, and `auto` for curves named \"...:auto\"",
             "the paper learns it, from a number of pairs it does not say");
}

std::string truncation_row(const PaperOptions& options) {
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

std::string paper_settings(const PaperOptions& options) {
  const bool fixed = options.choices != Choices::kEvidence;
  std::string out = "# Settings\n\nChoices: `" + to_string(options.choices) +
                    "`. What the paper leaves out, what we took, and why.\n\n| setting | ours | why |\n|---|---|---|\n";
  out += kernel_row(options.choices);
  out +=
      row("kernel of the baselines on A",
          fixed ? "RBF of the variance of f, lengthscales 0.2 and 0.4 (and 1 in the resolution), mean and noise known"
                : "RBF, fitted to (a, z) by evidence",
          fixed ? "those on X over 15, the side of X: exact under the linear map" : "as that of f");
  out += conditional_row(options);
  out += row("ridge and lengthscales of the CME", "exact leave-one-out", "docs/learned.md");
  out += row(
      "noise", "sd of a tenth of that of f (5.1 on Branin), at every level of the tree",
      "\"noise standard deviations ... set according to the height\" gives no numbers; resolutions follow the height");
  out += truncation_row(options);
  out += row("samples of f*", "10 joint paths", "enough that more change little; the paper says |F*| only");
  out += row("UCB", "sqrt(beta) = 2", "usual");
  out += row("EI", "incumbent: largest posterior mean at asked queries", "answers are noisy");
  out += row(
      "grids",
      "X " + std::to_string(options.x_grid) + "^2, A " + std::to_string(options.a_grid) + "^2; the tree has 4^6 leaves",
      "\"discretize the search space into grids\"");
  out += row("initial queries",
             std::string(fixed ? "2" : "5") + " at random, shared by all policies of a seed; in figure 4 leaves, free",
             fixed ? "the least that a fit on (a, z) needs" : "a fit wants a few more than two");
  out += row("recommendation", "largest posterior mean of f given p(x given a), for every policy",
             "the paper's baselines must recommend x somehow; so the queries alone differ");
  out += row("instant regret", "max f - max over all queries so far of g", "definition 1");
  out += row("figure 3", std::to_string(options.steps) + " answers, the initial ones included", "the paper's 100");
  out += row("figure 4", "budget " + readable(options.budget) + ", never overspent; cost (l + 1)/2, delta = 1/(l + 1)",
             "the paper's formulas; its budget is not said");
  out += row(
      "compared", "log10 max(regret, 0.001 sd of f), mean over t or cost, Student's 95 % interval over paired seeds",
      "regrets span decades; plain means are those of the worst run. Intervals are not corrected for their number");
  out += row("seeds",
             std::to_string(options.first_seed) + " to " +
                 std::to_string(options.first_seed + static_cast<std::uint64_t>(options.seeds) - 1),
             "the paper has 10 runs");
  return out;
}

}  // namespace iqbo
