#include "iqbo/core/check.hpp"
#include "iqbo/paper/claims.hpp"

namespace iqbo {
namespace {

SettingRecord row(std::string what, std::string ours, std::string why) {
  return {std::move(what), std::move(ours), std::move(why)};
}

SettingRecord kernel_row(Choices choices) {
  if (!is_fitted(choices))
    return row(
        "kernel, mean, noise of f", "RBF of the variance of f, lengthscales 3 and 6; mean and noise known",
        "those of our studies (tree_branin), a fifth and two fifths of the sides of X; the set `evidence` fits them");
  return row(
      "kernel, mean, noise of f",
      "RBF, a lengthscale per axis, no nugget; fitted by maximum evidence after every answer, without priors; the "
      "mean is integrated out",
      "the paper does not say; an RBF as in theorem 2");
}

SettingRecord conditional_row(const PaperOptions& options) {
  const std::string pairs = "learned from " + std::to_string(options.pairs) + " pairs, a uniform: ";
  const char* why = "the paper learns it, from a number of pairs it does not state";
  if (!is_learned(options.choices))
    return row("p(x given a)", "known", "the theory assumes it; the set `learned` does not");
  if (options.choices == Choices::kAuto || options.choices == Choices::kAutoFitted)
    return row("p(x given a)", pairs + "by `auto`, and a discrepancy of ours fitted beside it", why);
  if (!is_printed_cme(options.choices))
    return row("p(x given a)", pairs + "the CME, and a discrepancy of ours fitted beside it", why);
  return row("p(x given a)",
             pairs +
                 "the paper's CME and nothing else. Curves named \"...:auto\" learn by `auto`, those named "
                 "\"...:discrepancy\" have our discrepancy beside the CME",
             why);
}

SettingRecord ridge_row(Choices choices) {
  if (!is_printed_cme(choices))
    return row("ridge and lengthscales of the CME", "exact leave-one-out", "docs/learned.md");
  return row("ridge and lengthscales of the CME",
             std::string("exact leave-one-out under ") +
                 (is_fitted(choices) ? "an RBF whose lengthscales are the sds of the logged x" : "k itself"),
             "the error of averages of f is what matters; the paper does not say");
}

SettingRecord truncation_row(const PaperOptions& options) {
  const std::string why = "docs/problems.md: clipped or renormalised floors differ";
  if (!options.truncation) return row("truncation", "none: windows average beyond X too", why);
  return *options.truncation == Truncation::kClip
             ? row("truncation", "what a window would see beyond X counts at the face it leaves by", why)
             : row("truncation", "windows end at the faces of X, and what is left counts as the whole", why);
}

}  // namespace

std::string paper_name(const PaperOptions& options) {
  const PaperOptions usual = paper_choices(to_string(options.choices));
  std::string out("`");
  out.append(to_string(options.choices)).append("`");
  if (options.truncation != usual.truncation)
    out += !options.truncation                        ? ", not truncated"
           : *options.truncation == Truncation::kClip ? ", clipped"
                                                      : ", renormalised";
  if (options.printed_tree != usual.printed_tree) out += options.printed_tree ? ", printed tree" : ", our tree";
  if (options.noise_by_level) out += ", noise by level";
  return out;
}

std::string paper_title(const PaperOptions& options) {
  return paper_name(options) + ", " + std::to_string(options.seeds) + (options.seeds == 1 ? " seed" : " seeds");
}

std::vector<SettingRecord> paper_setting_records(const PaperOptions& options) {
  const bool fixed = !is_fitted(options.choices);
  std::vector<SettingRecord> out;
  out.push_back(kernel_row(options.choices));
  out.push_back(
      row("kernel of the baselines on A",
          fixed ? "RBF of the variance of f, lengthscales 0.2 and 0.4 (and 1 in the resolution), mean and noise known"
                : "RBF, fitted to (a, z) by evidence",
          fixed ? "those on X over 15, the side of X: exact under the linear map" : "as that of f"));
  out.push_back(conditional_row(options));
  out.push_back(ridge_row(options.choices));
  out.push_back(
      options.noise_by_level
          ? row("noise",
                "sd of a tenth of that of f (5.1 on Branin) at the leaves, times delta / delta of a leaf above",
                "\"noise standard deviations ... set according to the height\" gives no numbers")
          : row("noise", "sd of a tenth of that of f (5.1 on Branin), at every level of the tree",
                "\"noise standard deviations ... set according to the height\" gives no numbers; resolutions "
                "follow the height"));
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
  if (options.printed_tree)
    out.push_back(row("tree", "algorithm 2 to the letter: a node in L and L' stays in L when it is asked",
                      "docs/resolution.md has what we do otherwise"));
  out.push_back(row("seeds",
                    std::to_string(options.first_seed) + " to " +
                        std::to_string(options.first_seed + static_cast<std::uint64_t>(options.seeds) - 1),
                    "the paper has 10 runs"));
  out.push_back(row("compared",
                    "log10 max(regret, 0.001 sd of f), over paired seeds, early, over all answers and at the end",
                    "regrets span decades; plain means are those of the worst run"));
  out.push_back(row("intervals",
                    "a confidence sequence (anytime-valid Student t), jointly 95 % for the " +
                        std::to_string(count_claims()) + " claims of figures 3 and 4 (Bonferroni)",
                    "one may look after every block of seeds and stop; also shown uncorrected"));
  out.push_back(row("verdicts", "equal within +-0.1 decade, else holds, does not hold, undecided", "in this order"));
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
