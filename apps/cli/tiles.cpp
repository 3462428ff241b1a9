#include "tiles.hpp"

#include "iqbo/core/lists.hpp"
#include "setup/footprints.hpp"

namespace iqbo::cli {

using namespace internal;

std::vector<TileRecord> tiles_of(Study& study, const Rows& queries) {
  const auto kind = study.names().spec.conditional.kind;
  const bool never = kind == ConditionalSpec::Kind::kGaussian || kind == ConditionalSpec::Kind::kLearned;
  if (never || queries.rows() == 0) return {};  // without reading the tables
  const StudySetup& setup = study.setup();
  return tiles(setup, setup.policy_query(queries)).value_or(std::vector<TileRecord>{});
}

std::vector<TileRecord> tiles_of(Study& study, const std::vector<Trial>& trials) {
  std::vector<std::vector<double>> queries;
  for (const Trial& trial : trials) queries.push_back(trial.query);
  return tiles_of(study, rows_of(queries));
}

}  // namespace iqbo::cli
