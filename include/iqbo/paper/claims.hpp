// The claims of [Zhang26] about figures 3 and 4, how they are judged, and how many seeds they take.
//
// Under one seed all policies have the same problem, initial queries, pairs and noise. A claim "A outperforms B" is about
// d_s = log10 regret of A - log10 regret of B under seed s, averaged over a part of the run:
//
//   early               the first quarter of the answers; the first 7/30 of the budget (35 of 150)
//   over all            all answers but the initial ones; the whole budget
//   at the end          after the last answer; with the whole budget spent
//
// Intervals are those of anytime.hpp: one may add seeds and look again. The verdict rests on intervals that hold jointly for
// all claims of both figures with 95 % (Bonferroni); what it would be without that is said too. In this order: *equal* if the
// interval lies within +-kEqual decade, *holds* if it is below 0, *does not hold* if no part of it is, else *undecided*. A claim
// about several rivals has an interval for each, and holds if all do.
#pragma once

#include "iqbo/paper/paper.hpp"

namespace iqbo {

inline constexpr double kEqual = 0.1;  // decades: a quarter more or less regret

enum class When { kEarly, kOverall, kEnd };

struct Claim {
  std::string about;  // "figure 3"
  std::string text;   // "CMES outperforms MES, early"
  std::string problem;
  Regret regret = Regret::kSimple;
  When when = When::kOverall;
  std::string policy;
  std::vector<std::string> others;
  bool gap = false;    // "... especially in early iterations": the gap to the mean of the others, early minus late
  bool extra = false;  // no claim of the paper
};

std::vector<Claim> paper_claims(const Figure& figure, const PaperOptions& options);  // of figure 3 or 4
Index count_claims();  // of both figures, without extras: what intervals are corrected for

// From the first `seeds` seeds of its curves; 0: from all that they have.
Finding judge(const Claim& claim, const Regrets& regrets, Index seeds = 0);

Findings judge_all(const std::vector<Claim>& claims, const Regrets& regrets);  // claims of the paper first

// Seeds until decided: claims are judged after every `block` seeds, and one that is decided stays so. A curve is run as
// long as a claim that is still open needs it, and up to `most` seeds.
struct Decisions {
  Findings findings;        // one for each claim, from the seeds it took
  std::vector<Claim> open;  // those still undecided
};
Decisions decide(const std::vector<Claim>& claims, const Regrets& regrets, Index block);

// The curves of the figure that these claims need, for the `number`-th block of seeds, from 0 on.
Figure block_of(const Figure& figure, const std::vector<Claim>& open, Index number, Index block);

}  // namespace iqbo
