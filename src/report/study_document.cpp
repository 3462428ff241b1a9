#include "study_document.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "document_version.hpp"
#include "honesty.hpp"
#include "json_numbers.hpp"
#include "space_json.hpp"
#include "study_objects.hpp"

namespace iqbo::internal {
namespace {

constexpr double kFrameShades = 4000.0;  // steps over the range of means that a frame distinguishes

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

Json answer_json(const RecommendationRecord& best, Json moving) {
  return {{"x", best.x},
          {"name", best.name},
          {"mean", exact(best.mean)},
          {"sd", exact(best.sd)},
          {"low", exact(best.low)},
          {"high", exact(best.high)},
          {"probability", exact(best.probability)},
          {"probability_error", exact(best.probability_error)},
          {"tolerance", exact(best.tolerance)},
          {"unseen", or_null(best.unseen)},
          {"optimum_low", or_null(best.optimum_low)},
          {"optimum_high", or_null(best.optimum_high)},
          {"notes", best.notes},
          {"moving", std::move(moving)}};
}

Json slices_json(const std::vector<SliceRecord>& slices) {
  Json out = Json::array();
  for (const SliceRecord& each : slices)
    out.push_back({{"axes", each.axes},
                   {"at", each.at},
                   {"points", seen(each.points)},
                   {"mean", seen(each.mean)},
                   {"sd", seen(each.sd)}});
  return out;
}

Json belief_json(const BeliefRecord& belief, const SlicesRecord& slices) {
  return {{"points", seen(belief.points)},
          {"names", belief.names},
          {"grid", belief.grid.empty() ? Json() : Json(belief.grid)},
          {"mean", seen(belief.mean)},
          {"sd", seen(belief.sd)},
          {"slices", slices_json(slices.slices)},
          {"effects", slices_json(slices.effects)}};
}

Json score_json(const Snapshot& now) {
  if (now.why.empty() && now.scores.empty()) return {};
  Json values = seen(now.scores);
  if (now.scores.empty())
    for (std::size_t i = 0; i < now.a.points.size(); ++i) values.push_back(nullptr);
  Json out{{"policy", now.policy},
           {"values", std::move(values)},
           {"logarithms", now.logarithms},
           {"next", or_null(now.next)},
           {"why", now.why}};
  if (!now.next_query.empty()) out["query"] = now.next_query;
  return out;
}

Json cells_json(const std::vector<CellRecord>& cells) {
  Json out = Json::array();
  for (const CellRecord& cell : cells)
    out.push_back({{"level", cell.level},
                   {"lower", cell.lower},
                   {"upper", cell.upper},
                   {"asked", cell.asked},
                   {"candidate", cell.candidate},
                   {"mean", cell.mean ? seen(*cell.mean) : Json()},
                   {"sd", cell.sd ? seen(*cell.sd) : Json()}});
  return out;
}

// An imported answer as a row of the trials.
Json survey_object(Json out, const PastImport& survey) {
  const Observation& observation = survey.logged.observation;
  out.update(Json{{"number", nullptr},
                  {"query", observation.point},
                  {"name", observation.name},
                  {"cost", nullptr},
                  {"state", "imported"},
                  {"value", exact(observation.answer.value)},
                  {"noise_sd", exact(observation.answer.noise_sd)},
                  {"replicates", observation.answer.replicates},
                  {"count", or_null(observation.answer.count)},
                  {"exposure", exact(observation.answer.exposure)},
                  {"worker", ""},
                  {"policy", ""},
                  {"why", Json::array({"imported"})},
                  {"score", nullptr},
                  {"asked", nullptr},
                  {"told", nullptr},
                  {"expected", survey.expected ? seen(*survey.expected) : Json()},
                  {"expected_sd", survey.expected_sd ? seen(*survey.expected_sd) : Json()},
                  {"footprint", or_null(survey.footprint)}});
  return out;
}

// As columns, which take a third of the space. A query is a row of numbers here: the axes give their names. Imported answers
// stand among the trials, where they came.
Json trials_json(const SpecData& data, const std::vector<PastTrial>& trials, const std::vector<PastImport>& surveys) {
  const Json absent{{"name", ""},      {"level", nullptr}, {"value", nullptr}, {"noise_sd", nullptr},
                    {"replicates", 1}, {"reason", ""},     {"count", nullptr}, {"exposure", nullptr}};
  Json out;
  for (const char* column :
       {"number", "query", "name", "level", "cost", "state", "value", "noise_sd", "replicates", "reason", "worker",
        "policy", "why", "score", "asked", "told", "expected", "expected_sd", "footprint"})
    out[column] = Json::array();
  if (is_count(data.spec.answers))
    for (const char* column : {"count", "exposure"}) out[column] = Json::array();
  const auto add = [&](Json one) {
    for (const auto& [name, column] : out.items()) column.push_back(std::move(one[name]));
  };
  std::size_t next = 0;  // of the surveys
  const auto add_surveys = [&](std::int64_t number) {
    for (; next < surveys.size() && surveys[next].before <= number; ++next) add(survey_object(absent, surveys[next]));
  };
  for (const PastTrial& past : trials) {
    add_surveys(past.trial.number);
    Json one = absent;
    one.update(trial_object(data, past.trial));
    one["query"] = past.trial.query;
    one["asked"] = exact(std::round(past.asked));
    one["told"] = past.told ? exact(std::round(*past.told)) : Json();
    one["expected"] = past.expected ? seen(*past.expected) : Json();
    one["expected_sd"] = past.expected_sd ? seen(*past.expected_sd) : Json();
    one["footprint"] = or_null(past.footprint);
    add(std::move(one));
  }
  add_surveys(std::numeric_limits<std::int64_t>::max());
  return out;
}

Json footprints_json(const std::vector<FootprintRecord>& footprints) {
  constexpr double kWeightStep = 1e-5;
  Json out = Json::array();
  for (const FootprintRecord& each : footprints) switch (each.kind) {
      case FootprintRecord::Kind::kEllipse:
        out.push_back({{"kind", "ellipse"}, {"centre", seen(each.first)}, {"half", seen(each.second)}});
        break;
      case FootprintRecord::Kind::kBox:
        out.push_back({{"kind", "box"}, {"lower", seen(each.first)}, {"upper", seen(each.second)}});
        break;
      case FootprintRecord::Kind::kMembers:
        out.push_back({{"kind", "members"}, {"members", each.members}, {"weights", seen(each.weights, kWeightStep)}});
    }
  return out;
}

Json imported_json(const std::vector<LoggedObservation>& imported) {
  Json out = Json::array();
  for (const auto& [is_value, observation, trial] : imported) {
    const Answer& answer = observation.answer;
    out.push_back({{"kind", is_value ? "value" : "answer"},
                   {"point", observation.point},
                   {"name", observation.name},
                   {"value", exact(answer.value)},
                   {"noise_sd", exact(answer.noise_sd)}});
    if (!answer.count || !answer.exposure) continue;
    out.back()["count"] = *answer.count;
    out.back()["exposure"] = exact(*answer.exposure);
  }
  return out;
}

Json frames_json(const Spec& spec, const std::vector<FrameRecord>& frames) {
  const auto step = [&](auto member) {
    double range = 0.0;
    for (const FrameRecord& frame : frames) range = std::max(range, range_of(frame.*member));
    return range / kFrameShades;
  };
  const double f = step(&FrameRecord::f_mean), g = step(&FrameRecord::g_mean);
  const auto list = [](const std::vector<double>& values, double least) {
    return values.empty() ? Json() : seen(values, least);
  };
  Json out = Json::array();
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const FrameRecord& frame = frames[i];
    Json best;
    if (frame.best) best = answer_json(*frame.best, moving_json(spec, {frames.data(), i + 1}));
    out.push_back({{"told", frame.told},
                   {"trial", frame.trial},
                   {"best", std::move(best)},
                   {"best_so_far", frame.best ? exact(frame.best->mean) : Json()},
                   {"f_mean", list(frame.f_mean, f)},
                   {"f_sd", list(frame.f_sd, f)},
                   {"g_mean", list(frame.g_mean, g)},
                   {"g_sd", list(frame.g_sd, g)}});
  }
  return out;
}

Json fits_json(const SpecData& data, const std::vector<Hyperparameters>& fits) {
  Json out = Json::array();
  const std::vector<std::string> names = coordinate_names(data.spec.targets);
  for (const Hyperparameters& fit : fits) {
    Json parameters = Json::array();
    for (const FittedParameter& p : fit.parameters(names))
      parameters.push_back({{"name", p.name}, {"value", seen(p.value)}, {"low", seen(p.low)}, {"high", seen(p.high)}});
    out.push_back({{"observations", fit.observations},
                   {"family", fit.family},
                   {"log_evidence", seen(fit.log_evidence)},
                   {"parameters", std::move(parameters)},
                   {"notes", fit.named_notes(names)}});
  }
  return out;
}

Json learned_json(const std::optional<LearningRecord>& learned) {
  if (!learned) return {};
  Json models = Json::array();
  double most = 0.0;
  for (const LearnedModelRecord& each : learned->models) most = std::max(most, each.weight);
  for (const LearnedModelRecord& each : learned->models)
    models.push_back({{"name", each.name},
                      {"score", seen(each.score)},
                      {"weight", seen(each.weight)},
                      {"chosen", each.weight > 0.0 && each.weight == most}});
  return {{"summary", learned->summary},
          {"models", std::move(models)},
          {"discrepancy", learned->discrepancy ? seen(*learned->discrepancy) : Json()}};
}

// The file was checked to be JSON when the study was created.
Json geojson_json(const SpecData& data, const std::string& text) {
  const auto& geojson = data.spec.queries.geojson;
  if (!geojson || text.empty()) return {};
  Json features = Json::parse(text, nullptr, false);
  if (features.is_discarded()) return {};
  return {{"id", geojson->id}, {"features", std::move(features)}};
}

Json tiles_json(const std::vector<TileRecord>& tiles) {
  if (tiles.empty()) return {};
  std::vector<std::vector<double>> lower, upper;
  for (const TileRecord& each : tiles) {
    lower.push_back(each.lower);
    upper.push_back(each.upper);
  }
  return {{"lower", seen(lower)}, {"upper", seen(upper)}};
}

Json chances_json(const std::optional<ChanceRecord>& chances) {
  if (!chances) return {};
  constexpr double kStep = 1e-4;
  const auto list = [](const std::vector<double>& values) { return values.empty() ? Json() : seen(values, kStep); };
  return {{"draws", chances->draws},
          {"regret", exact(chances->regret)},
          {"regret_error", exact(chances->regret_error)},
          {"smallest", chances->smallest},
          {"smallest_probability", exact(chances->smallest_probability)},
          {"best", list(chances->best)},
          {"above", list(chances->above)},
          {"above_g", list(chances->above_g)},
          {"stop", chances->stop}};
}

// What f is; and where it cannot be any number, how eta becomes f = h(eta).
Json value_json(const Spec& spec, const Snapshot& now) {
  Json out{{"name", spec.value.name}, {"unit", spec.value.unit}};
  std::string link = now.fit ? now.fit->link : "";
  if (link.empty() && spec.link == LinkKind::kLog) link = "log";
  if (link.empty() && spec.link == LinkKind::kLogit) link = "logit";
  if (!is_count(spec.answers) && (link.empty() || link == "identity")) return out;
  out["link"] = link.empty() ? "identity" : link;
  out["most"] = spec.answers == AnswerFamily::kBinomial ? Json(spec.value.per) : Json();
  return out;
}

std::vector<std::string> notes_of(const SpecData& data, const History& history) {
  std::vector<std::string> out = history.now.notes;
  if (history.now.x.points.empty() && !data.targets.ids.empty())
    out.push_back("X has " + std::to_string(data.targets.ids.size()) + " points, too many to be drawn");
  const auto add = [&](const std::vector<std::string>& more) {
    for (const std::string& note : more)
      if (std::find(out.begin(), out.end(), note) == out.end()) out.push_back(note);
  };
  if (history.now.fit) add(history.now.fit->named_notes(coordinate_names(data.spec.targets)));
  if (history.now.best) add(history.now.best->notes);
  return out;
}

}  // namespace

std::string study_document(const SpecData& data, const History& history, const Colophon& colophon) {
  const Spec& spec = data.spec;
  const Snapshot& now = history.now;
  const bool begun = now.observations > 0 && now.best && !history.frames.empty();
  return written({{"kind", "study"},
                  {"version", kDocumentVersion},
                  {"made", colophon.made},
                  {"program", colophon.program},
                  {"name", spec.name},
                  {"goal", spec.goal == Goal::kMaximize ? "maximize" : "minimize"},
                  {"value", value_json(spec, now)},
                  {"target", target_space_json(data)},
                  {"query", query_space_json(data)},
                  {"policy", spec.policy.name},
                  {"conditional", conditional_json(data)},
                  {"status", status_object(data, history.status)},
                  {"answer", begun ? answer_json(*now.best, moving_json(spec, history.frames)) : Json()},
                  {"f", belief_json(now.x, history.f)},
                  {"g", belief_json(now.a, history.g)},
                  {"scores", score_json(now)},
                  {"cells", cells_json(now.cells)},
                  {"trials", trials_json(data, history.trials, history.surveys)},
                  {"footprints", footprints_json(history.footprints)},
                  {"observations", imported_json(history.imported)},
                  {"frames", frames_json(spec, history.frames)},
                  {"fits", fits_json(data, history.fits)},
                  {"learned", learned_json(history.learned)},
                  {"checks", checks_json(history)},
                  {"geojson", geojson_json(data, history.geojson)},
                  {"tiles", tiles_json(history.tiles)},
                  {"noise_told", history.noise_told},
                  {"limit", exact(history.limit)},
                  {"chances", chances_json(history.chances)},
                  {"spec", to_json(spec)},
                  {"notes", notes_of(data, history)}});
}

}  // namespace iqbo::internal
