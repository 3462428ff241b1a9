// The table of the spec's fields: the parser, the search for the nearest key, the writer and the schema all use it.
#pragma once

#include "fields.hpp"
#include "iqbo/record/spec.hpp"

namespace iqbo {

template <class V>
void describe(V& v, ValueSpec& s) {
  v.optional("name", s.name, "the name of f, for display", {.least_size = 1});
  v.optional("unit", s.unit, "its unit, for display");
  v.optional("per", s.per, "where answers are counts: f is a rate per this many units of exposure",
             {.low = 0, .above = true});
}

template <class V>
void describe(V& v, AxisSpec& s) {
  v.required("name", s.name, "the name of the coordinate", {.least_size = 1});
  v.optional("unit", s.unit, "its unit, for display");
  v.required("from", s.from, "the smallest value");
  v.required("to", s.to, "the largest value, above from");
  v.optional("grid", s.grid, "the number of equally spaced values, including both ends; 0: all values in between",
             {.low = 0});
}

template <class V>
void describe(V& v, TargetSpec& s) {
  v.tag("kind", s.kind, "the form of X: a box or listed points");
  if (s.kind == TargetSpec::Kind::kBox) {
    v.required("axes", s.axes, "the coordinates, one axis each", {.least_size = 1});
    return;
  }
  v.required("points", s.points, "CSV file, one point per row", {.least_size = 1});
  v.optional("id", s.id, "its column of names (default: rows are called 1, 2, ...)");
  v.required("coordinates", s.coordinates, "its columns of coordinates; other columns are kept for display",
             {.least_size = 1});
  v.optional(
      "units", s.units,
      "the units of the coordinates, one each; coordinates in the same unit are assumed to have similar lengthscales",
      {.empty_texts = true});
}

template <class V>
void describe(V& v, TreeSpec& s) {
  v.optional("levels", s.levels, "the number of levels, including the root", {.low = 2, .high = 63});
  v.optional("splits", s.splits, "the number of parts of a cell along each coordinate (default: 2 each)",
             {.low = 1, .high = 1024});
  v.optional("costs", s.costs, "the cost of a query at each level, not decreasing (default: (l + 1) / 2 at level l)",
             {.low = 0, .above = true});
  v.optional("resolutions", s.resolutions,
             "the width of the average at each level, for a box only (default: 1 / (l + 1))", {.low = 0});
  v.optional("noise_sds", s.noise_sds, "the sd of the noise at each level (default: noise_sd of the spec)", {.low = 0});
  v.optional("weight", s.weight,
             "the column of targets.points that holds weights, such as the population; for cells only");
  v.optional("requery_leaf", s.requery_leaf, "whether a cell of the last level may be asked again");
}

template <class V>
void describe(V& v, GeoJsonSpec& s) {
  v.required("file", s.file, "GeoJSON file, a FeatureCollection", {.least_size = 1});
  v.optional("id", s.id, "the property that holds the id of the region (default: the id of the feature)");
}

template <class V>
void describe(V& v, QuerySpec& s) {
  v.tag("kind", s.kind, "the form of A: a box, listed points or cells");
  if (s.kind == QuerySpec::Kind::kBox) {
    v.required("axes", s.axes, "the coordinates, one axis each", {.least_size = 1});
    v.optional("resolutions", s.resolutions,
               "the widths to choose from, which become a further coordinate called resolution", {.low = 0});
    v.optional("costs", s.costs, "the cost of a query at each of the resolutions", {.low = 0, .above = true});
    v.optional("tree", s.tree, "a tree of cells: coarse cells are asked first and then split");
  } else if (s.kind == QuerySpec::Kind::kPoints) {
    v.required("points", s.points, "CSV file, one query (region, clinic, campaign) per row", {.least_size = 1});
    v.optional("id", s.id, "its column of names (default: rows are called 1, 2, ...)");
    v.optional("coordinates", s.coordinates,
               "its columns of coordinates (default: none, so that a query is only a name)");
    v.optional("units", s.units, "the units of the coordinates, one each, for display", {.empty_texts = true});
    v.optional("categories", s.categories, "the coordinates whose cells are names, not numbers");
    v.optional("geojson", s.geojson, "the shapes of the regions, matched by id, for display");
  } else {
    v.required("tree", s.tree, "how the target points are split into cells");
  }
  if (s.kind != QuerySpec::Kind::kCells && !s.tree && s.resolutions.empty()) {  // they have costs of their own
    v.optional("cost", s.cost, "the cost of a query: a number, or a column of the file", {.low = 0, .above = true});
    v.optional("noise_sd", s.noise_sd,
               "the sd of the noise of an answer: a number, or a column of the file (default: noise_sd of the spec)",
               {.low = 0});
  }
}

template <class V>
void describe(V& v, ConditionalSpec& s) {
  using Kind = ConditionalSpec::Kind;
  v.tag("kind", s.kind, "the form of p(x given a)");
  if (s.kind == Kind::kGaussian || s.kind == Kind::kUniform) {
    v.optional("mu", s.mu, "the centre of the window: identity, affine in a, or columns of the query file");
    v.required("width", s.width, "the width of the window: the sd if gaussian, half the width if uniform");
    v.optional("truncate", s.truncate, "what happens to the part of a window that lies outside the box of X");
  } else if (s.kind == Kind::kBags) {
    v.required("bags", s.bags, "CSV file, one row for each pair of a query and a point that it touches",
               {.least_size = 1});
    v.optional("query", s.query, "its column of query ids (default: the name of queries.id)");
    v.optional("point", s.point,
               "its column of ids of target points (default: columns named like the coordinates of x)");
    v.optional("weight", s.weight, "its column of weights (default: equal weights)");
  } else if (s.kind == Kind::kLearned) {
    v.required("pairs", s.pairs, "CSV file of logged pairs, with columns named like the coordinates of x and of a",
               {.least_size = 1});
    v.optional("model", s.model,
               "how p(x given a) is learned; auto: by the models that best predict averages over left-out queries");
  }
}

template <class V>
void describe(V& v, PolicySpec& s) {
  v.optional("name", s.name, "the name of a policy; docs/policies.md lists them", {.least_size = 1});
  v.optional("initial", s.initial, "the number of queries before the policy starts; 0: the policy decides",
             {.low = 0, .high = 100000});
  v.optional("samples", s.samples, "the number of draws of the maximum", {.low = 1, .high = 100000});
  v.optional("repeats", s.repeats, "whether a listed query may be asked twice");
  v.optional("spots", s.spots, "whether auto searches for rare spots where tiles of several sizes can be asked");
  v.optional("above", s.above, "a limit of f: level-set seeks the points above it, and reports compare points with it");
}

template <class V>
void describe(V& v, StopSpec& s) {
  v.optional("regret", s.regret, "stop when the expected loss of stopping is at most this, in units of f",
             {.low = 0, .above = true});
  v.optional("probability", s.probability, "stop when the recommendation is right with at least this probability",
             {.low = 0, .above = true, .high = 1});
}

template <class V>
void describe(V& v, Spec& s) {
  v.required("version", s.version, "the version of this format", {.low = 1, .high = kSpecVersion});
  v.optional("name", s.name, "the name of the study, for display");
  v.optional("goal", s.goal, "whether the largest or the smallest f is sought");
  v.optional("seed", s.seed, "the same seed gives the same queries", {.low = 0, .high = 9007199254740991.0});
  v.optional("value", s.value, "the name and the unit of f, for display");
  v.required("targets", s.targets, "X: the inputs among which the best point is sought");
  v.required("queries", s.queries, "A: the queries that may be asked");
  v.required("conditional", s.conditional, "p(x given a): the inputs that a query touches");
  v.optional("answers", s.answers, "the kind of answers: measured averages, or counts of events among an exposure");
  v.optional("exposure", s.queries.exposure,
             "the exposure of future counts: a number, a column of the query file, or choices",
             {.low = 0, .above = true});
  v.auto_or("dispersion", s.dispersion, "1 / k of negative-binomial counts; auto: fitted", {.low = 0, .above = true});
  v.optional("link", s.link,
             "h of f = h(eta): log keeps f positive, logit keeps it between 0 and 1; auto: chosen by evidence");
  v.auto_or("kernel", s.kernel, "the covariance of f; auto: fitted");
  v.auto_or("noise_sd", s.noise_sd, "the sd of the noise of an answer; auto: fitted", {.low = 0});
  v.optional("mean", s.mean,
             "the prior mean of f: auto (a fitted constant), linear (a fitted constant and slope), or a number");
  v.optional("fit", s.fit, "ensemble: average over what the answers leave undecided; point: use the single best fit");
  v.optional("policy", s.policy, "the rule that chooses the next query");
  v.optional("budget", s.budget, "a limit that the total cost of all queries never exceeds (default: no limit)",
             {.low = 0, .above = true});
  v.optional("stop", s.stop, "when to stop asking (default: when the budget is spent)");
}

}  // namespace iqbo

namespace iqbo::fields {

#define IQBO_ENUM(E, ...)                                      \
  template <>                                                  \
  struct EnumNames<E> {                                        \
    static const std::vector<std::string>& names() {           \
      static const std::vector<std::string> all = __VA_ARGS__; \
      return all;                                              \
    }                                                          \
  }
IQBO_ENUM(Goal, {"maximize", "minimize"});
IQBO_ENUM(FitKind, {"ensemble", "point"});
IQBO_ENUM(AnswerFamily, {"gaussian", "poisson", "negative-binomial", "binomial", "auto"});
IQBO_ENUM(LinkKind, {"auto", "identity", "log", "logit"});
IQBO_ENUM(TargetSpec::Kind, {"box", "points"});
IQBO_ENUM(QuerySpec::Kind, {"box", "points", "cells"});
IQBO_ENUM(ConditionalSpec::Kind, {"gaussian", "uniform", "bags", "learned", "cells"});
IQBO_ENUM(PolicySpec::Spots, {"auto", "off"});
IQBO_ENUM(ConditionalSpec::Truncate, {"none", "clip", "renormalise"});
IQBO_ENUM(ConditionalSpec::Model, {"auto", "shift", "cme", "nw", "plugin", "stack"});
#undef IQBO_ENUM

// A structure whose kind decides its fields: one default value per kind.
#define IQBO_KINDS(S)                                                        \
  template <>                                                                \
  struct Kinds<S> {                                                          \
    static std::vector<S> starts() {                                         \
      std::vector<S> all(EnumNames<S::Kind>::names().size());                \
      for (std::size_t i = 0; i < all.size(); ++i) all[i].kind = S::Kind(i); \
      return all;                                                            \
    }                                                                        \
  }
IQBO_KINDS(TargetSpec);
IQBO_KINDS(QuerySpec);
IQBO_KINDS(ConditionalSpec);
#undef IQBO_KINDS

template <>
struct Type<ValueSpec> : StructureType<ValueSpec> {};
template <>
struct Type<StopSpec> : StructureType<StopSpec> {};
template <>
struct Type<AxisSpec> : StructureType<AxisSpec> {};
template <>
struct Type<TargetSpec> : StructureType<TargetSpec> {};
template <>
struct Type<TreeSpec> : StructureType<TreeSpec> {};
template <>
struct Type<GeoJsonSpec> : StructureType<GeoJsonSpec> {};
template <>
struct Type<QuerySpec> : StructureType<QuerySpec> {};
template <>
struct Type<ConditionalSpec> : StructureType<ConditionalSpec> {};
template <>
struct Type<Spec> : StructureType<Spec> {};

// Types that may be written in more than one form: src/record/spec_forms.cpp.
template <class T>
struct FormType {
  static constexpr bool kMayBeAbsent = false;
  static T read(const Json& json, const std::string& path, const Limits& limits);
  static Json write(const T& value);
  static Json schema(const Limits& limits);
};
template <>
struct Type<PerQuerySpec> : FormType<PerQuerySpec> {};
template <>
struct Type<ExposureSpec> : FormType<ExposureSpec> {};
template <>
struct Type<MapSpec> : FormType<MapSpec> {};
template <>
struct Type<MeanSpec> : FormType<MeanSpec> {};
template <>
struct Type<KernelSpec> : FormType<KernelSpec> {};
template <>
struct Type<PolicySpec> : FormType<PolicySpec> {};

}  // namespace iqbo::fields
