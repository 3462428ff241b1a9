#include "fit_schedule.hpp"

#include <algorithm>
#include <optional>

#include "iqbo/policy/policy.hpp"

namespace iqbo {
namespace {

constexpr std::size_t kFirstFit = 2;  // fewer answers say nothing about hyperparameters

std::size_t next_fit(std::size_t size) {
  return size == 0 ? kFirstFit
                   : std::max(size + 1, static_cast<std::size_t>(Policy::kRefitGrowth * static_cast<double>(size)));
}

// The largest of kFirstFit, then each kRefitGrowth times the one before, that is not above t; 0 if there is none.
std::size_t fitted_size(std::size_t t) {
  std::size_t size = 0;
  while (next_fit(size) <= t) size = next_fit(size);
  return size;
}

// How many answers there were when they first differed; none if they do not.
std::optional<std::size_t> first_difference(const Answers& answers) {
  const auto other =
      std::find_if(answers.begin(), answers.end(), [&](const Datum& one) { return one.z != answers.front().z; });
  if (other == answers.end()) return std::nullopt;
  return static_cast<std::size_t>(other - answers.begin()) + 1;
}

}  // namespace

// Equal answers do not tell how f varies, so that a fit is also due at the first one that differs.
std::size_t fitted_size(const Answers& answers, std::size_t t, bool always) {
  if (always) return t < kFirstFit ? 0 : t;
  const auto differ = first_difference(answers);
  return differ && *differ <= t ? std::max(*differ, fitted_size(t)) : fitted_size(t);
}

std::vector<Index> Policy::fit_sizes(Index observations) {
  std::vector<Index> out;
  for (std::size_t size = next_fit(0); size <= static_cast<std::size_t>(observations); size = next_fit(size))
    out.push_back(static_cast<Index>(size));
  return out;
}

std::vector<Index> fit_sizes(const Answers& answers, bool always) {
  std::vector<Index> out = Policy::fit_sizes(static_cast<Index>(answers.size()));
  if (always) {
    out.clear();
    for (std::size_t t = kFirstFit; t <= answers.size(); ++t) out.push_back(static_cast<Index>(t));
    return out;
  }
  if (const auto differ = first_difference(answers)) {
    const auto extra = static_cast<Index>(*differ);
    const auto place = std::lower_bound(out.begin(), out.end(), extra);
    if (place == out.end() || *place != extra) out.insert(place, extra);
  }
  return out;
}

}  // namespace iqbo
