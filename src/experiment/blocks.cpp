#include "iqbo/experiment/blocks.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "iqbo/core/check.hpp"
#include "iqbo/record/csv.hpp"
#include "iqbo/record/text_file.hpp"

namespace iqbo {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

std::string seeds_of(const Experiment& block) {
  return std::to_string(block.first_seed) + "-" +
         std::to_string(block.first_seed + static_cast<std::uint64_t>(block.seeds) - 1);
}

void add_seconds(const std::string& timings, const std::string& name, KnownRuns& out) {
  const CsvTable table = parse_csv(timings, name);
  const std::size_t problem = table.position("problem"), policy = table.position("policy");
  const std::size_t seed = table.position("seed"), seconds = table.position("seconds");
  for (std::size_t i = 0; i < table.size(); ++i) {
    const CsvRow cells = table.rows[i];
    const auto run = out.find({std::string(cells[problem]), std::string(cells[policy]),
                               std::strtoull(std::string(cells[seed]).c_str(), nullptr, 10)});
    if (run != out.end()) run->second.seconds = table.number(i, seconds);
  }
}

KnownRuns runs_of(const Experiment& experiment, const std::string& name, const std::string& text) {
  const Json block = Json::parse(text, nullptr, false);
  for (const char* key : {"configuration", "results", "timings"})
    if (!block.is_object() || !block.contains(key)) refuse(name, "is no finished block", "a file as iqbo wrote it");
  if (block["configuration"].dump() != Json::parse(shared_configuration(experiment)).dump())
    refuse(name, "is a block of another experiment", "the same problems, policies and settings, or another folder");
  KnownRuns out;
  for (ResultRow& row : results_from_csv(block["results"].get<std::string>(), name)) {
    KnownRun& run = out[{row.problem, row.policy, row.seed}];
    if (row.t != static_cast<std::int64_t>(run.rows.size()))
      refuse(name, "rows in another order", "a file as iqbo wrote it");
    run.rows.push_back(std::move(row));
  }
  add_seconds(block["timings"].get<std::string>(), name, out);
  return out;
}

std::string text_of(const Experiment& block, const RunResult& result, const std::string& timings) {
  const Json out{{"configuration", Json::parse(shared_configuration(block))},
                 {"timings", timings},
                 {"results", results_to_csv(result.table)}};
  return out.dump(1) + "\n";
}

}  // namespace

Shard shard(std::string_view text) {
  const auto wrong = [&] {
    refuse("shard", '"' + std::string(text) + '"', "K/N, such as 3/16: the third of sixteen, K from 1 to N");
  };
  Shard out;
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) wrong();
  const auto read = [&](std::string_view digits, Index& value) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) wrong();
  };
  read(text.substr(0, slash), out.number);
  read(text.substr(slash + 1), out.of);
  if (out.number < 1 || out.number > out.of) wrong();
  return out;
}

Experiment part_of(const Experiment& experiment, const Shard& shard) {
  // The quotient and the remainder separately: seeds x number could overflow.
  const Index each = experiment.seeds / shard.of, larger = experiment.seeds % shard.of;
  const auto before = [&](Index number) { return each * number + std::min(number, larger); };
  Experiment out = experiment;
  out.first_seed += static_cast<std::uint64_t>(before(shard.number - 1));
  out.seeds = before(shard.number) - before(shard.number - 1);
  return out;
}

BlockFolder::BlockFolder(fs::path folder, const Experiment& experiment)
    : folder_(std::move(folder)), prefix_(experiment.name + ".") {}

void BlockFolder::put(const std::string& name, const std::string& text) {
  make_folder(folder_);
  write_text(folder_ / (prefix_ + name + ".json"), text);
}

std::vector<std::pair<std::string, std::string>> BlockFolder::all() const {
  std::map<std::string, std::string> out;
  std::error_code ignored;  // no folder: no blocks
  for (const auto& file : fs::directory_iterator(folder_, ignored)) {
    const std::string name = file.path().filename().string();
    if (name.starts_with(prefix_) && name.ends_with(".json")) out[file.path().string()] = read_text(file.path());
  }
  return {out.begin(), out.end()};
}

KnownRuns known_runs(const Experiment& experiment, const BlockStore& store) {
  KnownRuns out;
  const auto last = experiment.first_seed + static_cast<std::uint64_t>(experiment.seeds);
  for (const auto& [name, text] : store.all())
    for (auto& [key, run] : runs_of(experiment, name, text))
      if (const auto seed = std::get<2>(key); seed >= experiment.first_seed && seed < last)
        out.emplace(key, std::move(run));
  return out;
}

Index seeds_known(const Experiment& experiment, const KnownRuns& known) {
  Index out = 0;
  for (Index i = 0; i < experiment.seeds; ++i) {
    const auto seed = experiment.first_seed + static_cast<std::uint64_t>(i);
    const bool all = std::all_of(experiment.entries.begin(), experiment.entries.end(), [&](const Entry& entry) {
      return known.contains({entry.problem, entry.policy, seed});
    });
    out += all ? 1 : 0;
  }
  return out;
}

bool run_shard(const Experiment& experiment, const Shard& shard, const fs::path& folder, BlockStore& store,
               const RunOptions& options) {
  const Experiment block = part_of(experiment, shard);
  if (block.seeds == 0) return true;
  const KnownRuns known = known_runs(block, store);
  if (seeds_known(block, known) == block.seeds) return true;
  const fs::path place = folder / (block.name + "." + seeds_of(block));
  RunOptions with_known = options;
  with_known.known = &known;
  const RunResult result = run(block, place, with_known);
  if (!result.finished) return false;
  store.put(seeds_of(block), text_of(block, result, read_text(place / (block.name + ".timings.csv"))));
  std::error_code ignored;  // what is left over does no harm
  fs::remove_all(place, ignored);
  return true;
}

std::string shared_configuration(const Experiment& experiment) {
  Json out = Json::parse(configuration(experiment));
  out.erase("seeds");
  out.erase("first_seed");
  return out.dump();
}

}  // namespace iqbo
