#include <algorithm>

#include "iqbo/core/check.hpp"
#include "iqbo/experiment/anytime.hpp"
#include "iqbo/paper/claims.hpp"

namespace iqbo {
namespace {

struct Part {
  double low, high;  // low < grid <= high
};

double end(const Regrets& regrets) { return regrets.figure().grid[regrets.figure().grid.size() - 1]; }

// The initial queries, which all policies share, are not compared.
double begin(const Regrets& regrets) {
  const Figure& figure = regrets.figure();
  return figure.axis == Axis::kCost ? 0.0 : static_cast<double>(figure.experiment.entries[0].initial);
}

Part part(const Regrets& regrets, When when) {
  const double last = end(regrets);
  if (when == When::kEnd) return {last - 0.5, last};
  const double early = regrets.figure().axis == Axis::kCost ? 7.0 * last / 30.0 : last / 4.0;
  return {begin(regrets), when == When::kEarly ? early : last};
}

std::string named(const Part& part, const Regrets& regrets) {
  const std::string unit = regrets.figure().axis == Axis::kCost ? "cost" : "t";
  std::vector<double> inside;
  for (const double at : regrets.figure().grid)
    if (at > part.low && at <= part.high) inside.push_back(at);
  if (inside.size() == 1) return unit + " = " + readable(inside[0]);
  return inside.empty() ? "" : unit + " = " + readable(inside.front()) + " to " + readable(inside.back());
}

Index seeds_of(const Claim& claim, const Regrets& regrets) {
  Index out = regrets.logs(claim.problem, claim.policy, claim.regret).rows();
  for (const std::string& other : claim.others)
    out = std::min(out, regrets.logs(claim.problem, other, claim.regret).rows());
  return out;
}

// Differences by seed, for each of the others; for a gap one.
std::vector<std::pair<std::string, Vector>> differences(const Claim& claim, const Regrets& regrets, Index seeds) {
  const auto mean = [&](const std::string& policy, const Part& over) {
    return Vector(regrets.mean_log(claim.problem, policy, claim.regret, over.low, over.high).head(seeds));
  };
  std::vector<std::pair<std::string, Vector>> out;
  if (claim.gap) {
    const double last = end(regrets);
    const auto gap = [&](const Part& over) {
      Vector all = mean(claim.policy, over);
      for (const std::string& other : claim.others) all -= mean(other, over) / static_cast<double>(claim.others.size());
      return all;
    };
    out.emplace_back("", gap(part(regrets, When::kEarly)) - gap({0.75 * last, last}));
    return out;
  }
  const Part over = part(regrets, claim.when);
  for (const std::string& other : claim.others) out.emplace_back(other, mean(claim.policy, over) - mean(other, over));
  return out;
}

std::string measure(const Claim& claim, const Regrets& regrets) {
  const std::string what = claim.problem + ", " + to_string(claim.regret) + " regret";
  if (claim.gap)
    return what + ": gap of " + claim.policy + " to the mean of the baselines, first quarter minus last quarter";
  std::string out = what + ", " + named(part(regrets, claim.when), regrets) + ": " + claim.policy + " - ";
  for (const std::string& other : claim.others) out.append(&other == &claim.others.front() ? "" : ", ").append(other);
  return out;
}

int favour(Verdict verdict) {
  constexpr Verdict kOrder[] = {Verdict::kDoesNotHold, Verdict::kUndecided, Verdict::kEqual, Verdict::kHolds};
  return static_cast<int>(std::find(std::begin(kOrder), std::end(kOrder), verdict) - std::begin(kOrder));
}

}  // namespace

Finding judge(const Claim& claim, const Regrets& regrets, Index seeds) {
  const Index there = seeds_of(claim, regrets);
  if (seeds > there) refuse("seeds", std::to_string(seeds), "at most " + std::to_string(there) + ", which were run");
  const auto all = differences(claim, regrets, seeds > 0 ? seeds : there);
  Finding out{claim.about, claim.text, measure(claim, regrets)};
  out.extra = claim.extra;
  out.problem = claim.problem;
  out.regret = to_string(claim.regret);
  const Index among = count_claims() * static_cast<Index>(all.size());
  std::vector<Verdict> corrected, uncorrected;
  std::optional<int> worst;
  for (const auto& [other, difference] : all) {
    const Interval alone = anytime_interval(difference), joint = anytime_interval(difference, among);
    uncorrected.push_back(is_smaller(alone, kEqual));
    corrected.push_back(is_smaller(claim.extra ? alone : joint, kEqual));
    const int now = favour(corrected.back());
    if (worst && (now > *worst || (now == *worst && alone.high <= out.difference->high))) continue;
    worst = now;
    out.difference = alone;
    if (!claim.extra) out.corrected = joint;
    if (all.size() > 1) out.remark = "decided by " + other;
  }
  out.verdict = all_of(corrected);
  if (!claim.extra) out.uncorrected = all_of(uncorrected);
  return out;
}

Findings judge_all(const std::vector<Claim>& claims, const Regrets& regrets) {
  Findings out, extras;
  for (const Claim& claim : claims) (claim.extra ? extras : out).push_back(judge(claim, regrets));
  out.insert(out.end(), extras.begin(), extras.end());
  return out;
}

Decisions decide(const std::vector<Claim>& claims, const Regrets& regrets, Index block) {
  Decisions out;
  for (const Claim& claim : claims) {
    const Index most = seeds_of(claim, regrets);
    Finding found = judge(claim, regrets, std::min(block, most));
    for (Index seeds = 2 * block; found.verdict == Verdict::kUndecided && seeds <= most; seeds += block)
      found = judge(claim, regrets, seeds);
    found.remark += (found.remark.empty() ? "" : ", ") + std::to_string(found.difference->n) + " seeds";
    if (found.verdict == Verdict::kUndecided) out.open.push_back(claim);
    out.findings.push_back(std::move(found));
  }
  return out;
}

Figure block_of(const Figure& figure, const std::vector<Claim>& open, Index number, Index block) {
  const auto needs = [&](const Entry& entry) {
    return std::any_of(open.begin(), open.end(), [&](const Claim& claim) {
      return claim.problem == entry.problem &&
             (claim.policy == entry.policy ||
              std::find(claim.others.begin(), claim.others.end(), entry.policy) != claim.others.end());
    });
  };
  Figure out = figure;
  std::erase_if(out.experiment.entries, [&](const Entry& entry) { return !needs(entry); });
  out.experiment.seeds = block;
  out.experiment.first_seed += static_cast<std::uint64_t>(number * block);
  return out;
}

}  // namespace iqbo
