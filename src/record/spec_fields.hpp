// The table of the spec's fields: the parser, the search for the nearest key, the writer and the schema all use it.
#pragma once

#include "fields.hpp"
#include "iqbo/record/spec.hpp"

namespace iqbo {

template <class V>
void describe(V& v, ValueSpec& s) {
  v.optional("name", s.name, "what f is called, for display", {.least_size = 1});
  v.optional("unit", s.unit, "its unit, for display");
  v.optional("per", s.per, "where answers are counts: f is a rate per so many units of exposure",
             {.low = 0, .above = true});
}

template <class V>
void describe(V& v, AxisSpec& s) {
  v.required("name", s.name, "what the coordinate is called", {.least_size = 1});
  v.optional("unit", s.unit, "its unit, for display");
  v.required("from", s.from, "the smallest value");
  v.required("to", s.to, "the largest value, above from");
  v.optional("grid", s.grid, "how many equally spaced values, both ends included; 0: all values in between",
             {.low = 0});
}

template <class V>
void describe(V& v, TargetSpec& s) {
  v.tag("kind", s.kind, "how X is given");
  if (s.kind == TargetSpec::Kind::kBox) {
    v.required("axes", s.axes, "one coordinate each", {.least_size = 1});
    return;
  }
  v.required("points", s.points, "CSV file, one point per row", {.least_size = 1});
  v.optional("id", s.id, "its column of names; without: rows are called 1, 2, ...");
  v.required("coordinates", s.coordinates, "its columns of coordinates; other columns are kept for display",
             {.least_size = 1});
  v.optional("units", s.units, "of the coordinates, one each; lengthscales of one unit are taken to be alike",
             {.empty_texts = true});
}

template <class V>
void describe(V& v, TreeSpec& s) {
  v.optional("levels", s.levels, "how many levels, the root included", {.low = 2, .high = 63});
  v.optional("splits", s.splits, "parts a cell is cut into along each coordinate; without: 2 each",
             {.low = 1, .high = 1024});
  v.optional("costs", s.costs, "of a query at each level, not decreasing; without: (l + 1) / 2 at level l",
             {.low = 0, .above = true});
  v.optional("resolutions", s.resolutions, "width of the average at each level; without: 1 / (l + 1); of a box only",
             {.low = 0});
  v.optional("noise_sds", s.noise_sds, "sd of the noise at each level; without: noise_sd of the spec", {.low = 0});
  v.optional("weight", s.weight, "column of weights (population) of targets.points; of cells only");
  v.optional("requery_leaf", s.requery_leaf, "whether a cell of the last level may be asked again");
}

template <class V>
void describe(V& v, GeoJsonSpec& s) {
  v.required("file", s.file, "GeoJSON file, a FeatureCollection", {.least_size = 1});
  v.optional("id", s.id, "property that holds the region's id; without: the feature's id");
}

template <class V>
void describe(V& v, QuerySpec& s) {
  v.tag("kind", s.kind, "how A is given");
  if (s.kind == QuerySpec::Kind::kBox) {
    v.required("axes", s.axes, "one coordinate each", {.least_size = 1});
    v.optional("resolutions", s.resolutions, "widths to choose from: a further coordinate called resolution",
               {.low = 0});
    v.optional("costs", s.costs, "of a query at each of the resolutions", {.low = 0, .above = true});
    v.optional("tree", s.tree, "ask coarse cells first and split them: multi-resolution queries");
  } else if (s.kind == QuerySpec::Kind::kPoints) {
    v.required("points", s.points, "CSV file, one query (region, clinic, campaign) per row", {.least_size = 1});
    v.optional("id", s.id, "its column of names; without: rows are called 1, 2, ...");
    v.optional("coordinates", s.coordinates, "its columns of coordinates; without: a query is only a name");
    v.optional("units", s.units, "of the coordinates, one each, for display", {.empty_texts = true});
    v.optional("categories", s.categories, "those of the coordinates whose cells are names, not numbers");
    v.optional("geojson", s.geojson, "shapes of the regions, joined by id, for display");
  } else {
    v.required("tree", s.tree, "how the target points are split into cells");
  }
  if (s.kind != QuerySpec::Kind::kCells && !s.tree && s.resolutions.empty()) {  // they have costs of their own
    v.optional("cost", s.cost, "of a query: a number, or a column of the file", {.low = 0, .above = true});
    v.optional("noise_sd", s.noise_sd,
               "of an answer: a number, or a column of the file; without: as noise_sd of the spec says", {.low = 0});
  }
}

template <class V>
void describe(V& v, ConditionalSpec& s) {
  using Kind = ConditionalSpec::Kind;
  v.tag("kind", s.kind, "what is known of p(x given a)");
  if (s.kind == Kind::kGaussian || s.kind == Kind::kUniform) {
    v.optional("mu", s.mu, "centre of the window: identity, affine in a, or columns of the query file");
    v.required("width", s.width, "of the window: sd if gaussian, half-width if uniform");
    v.optional("truncate", s.truncate, "what to do with the part that lies outside the box of X");
  } else if (s.kind == Kind::kBags) {
    v.required("bags", s.bags, "CSV file, one row per query and x that it touches", {.least_size = 1});
    v.optional("query", s.query, "its column of query ids; without: named as queries.id");
    v.optional("point", s.point, "its column of ids of target points; without: columns named as the coordinates of x");
    v.optional("weight", s.weight, "its column of weights; without: all the same");
  } else if (s.kind == Kind::kLearned) {
    v.required("pairs", s.pairs, "CSV file of logged pairs; columns named as the coordinates of x and of a",
               {.least_size = 1});
    v.optional("model", s.model,
               "how p(x given a) is learned; auto: what predicts averages over left-out queries best");
  }
}

template <class V>
void describe(V& v, PolicySpec& s) {
  v.optional("name", s.name, "as docs/policies.md lists them", {.least_size = 1});
  v.optional("initial", s.initial, "queries before the policy starts; 0: its own choice", {.low = 0, .high = 100000});
  v.optional("samples", s.samples, "draws of the maximum", {.low = 1, .high = 100000});
  v.optional("repeats", s.repeats, "whether a listed query may be asked twice");
  v.optional("spots", s.spots, "whether auto searches for rare spots where tiles of several sizes can be asked");
  v.optional("above", s.above, "a limit of f: what level-set seeks, and what reports judge points by");
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
  v.required("version", s.version, "of this format", {.low = 1, .high = kSpecVersion});
  v.optional("name", s.name, "of the study, for display");
  v.optional("goal", s.goal, "which end of f is sought");
  v.optional("seed", s.seed, "one seed, one trace", {.low = 0, .high = 9007199254740991.0});
  v.optional("value", s.value, "what f is, for display");
  v.required("targets", s.targets, "X: where f lives and its best point is sought");
  v.required("queries", s.queries, "A: what may be asked");
  v.required("conditional", s.conditional, "p(x given a): which x a query touches");
  v.optional("answers", s.answers, "what an answer is: a measured average, or a count of events among an exposure");
  v.optional("exposure", s.queries.exposure,
             "of counts still to come: a number, a column of the query file, or choices", {.low = 0, .above = true});
  v.auto_or("dispersion", s.dispersion, "1 / k of negative-binomial counts; auto: fitted", {.low = 0, .above = true});
  v.optional("link", s.link, "h of f = h(eta): log keeps f positive, logit between 0 and 1; auto: by evidence");
  v.auto_or("kernel", s.kernel, "how f varies; auto: fitted");
  v.auto_or("noise_sd", s.noise_sd, "sd of the noise of an answer; auto: fitted", {.low = 0});
  v.optional("mean", s.mean, "prior mean of f: auto (a fitted constant), linear (and a fitted slope), or a number");
  v.optional("fit", s.fit, "ensemble: averages over what the answers cannot decide; point: the single best fit");
  v.optional("policy", s.policy, "how the next query is chosen");
  v.optional("budget", s.budget, "the costs of all queries together never exceed it; without: no limit",
             {.low = 0, .above = true});
  v.optional("stop", s.stop, "when enough is known; without: until the budget is spent");
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
