#include "iqbo/record/spec.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "support/errors.hpp"

namespace iqbo {
namespace {

using test::expect_refusal;

// A small spec in pieces, each of which a test may replace.
struct Pieces {
  std::string target = R"({"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1}]})";
  std::string query = R"({"kind": "box", "axes": [{"name": "a", "from": 0, "to": 1}]})";
  std::string conditional = R"({"kind": "gaussian", "width": 0.1})";
  std::string rest;

  std::string text() const {
    return R"({"version": 2, "targets": )" + target + R"(, "queries": )" + query + R"(, "conditional": )" +
           conditional + rest + "}";
  }
};

void expect_spec_refused(const Pieces& pieces, std::initializer_list<std::string_view> words) {
  expect_refusal([&] { parse_spec(pieces.text(), {"auto", "cmes", "ckg"}); }, words);
}

TEST(Spec, DefaultsAreAuto) {
  const Spec spec = parse_spec(Pieces{}.text());
  EXPECT_EQ(spec.version, kSpecVersion);
  EXPECT_EQ(spec.goal, Goal::kMaximize);
  EXPECT_FALSE(spec.kernel || spec.noise_sd || spec.budget);
  EXPECT_EQ(spec.mean, MeanSpec{});
  EXPECT_EQ(spec.policy.name, "auto");
  EXPECT_EQ(spec.conditional.mu.kind, MapSpec::Kind::kIdentity);
  EXPECT_EQ(spec.conditional.width.offset, std::vector<double>{0.1});
}

// A document of version 1, in the keys it had.
std::string version_1(const std::string& noise) {
  const Pieces pieces;
  return R"({"version": 1, "target": )" + pieces.target + R"(, "query": )" + pieces.query + R"(, "conditional": )" +
         pieces.conditional + R"(, "noise": )" + noise + "}";
}

TEST(Spec, ReadsVersionOne) {
  Pieces now;
  now.rest = R"(, "noise_sd": 0.25)";
  const Spec spec = parse_spec(version_1("0.25"));
  EXPECT_EQ(spec, parse_spec(now.text()));
  EXPECT_EQ(spec.noise_sd, 0.25);
  EXPECT_EQ(spec.queries.axes[0].name, "a");
  EXPECT_EQ(parse_spec(version_1("\"auto\""), {}, SpecAge::kStored), parse_spec(Pieces{}.text()));

  const std::string written = to_json(spec);  // in the keys of today
  EXPECT_NE(written.find("\"version\": 2"), std::string::npos);
  for (const char* key : {"\"target\"", "\"query\"", "\"noise\""}) EXPECT_EQ(written.find(key), std::string::npos);
  EXPECT_EQ(parse_spec(written), spec);
}

TEST(Spec, NamesRenamedKeysInBothVersions) {
  Pieces pieces;
  for (const auto& [before, now] : {std::pair("target", "targets"), {"query", "queries"}, {"noise", "noise_sd"}}) {
    pieces.rest = std::string(R"(, ")") + before + R"(": {})";
    expect_spec_refused(pieces, {std::string(before) + ": is a key of version 1", std::string("expected ") + now});
  }
  expect_refusal([] { parse_spec(version_1(R"(1, "noise_sd": 1)")); },
                 {"noise: is given with noise_sd", "expected only noise_sd"});
  expect_refusal([] { parse_spec(version_1("-1")); },
                 {"noise_sd: is -1, expected a number >= 0", "a document of version 1 may call noise_sd noise"});
  expect_refusal([] { parse_spec(version_1(R"(1, "seed": -1)")); }, {"seed: is -1"});
  const Spec mixed = parse_spec(R"({"version": 1, "targets": )" + pieces.target + R"(, "query": )" + pieces.query +
                                R"(, "conditional": )" + pieces.conditional + "}");
  EXPECT_EQ(mixed, parse_spec(Pieces{}.text()));
}

TEST(Spec, ReadsCommentsAndEveryForm) {
  Pieces pieces;
  pieces.target = R"({"kind": "box", "axes": [ // two
      {"name": "x", "unit": "km", "from": -1, "to": 1, "grid": 5}, /* and */ {"name": "y", "from": 0, "to": 2, "grid": 3}]})";
  pieces.query = R"({"kind": "box", "axes": [{"name": "a", "from": 0, "to": 1}], "cost": 2, "noise_sd": 0})";
  pieces.conditional = R"({"kind": "uniform", "mu": {"slope": [[1], [2]], "offset": [0.5, 0]}, "width": [0.1, 0.2],
                           "truncate": "clip"})";
  pieces.rest =
      R"(, "kernel": {"family": "matern32", "lengthscale": [0.3, 0.4], "variance": 2, "nugget": 0.1}, "noise_sd": 0.05,
      "mean": -1.5, "policy": {"name": "cmes", "samples": 8, "repeats": false}, "budget": 10, "goal": "minimize",
      "seed": 9007199254740991, "name": "n", "value": {"name": "v", "unit": "u"})";
  const Spec spec = parse_spec(pieces.text());
  EXPECT_EQ(spec.targets.axes[1], (AxisSpec{"y", "", 0, 2, 3}));
  EXPECT_EQ(spec.queries.cost.value, 2);
  EXPECT_EQ(spec.queries.noise_sd, (PerQuerySpec{0, ""}));
  EXPECT_EQ(spec.conditional.mu.slope, (std::vector<std::vector<double>>{{1}, {2}}));
  EXPECT_EQ(spec.kernel->lengthscale, (std::vector<double>{0.3, 0.4}));
  EXPECT_EQ(spec.noise_sd, 0.05);
  EXPECT_EQ(spec.mean.value, -1.5);
  EXPECT_EQ(spec.policy.samples, 8);
  EXPECT_EQ(spec.seed, 9007199254740991U);
  EXPECT_EQ(parse_spec(to_json(spec)), spec);
  EXPECT_EQ(coordinate_names(spec.targets), (std::vector<std::string>{"x", "y"}));
}

TEST(Spec, FamiliesHaveKeysOfTheirOwn) {
  Pieces pieces;
  pieces.rest =
      R"(, "kernel": {"family": "periodic", "lengthscale": 0.5, "period": 12, "variance": 2}, "noise_sd": 0.1)";
  Spec spec = parse_spec(pieces.text());
  EXPECT_EQ(spec.kernel->family, "periodic");
  EXPECT_EQ(spec.kernel->shape.at("period"), std::vector<double>{12});
  EXPECT_EQ(parse_spec(to_json(spec)), spec);
  pieces.rest =
      R"(, "kernel": {"family": "rational-quadratic", "alpha": 0.7, "lengthscale": 1, "variance": 2}, "noise_sd": 0.1)";
  spec = parse_spec(pieces.text());
  EXPECT_EQ(spec.kernel->shape.at("alpha"), std::vector<double>{0.7});
  EXPECT_EQ(parse_spec(to_json(spec)), spec);
  const auto refused = [&](const char* kernel, std::initializer_list<std::string_view> words) {
    pieces.rest = std::string(R"(, "noise_sd": 0.1, "kernel": )") + kernel;
    expect_spec_refused(pieces, words);
  };
  refused(R"({"family": "perodic", "lengthscale": 1, "variance": 1})",
          {"kernel.family: is \"perodic\"", "\"periodic\" (one of rbf, matern12"});
  refused(R"({"family": "periodic", "lengthscale": 1, "variance": 1})", {"kernel: missing key \"period\""});
  refused(R"({"family": "rbf", "period": 1, "lengthscale": 1, "variance": 1})", {"kernel: unknown key \"period\""});
  refused(R"({"family": "periodic", "period": 0, "lengthscale": 1, "variance": 1})", {"kernel.period: is 0"});
  refused(R"({"family": "periodic", "period": [1, 2], "lengthscale": 1, "variance": 1})",
          {"kernel.period: has 2 entries, expected 1"});
  refused(R"({"family": "rational-quadratic", "alpha": [1, 2], "lengthscale": 1, "variance": 1})",
          {"kernel.alpha: is a list, expected one number"});
}

TEST(Spec, TreesResolutionsAndCells) {
  Pieces pieces;
  pieces.query = R"({"kind": "box", "axes": [{"name": "a", "from": 0, "to": 1}],
                     "tree": {"levels": 3, "splits": [3], "costs": [1, 1, 2], "resolutions": [0.5, 0.2, 0]}})";
  pieces.conditional = R"({"kind": "uniform", "width": "resolution"})";
  Spec spec = parse_spec(pieces.text());
  EXPECT_EQ(spec.queries.tree->levels, 3);
  EXPECT_EQ(coordinate_names(spec.queries, spec.targets), (std::vector<std::string>{"a", "resolution"}));
  EXPECT_EQ(parse_spec(to_json(spec)), spec);
  pieces.query =
      R"({"kind": "box", "axes": [{"name": "a", "from": 0, "to": 1}], "resolutions": [0.2, 0.1], "costs": [1, 2]})";
  spec = parse_spec(pieces.text());
  EXPECT_EQ(coordinate_names(spec.queries, spec.targets), (std::vector<std::string>{"a", "resolution"}));
  EXPECT_EQ(parse_spec(to_json(spec)), spec);
  pieces.target = R"({"kind": "points", "points": "p.csv", "coordinates": ["x", "y"]})";
  pieces.query = R"({"kind": "cells", "tree": {"weight": "population"}})";
  pieces.conditional = R"({"kind": "cells"})";
  spec = parse_spec(pieces.text());
  EXPECT_EQ(spec.queries.tree->levels, 7);
  EXPECT_EQ(coordinate_names(spec.queries, spec.targets), (std::vector<std::string>{"x", "y", "level"}));
  EXPECT_EQ(parse_spec(to_json(spec)), spec);
  ASSERT_EQ(files_of(spec).size(), 1U);
  EXPECT_EQ(files_of(spec)[0].path, "targets.points");
}

TEST(Spec, NamesThePathOfAMistake) {
  const auto with = [](const char* member, const char* text) {
    Pieces pieces;
    (std::string_view(member) == "target"  ? pieces.target
     : std::string_view(member) == "query" ? pieces.query
     : std::string_view(member) == "rest"  ? pieces.rest
                                           : pieces.conditional) = text;
    return pieces;
  };
  expect_spec_refused(with("rest", R"(, "sed": 1)"), {"spec: unknown key \"sed\", expected \"seed\" (one of version"});
  expect_spec_refused(with("rest", R"(, "seed": 1, "seed": 2)"), {"key \"seed\" is given twice"});
  expect_spec_refused(with("rest", R"(, "seed": -1)"), {"seed: is -1", "a whole number from 0 to 9007199254740991"});
  expect_spec_refused(with("rest", R"(, "seed": 1.5)"), {"seed: is 1.5"});
  expect_spec_refused(with("rest", R"(, "seed": 99999999999999999999)"), {"seed: is 1e+20"});
  expect_spec_refused(with("rest", R"(, "goal": "maximise")"),
                      {"goal: is \"maximise\"", "\"maximize\" (one of maximize, minimize)"});
  expect_spec_refused(with("rest", R"(, "noise_sd": -1)"), {"noise_sd: is -1, expected a number >= 0"});
  expect_spec_refused(with("rest", R"(, "noise_sd": "none")"),
                      {"noise_sd: is \"none\", expected \"auto\" or a number"});
  expect_spec_refused(with("rest", R"(, "budget": 0)"), {"budget: is 0, expected a number > 0"});
  expect_spec_refused(with("rest", R"(, "mean": "quadratic")"), {"mean: is \"quadratic\"", "linear"});
  expect_spec_refused(with("rest", R"(, "policy": "cmse")"),
                      {"policy: is \"cmse\"", "\"cmes\" (one of auto, cmes, ckg)"});
  expect_spec_refused(with("rest", R"(, "policy": {"nmae": "cmes"})"), {"policy: unknown key \"nmae\"", "\"name\""});
  expect_spec_refused(with("rest", R"(, "kernel": "rbf")"), {"kernel: is \"rbf\", expected \"auto\" or an object"});
  expect_spec_refused(with("rest", R"(, "kernel": {"family": "rbf", "variance": 1})"),
                      {"kernel: missing key \"lengthscale\""});
  expect_spec_refused(
      with("rest", R"(, "kernel": {"family": "rbf", "lengthscale": [1, -1], "variance": 1}, "noise_sd": 1)"),
      {"kernel.lengthscale[1]: is -1, expected a number > 0"});
  expect_spec_refused(
      with("rest", R"(, "kernel": {"family": "rbf", "lengthscale": [1, 1], "variance": 1}, "noise_sd": 1)"),
      {"kernel.lengthscale: has 2 entries, expected 1"});
  expect_spec_refused(with("rest", R"(, "kernel": {"family": "rbf", "lengthscale": 1, "variance": 1})"),
                      {"noise_sd: is \"auto\"", "as the kernel is given"});
  expect_spec_refused(with("target", R"({"kind": "bx"})"), {"targets.kind: is \"bx\"", "\"box\" (one of box, points)"});
  expect_spec_refused(with("target", R"({"axes": []})"), {"targets: missing key \"kind\""});
  expect_spec_refused(with("target", R"({"kind": "box", "axes": []})"),
                      {"targets.axes: has 0 entries, expected at least 1"});
  expect_spec_refused(with("target", R"({"kind": "box", "axes": [{"name": "x", "from": 1, "to": 1}]})"),
                      {"targets.axes[0].to: is 1, expected more than from, 1"});
  expect_spec_refused(with("target", R"({"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1, "grid": 1}]})"),
                      {"targets.axes[0].grid: is 1"});
  expect_spec_refused(with("target", R"({"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1, "grid": 4},
                                        {"name": "y", "from": 0, "to": 1}]})"),
                      {"targets.axes[1].grid: is missing"});
  expect_spec_refused(with("target", R"({"kind": "points", "points": "p.csv", "coordinates": ["x", "x"]})"),
                      {"targets.coordinates: names \"x\" twice"});
  expect_spec_refused(with("target", R"({"kind": "points", "points": "p.csv", "coordinates": ["x"], "axes": []})"),
                      {"targets: unknown key \"axes\""});
  expect_spec_refused(with("conditional", R"({"kind": "gaussian"})"), {"conditional: missing key \"width\""});
  expect_spec_refused(with("conditional", R"({"kind": "gaussian", "width": -1})"), {"conditional.width: is -1"});
  expect_spec_refused(with("conditional", R"({"kind": "gaussian", "width": "resolutoin"})"),
                      {"conditional.width", "\"resolution\""});
  expect_spec_refused(with("conditional", R"({"kind": "gaussian", "width": "resolution"})"),
                      {"conditional.width", "queries.tree"});
  expect_spec_refused(with("conditional", R"({"kind": "gaussian", "width": {"columns": ["w"]}})"),
                      {"conditional.width.columns", "kind points"});
  expect_spec_refused(with("conditional", R"({"kind": "gaussian", "width": 1, "mu": {"slope": [[1, 2]]}})"),
                      {"conditional.mu.slope[0]: has 2 entries, expected 1"});
  expect_spec_refused(with("conditional", R"({"kind": "bags", "bags": "b.csv"})"), {"conditional.kind", "kind points"});
  expect_spec_refused(with("conditional", R"({"kind": "learned", "pairs": "p.csv", "model": "gp"})"),
                      {"conditional.model: is \"gp\"", "stack"});
  expect_spec_refused(
      with("query", R"({"kind": "points", "points": "q.csv", "coordinates": ["a"], "units": ["m", "s"]})"),
      {"queries.units: has 2 entries, expected 1, one per coordinate"});
  expect_spec_refused(
      with("query", R"({"kind": "points", "points": "q.csv", "coordinates": ["a"], "categories": ["b"]})"),
      {"queries.categories: names \"b\""});
  expect_spec_refused(with("query", R"({"kind": "cells", "tree": {}})"), {"queries.kind: is \"cells\"", "kind points"});
  expect_spec_refused(
      with("query", R"({"kind": "box", "axes": [{"name": "a", "from": 0, "to": 1}], "tree": {"levels": 1}})"),
      {"queries.tree.levels: is 1, expected a whole number from 2 to 63"});
  expect_spec_refused(
      with("query",
           R"({"kind": "box", "axes": [{"name": "a", "from": 0, "to": 1}], "tree": {"levels": 2, "costs": [2, 1]}})"),
      {"queries.tree.costs[1]: is 1, expected at least the cost of the level above, 2"});
  expect_spec_refused(
      with("query",
           R"({"kind": "box", "axes": [{"name": "a", "from": 0, "to": 1}], "tree": {"levels": 2, "costs": [2]}})"),
      {"queries.tree.costs: has 1 entries, expected 2, one per level"});
}

TEST(Spec, ContradictingKeysAreRefused) {
  const std::string axis = R"("name": "a", "from": 0, "to": 1)";
  Pieces pieces;
  pieces.conditional = R"({"kind": "gaussian", "width": "resolution"})";
  pieces.query = R"({"kind": "box", "axes": [{)" + axis + R"(}], "tree": {"levels": 3}, "cost": 1})";
  expect_spec_refused(pieces, {"queries.cost: is given with queries.tree", "queries.tree.costs"});
  pieces.query = R"({"kind": "box", "axes": [{)" + axis + R"(, "grid": 5}], "tree": {"levels": 3}})";
  expect_spec_refused(pieces, {"queries.axes[0].grid: is given with queries.tree"});
  pieces.query = R"({"kind": "box", "axes": [{)" + axis + R"(}], "resolutions": [0.2, 0.1]})";
  EXPECT_EQ(parse_spec(pieces.text()).queries.cost.value, 1.0);
}

TEST(Spec, NoisesOfQueriesAreNumbersOrColumns) {
  const std::string box = R"({"kind": "box", "axes": [{"name": "a", "from": 0, "to": 1}], "noise_sd": )";
  Pieces pieces;
  pieces.query = box + "-1}";
  expect_spec_refused(pieces, {"queries.noise_sd: is -1", ">= 0"});
  pieces.query = box + "[1]}";
  expect_spec_refused(pieces, {"queries.noise_sd: is", "expected a number >= 0, or the name of a column in quotes"});
  pieces.query = box + R"("w"})";
  expect_spec_refused(pieces, {"queries.noise_sd: names a column, expected a number: a box has no file"});
  pieces.query = R"({"kind": "points", "points": "q.csv", "coordinates": ["a"], "noise_sd": "w"})";
  EXPECT_EQ(parse_spec(pieces.text()).queries.noise_sd->column, "w");
  EXPECT_EQ(parse_spec(to_json(parse_spec(pieces.text()))), parse_spec(pieces.text()));
}

TEST(Spec, AWidthInQuotesIsNotTakenForAName) {
  Pieces pieces;
  pieces.conditional = R"({"kind": "gaussian", "width": "0.1"})";
  expect_spec_refused(pieces, {"conditional.width: is \"0.1\", expected \"resolution\", a number (without quotes)"});
  pieces.conditional = R"({"kind": "gaussian", "mu": "idntity", "width": 0.1})";
  expect_spec_refused(pieces, {"conditional.mu: is \"idntity\", expected \"identity\", {\"slope\""});
}

TEST(Spec, ControlCharactersAreRefused) {
  Pieces pieces;
  pieces.rest = R"(, "name": "a\u001b[2Jb")";
  expect_spec_refused(pieces, {"name: has a control character"});
  pieces.rest = R"(, "value": {"unit": "k\u009bg"})";
  expect_spec_refused(pieces, {"value.unit: has a control character"});
  pieces.rest = R"(, "name": "\u00e9t\u00e9")";
  EXPECT_EQ(parse_spec(pieces.text()).name, "\xC3\xA9t\xC3\xA9");
  pieces = {};
  pieces.query = R"({"kind": "box", "axes": [{"name": "a\n", "from": 0, "to": 1}]})";
  expect_spec_refused(pieces, {"queries.axes[0].name: has a control character"});
}

// What would be found out only when the first query is asked, or when memory is gone.
TEST(Spec, NumbersThatCannotWorkAreRefusedAtOnce) {
  const auto axis = [](const std::string& rest) {
    return R"({"kind": "box", "axes": [{"name": "a", "from": -1, )" + rest + "}]}";
  };
  Pieces pieces;
  pieces.conditional = R"({"kind": "gaussian", "width": {"slope": [[-1]], "offset": [0.5]}})";
  expect_spec_refused(pieces, {"conditional.width: is -0.5 at a = 1, expected at least 0 everywhere in queries.axes"});
  pieces.conditional = R"({"kind": "gaussian", "width": {"slope": [[0.3]], "offset": [0.2]}})";
  pieces.query = axis(R"("to": 1)");
  expect_spec_refused(pieces, {"conditional.width", "at a = -1"});
  pieces.conditional = R"({"kind": "gaussian", "width": {"slope": [[-0.5]], "offset": [0.5]}})";
  EXPECT_EQ(parse_spec(pieces.text()).conditional.width.offset[0], 0.5) << "zero at the edge is a point, no mistake";
  pieces = {};
  pieces.query = axis(R"("to": 1e308)");
  expect_spec_refused(pieces, {"queries.axes[0].to: is 1e+308", "at most 1e+100"});
  pieces.query = axis(R"("to": 1, "grid": 100000000)");
  expect_spec_refused(pieces, {"queries.axes: have a grid of 1e+08 points, expected at most 1048576"});
  pieces = {};
  pieces.target = R"({"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1, "grid": 2000},
                                              {"name": "y", "from": 0, "to": 1, "grid": 2000}]})";
  expect_spec_refused(pieces, {"targets.axes: have a grid of 4e+06 points"});
  pieces = {};
  pieces.conditional = R"({"kind": "gaussian", "width": 1e200})";
  expect_spec_refused(pieces, {"conditional.width: is 1e+200"});
  pieces = {};
  pieces.rest = R"(, "noise_sd": 1e200)";
  expect_spec_refused(pieces, {"noise_sd: is 1e+200"});
  pieces.rest = R"(, "kernel": {"family": "rbf", "lengthscale": 1, "variance": 1e300}, "noise_sd": 1)";
  expect_spec_refused(pieces, {"kernel.variance: is 1e+300"});
}

TEST(Spec, RefusesWhatIsNotASpec) {
  expect_refusal([] { parse_spec(""); }, {"spec: parse error at line 1, column 1"});
  expect_refusal([] { parse_spec("{\n  \"version\": 2,\n  oops\n}"); }, {"line 3"});
  expect_refusal([] { parse_spec("[1]"); }, {"spec: is [1]", "an object"});
  expect_refusal([] { parse_spec("{}"); }, {"missing key \"version\"", "\"version\": 2"});
  expect_refusal([] { parse_spec(R"({"version": 3})"); }, {"version: is 3", "at most 2", "newer version of iqbo"});
  expect_refusal([] { parse_spec(R"({"version": 99999999999999999999})"); }, {"version"});
  expect_refusal([] { parse_spec(R"({"version": 0})"); }, {"version: is 0"});
  expect_refusal([] { parse_spec(R"({"version": "1"})"); }, {"version: is \"1\""});
  expect_refusal([] { parse_spec(R"({"version": 2})"); }, {"missing key \"targets\""});
  expect_refusal([] { parse_spec(std::string(100000, '[')); }, {"nested deeper than 32"});
  expect_refusal([] { parse_spec("{\"version\": 2, \"name\": \"\xFF\"}"); }, {"spec", "UTF-8"});
}

// docs/spec.schema.json is what the code generates. After a change: IQBO_WRITE=1 build/dev/tests/iqbo_record_test
TEST(Spec, PublishedSchemaIsTheGeneratedOne) {
  const std::string file = std::string(IQBO_SOURCE_DIR) + "/docs/spec.schema.json";
  if (std::getenv("IQBO_WRITE") != nullptr) std::ofstream(file) << spec_schema();
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  EXPECT_EQ(text.str(), spec_schema());
}

}  // namespace
}  // namespace iqbo
