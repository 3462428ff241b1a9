// The fields of records, and their JSON. (The spec's are in spec_fields.hpp.)
#include "fields.hpp"
#include "iqbo/record/event.hpp"
#include "iqbo/record/json.hpp"
#include "iqbo/record/result_table.hpp"
#include "iqbo/record/snapshot.hpp"
#include "iqbo/record/spec.hpp"
#include "iqbo/record/trial.hpp"

namespace iqbo {

using namespace internal;

namespace {

using fields::Json;
using fields::Limits;

const char* const kNoDoc = "";
const Limits kAnyDouble{.infinite = true};
const Limits kTexts{.empty_texts = true};
const Limits kSd{.low = 0};
const Limits kCount{.low = 0};
const Limits kReplicates{.low = 1};
const Limits kExposure{.low = 0, .above = true};

}  // namespace

template <class V>
void describe(V& v, Answer& s) {
  v.required("value", s.value, kNoDoc);
  v.optional("noise_sd", s.noise_sd, kNoDoc, kSd);
  v.optional("replicates", s.replicates, kNoDoc, kReplicates);
  v.optional("count", s.count, kNoDoc, kCount);
  v.optional("exposure", s.exposure, kNoDoc, kExposure);
}

template <class V>
void describe(V& v, Observation& s) {
  v.required("point", s.point, kNoDoc);
  v.optional("name", s.name, kNoDoc);
  describe(v, s.answer);
}

template <class V>
void describe(V& v, FittedParameter& s) {
  v.required("name", s.name, kNoDoc);
  v.required("value", s.value, kNoDoc, kAnyDouble);
  v.required("low", s.low, kNoDoc, kAnyDouble);
  v.required("high", s.high, kNoDoc, kAnyDouble);
}

// Hyperparameters are stored by name, so that a kernel with other parameters needs no new format.
struct StoredMember {
  double weight = 1;
  std::string family;
  std::vector<NamedNumbers> parameters;
};

struct StoredFit {
  Hyperparameters fit;
  std::vector<FittedParameter> parameters;
  std::vector<StoredMember> members;
};

template <class V>
void describe(V& v, StoredFit& s) {
  v.required("observations", s.fit.observations, kNoDoc, kCount);
  v.optional("family", s.fit.family, kNoDoc);
  v.required("log_evidence", s.fit.log_evidence, kNoDoc, kAnyDouble);
  v.required("parameters", s.parameters, kNoDoc);
  v.optional("notes", s.fit.notes, kNoDoc, kTexts);
  v.optional("members", s.members, kNoDoc);
  v.optional("link", s.fit.link, kNoDoc);
}

template <class V>
void describe(V& v, NamedNumbers& s) {
  v.required("name", s.name, kNoDoc);
  v.required("values", s.values, kNoDoc, kAnyDouble);
}

template <class V>
void describe(V& v, StoredMember& s) {
  v.required("weight", s.weight, kNoDoc, kAnyDouble);
  v.optional("family", s.family, kNoDoc);
  v.required("parameters", s.parameters, kNoDoc);
}

template <class V>
void describe(V& v, LearnedRecord& s) {
  v.required("values", s.values, kNoDoc);
  v.optional("notes", s.notes, kNoDoc, kTexts);
}

template <class V>
void describe(V& v, Trial& s) {
  v.required("number", s.number, kNoDoc, kCount);
  v.required("query", s.query, kNoDoc);
  v.optional("name", s.name, kNoDoc);
  v.optional("level", s.level, kNoDoc);
  v.required("cost", s.cost, kNoDoc);
  v.optional("policy", s.policy, kNoDoc);
  v.optional("why", s.why, kNoDoc, kTexts);
  v.optional("score", s.score, kNoDoc, kAnyDouble);
  v.optional("fit", s.fit, kNoDoc);
  v.optional("plain_fit", s.plain_fit, kNoDoc);
  v.required("seen", s.seen, kNoDoc, kCount);
  v.required("state", s.state, kNoDoc);
  v.optional("outcome", s.answer, kNoDoc);
  v.optional("reason", s.reason, kNoDoc);
  v.optional("worker", s.worker, kNoDoc);
  v.required("lease_until", s.lease_until, kNoDoc, kAnyDouble);
  v.required("handouts", s.handouts, kNoDoc, kCount);
}

template <class V>
void describe(V& v, Asked& s) {
  v.required("trial", s.trial, kNoDoc);
}

template <class V>
void describe(V& v, Taken& s) {
  v.required("trial", s.trial, kNoDoc, kCount);
  v.optional("worker", s.worker, kNoDoc);
  v.optional("from", s.from, kNoDoc);
}

template <class V>
void describe(V& v, Told& s) {
  v.required("trial", s.trial, kNoDoc, kCount);
  v.required("outcome", s.answer, kNoDoc);
  v.optional("worker", s.worker, kNoDoc);
}

template <class V>
void describe(V& v, Amended& s) {
  v.required("trial", s.trial, kNoDoc, kCount);
  v.optional("before", s.before, kNoDoc);
  v.required("after", s.after, kNoDoc);
  v.optional("worker", s.worker, kNoDoc);
}

template <class V>
void describe(V& v, Failed& s) {
  v.required("trial", s.trial, kNoDoc, kCount);
  v.optional("reason", s.reason, kNoDoc);
  v.optional("worker", s.worker, kNoDoc);
}

template <class V>
void describe(V& v, ImportedObservations& s) {
  v.required("observations", s.observations, kNoDoc);
  v.optional("source", s.source, kNoDoc);
}

template <class V>
void describe(V& v, ImportedValues& s) {
  v.required("values", s.values, kNoDoc);
  v.optional("source", s.source, kNoDoc);
}

template <class V>
void describe(V& v, ImportedPairs& s) {
  v.required("x", s.x, kNoDoc);
  v.required("a", s.a, kNoDoc);
  v.optional("source", s.source, kNoDoc);
  v.optional("learned", s.learned, kNoDoc);
}

template <class V>
void describe(V& v, Refit& s) {
  v.required("fit", s.fit, kNoDoc);
  v.optional("learned", s.learned, kNoDoc);
}

template <class V>
void describe(V& v, BeliefRecord& s) {
  v.required("points", s.points, kNoDoc);
  v.optional("names", s.names, kNoDoc, kTexts);
  v.required("mean", s.mean, kNoDoc);
  v.required("sd", s.sd, kNoDoc, kSd);
  v.optional("grid", s.grid, kNoDoc);
}

template <class V>
void describe(V& v, CellRecord& s) {
  v.required("level", s.level, kNoDoc, kCount);
  v.required("lower", s.lower, kNoDoc);
  v.required("upper", s.upper, kNoDoc);
  v.required("asked", s.asked, kNoDoc, kCount);
  v.required("candidate", s.candidate, kNoDoc);
  v.optional("mean", s.mean, kNoDoc);
  v.optional("sd", s.sd, kNoDoc, kSd);
}

template <class V>
void describe(V& v, RecommendationRecord& s) {
  v.required("x", s.x, kNoDoc);
  v.optional("name", s.name, kNoDoc);
  v.required("mean", s.mean, kNoDoc);
  v.required("sd", s.sd, kNoDoc, kSd);
  v.required("low", s.low, kNoDoc);
  v.required("high", s.high, kNoDoc);
  v.required("probability", s.probability, kNoDoc);
  v.optional("probability_error", s.probability_error, kNoDoc);
  v.required("tolerance", s.tolerance, kNoDoc);
  v.optional("widened", s.widened, kNoDoc);
  v.optional("unseen", s.unseen, kNoDoc);
  v.optional("optimum_low", s.optimum_low, kNoDoc);
  v.optional("optimum_high", s.optimum_high, kNoDoc);
  v.optional("notes", s.notes, kNoDoc, kTexts);
}

template <class V>
void describe(V& v, Snapshot& s) {
  v.required("seq", s.seq, kNoDoc, kCount);
  v.required("observations", s.observations, kNoDoc, kCount);
  v.required("x", s.x, kNoDoc);
  v.required("a", s.a, kNoDoc);
  v.optional("scores", s.scores, kNoDoc, kAnyDouble);
  v.optional("logarithms", s.logarithms, kNoDoc);
  v.optional("next", s.next, kNoDoc);
  v.optional("next_query", s.next_query, kNoDoc);
  v.optional("why", s.why, kNoDoc, kTexts);
  v.optional("policy", s.policy, kNoDoc);
  v.optional("cells", s.cells, kNoDoc);
  v.optional("fit", s.fit, kNoDoc);
  v.optional("best", s.best, kNoDoc);
  v.optional("notes", s.notes, kNoDoc, kTexts);
}

template <class V>
void describe(V& v, ResultRow& s) {
  v.required("problem", s.problem, kNoDoc);
  v.required("policy", s.policy, kNoDoc);
  v.required("seed", s.seed, kNoDoc);
  v.required("t", s.t, kNoDoc, kCount);
  v.required("query", s.query, kNoDoc);
  v.required("z", s.z, kNoDoc);
  v.required("instant_regret", s.instant_regret, kNoDoc);
  v.required("simple_regret", s.simple_regret, kNoDoc);
  v.required("cost", s.cost, kNoDoc);
}

namespace fields {

template <>
struct EnumNames<TrialState> {
  static const std::vector<std::string>& names() {
    static const std::vector<std::string> all = {"pending", "told", "failed"};
    return all;
  }
};

#define IQBO_RECORD(S) \
  template <>          \
  struct Type<S> : StructureType<S> {}
IQBO_RECORD(Answer);
IQBO_RECORD(Observation);
IQBO_RECORD(FittedParameter);
IQBO_RECORD(StoredFit);
IQBO_RECORD(NamedNumbers);
IQBO_RECORD(StoredMember);
IQBO_RECORD(LearnedRecord);
IQBO_RECORD(Trial);
IQBO_RECORD(Asked);
IQBO_RECORD(Taken);
IQBO_RECORD(Told);
IQBO_RECORD(Amended);
IQBO_RECORD(Failed);
IQBO_RECORD(ImportedObservations);
IQBO_RECORD(ImportedValues);
IQBO_RECORD(ImportedPairs);
IQBO_RECORD(Refit);
IQBO_RECORD(BeliefRecord);
IQBO_RECORD(CellRecord);
IQBO_RECORD(RecommendationRecord);
IQBO_RECORD(Snapshot);
IQBO_RECORD(ResultRow);
#undef IQBO_RECORD

template <>
struct Type<Hyperparameters> {
  static constexpr bool kMayBeAbsent = false;
  static Hyperparameters read(const Json& json, const std::string& path, const Limits& limits) {
    StoredFit stored = Type<StoredFit>::read(json, path, limits);
    stored.fit.set_parameters(stored.parameters);
    for (const StoredMember& member : stored.members) stored.fit.members.push_back(member_of(stored.fit, member, path));
    return stored.fit;
  }
  static Json write(const Hyperparameters& fit) {
    StoredFit stored{fit, fit.parameters(), {}};
    for (const Hyperparameters& member : fit.members) {
      stored.members.push_back({member.weight, member.family, {}});
      for (const FittedParameter& p : member.parameters())
        stored.members.back().parameters.push_back({p.name, {p.value}});
    }
    return Type<StoredFit>::write(stored);
  }

 private:
  // Draws have no intervals.
  static Hyperparameters member_of(const Hyperparameters& fit, const StoredMember& stored, const std::string& path) {
    Hyperparameters out;
    out.observations = fit.observations;
    out.family = stored.family;
    out.weight = stored.weight;
    out.link = fit.link;
    std::vector<FittedParameter> parameters;
    for (const NamedNumbers& p : stored.parameters) {
      if (p.values.size() != 1) refuse(at_key(path, "members"), in_quotes(p.name) + " has no single value", "a number");
      parameters.push_back({p.name, p.values[0], p.values[0], p.values[0]});
    }
    out.set_parameters(parameters);
    return out;
  }
};

}  // namespace fields

namespace {

Json body_json(const EventBody& body) {
  return std::visit([](const auto& b) { return fields::Type<std::decay_t<decltype(b)>>::write(b); }, body);
}

// The alternative of EventBody with the given kind.
template <std::size_t I = 0>
EventBody read_body(std::string_view kind, const Json& json) {
  if constexpr (I == std::variant_size_v<EventBody>) {
    refuse("event", "kind \"" + std::string(kind) + "\"", expected_names(kind, event_kinds()));
  } else {
    if (event_kinds()[I] != kind) return read_body<I + 1>(kind, json);
    return fields::Type<std::variant_alternative_t<I, EventBody>>::read(json, event_kinds()[I], {});
  }
}

}  // namespace

const std::string& to_string(TrialState state) {
  return fields::EnumNames<TrialState>::names().at(static_cast<std::size_t>(state));
}

const std::vector<std::string>& event_kinds() {
  static const std::vector<std::string> all = {"asked",        "taken",  "told",  "amended", "failed",
                                               "observations", "values", "pairs", "refit"};
  return all;
}

const std::string& event_kind(const EventBody& body) { return event_kinds().at(body.index()); }

namespace {

void append_lists(const std::vector<std::vector<double>>& lists, std::string& text) {
  text += '[';
  for (const auto& list : lists) {
    if (text.back() != '[') text += ',';
    text += fields::dump(fields::Type<std::vector<double>>::write(list));
  }
  text += ']';
}

// The same text as that of one object, row by row: the object of a million pairs would be larger than the pairs and their text.
std::string pairs_to_json(const ImportedPairs& pairs) {
  constexpr std::string_view kNone = R"({"x":[],"a":[])";
  const std::string rest = fields::dump(body_json(ImportedPairs{{}, {}, pairs.source, pairs.learned}));
  std::string out = R"({"x":)";
  append_lists(pairs.x, out);
  out += R"(,"a":)";
  append_lists(pairs.a, out);
  return out += std::string_view(rest).substr(kNone.size());
}

}  // namespace

std::string body_to_json(const EventBody& body) {
  const auto* pairs = std::get_if<ImportedPairs>(&body);
  return pairs != nullptr ? pairs_to_json(*pairs) : fields::dump(body_json(body));
}

EventBody body_from_json(std::string_view kind, std::string_view text) {
  return read_body(kind, fields::parse_strict(text, "event"));
}

template <class Record>
std::string to_json(const Record& record) {
  return fields::dump(fields::Type<Record>::write(record));
}

template <class Record>
Record from_json(std::string_view text) {
  return fields::Type<Record>::read(fields::parse_strict(text, "record"), "record", {});
}

template <>
std::string to_json(const Event& event) {
  Json json{{"seq", event.seq}, {"time", fields::Type<double>::write(event.time)}, {"kind", event_kind(event.body)}};
  json["body"] = body_json(event.body);
  return fields::dump(json);
}

template <>
Event from_json(std::string_view text) {
  const Json json = fields::parse_strict(text, "event");
  if (!json.is_object()) refuse("event", "is " + fields::shown(json), "an object {...}");
  fields::refuse_unknown_keys(json, "event", {"seq", "time", "kind", "body"});
  Event event;
  std::string kind;
  fields::Reader reader(json, "event");
  reader.required("seq", event.seq, kNoDoc, kCount);
  reader.required("time", event.time, kNoDoc);
  reader.required("kind", kind, kNoDoc);
  if (!json.contains("body")) fields::refuse_missing("event", "body");
  event.body = read_body(kind, json["body"]);
  return event;
}

#define IQBO_JSON(S)                      \
  template std::string to_json(const S&); \
  template S from_json(std::string_view)
IQBO_JSON(Answer);
IQBO_JSON(Observation);
IQBO_JSON(Trial);
IQBO_JSON(Hyperparameters);
IQBO_JSON(Snapshot);
IQBO_JSON(ResultRow);
#undef IQBO_JSON

}  // namespace iqbo
