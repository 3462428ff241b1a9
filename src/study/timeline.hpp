// The times and the fits of the log, which its fold (ledger.hpp) leaves out.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "ledger.hpp"

namespace iqbo {

struct Timeline {
  std::vector<double> asked;                     // when each trial was handed out, in seconds since 1970
  std::vector<std::optional<double>> settled;    // when it was told, amended or failed
  std::vector<std::int64_t> handed_out;          // how many trials, when each of the ledger's answers came
  std::map<std::int64_t, Hyperparameters> fits;  // by observations; the latest, even of an earlier epoch

  // Call this after ledger.add(event).
  void add(const Event& event, const Ledger& ledger) {
    if (const auto* one = std::get_if<Asked>(&event.body)) {
      asked.push_back(event.time);
      settled.emplace_back();
      if (one->trial.fit) fits[one->trial.fit->observations] = *one->trial.fit;
    }
    if (const auto* one = std::get_if<Told>(&event.body)) settled.at(static_cast<std::size_t>(one->trial)) = event.time;
    if (const auto* one = std::get_if<Amended>(&event.body))
      settled.at(static_cast<std::size_t>(one->trial)) = event.time;
    if (const auto* one = std::get_if<Failed>(&event.body))
      settled.at(static_cast<std::size_t>(one->trial)) = event.time;
    if (const auto* one = std::get_if<Refit>(&event.body); one != nullptr && !one->learned)
      fits[one->fit.observations] = one->fit;
    handed_out.resize(ledger.answers().size(), static_cast<std::int64_t>(asked.size()));
  }
};

}  // namespace iqbo
