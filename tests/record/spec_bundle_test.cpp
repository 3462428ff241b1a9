#include "iqbo/record/spec_bundle.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "iqbo/record/spec_template.hpp"
#include "record/mistakes.hpp"
#include "support/errors.hpp"
#include "support/scratch.hpp"

namespace iqbo {
namespace {

using test::expect_refusal;
using test::Scratch;

SpecBundle bundle_of(std::string_view name) {
  SpecBundle bundle;
  for (const TemplateFile& file : spec_template(name))
    (file.name == "study.json" ? bundle.text : bundle.files[file.name]) = file.text;
  return bundle;
}

SpecBundle with(SpecBundle bundle, const std::string& file, const std::string& text) {
  bundle.files[file] = text;
  return bundle;
}

SpecBundle with_spec(SpecBundle bundle, const std::string& from, const std::string& to) {
  const std::size_t at = bundle.text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  bundle.text.replace(at, from.size(), to);
  return bundle;
}

TEST(SpecTemplate, EachLoads) {
  for (const std::string& name : template_names()) {
    const SpecData data = load(bundle_of(name), {"auto", "cmes"});
    EXPECT_EQ(parse_spec(to_json(data.spec)), data.spec) << name;
  }
  expect_refusal([] { spec_template("distrcts"); }, {"template: is \"distrcts\"", "\"districts\""});
}

TEST(SpecBundle, LoadsBagsById) {
  const SpecData data = load(bundle_of("districts"));
  EXPECT_EQ(data.targets.coordinates.rows(), 256);
  EXPECT_EQ(data.targets.ids[3], "p3");
  EXPECT_EQ(data.queries.coordinates(5, 0), 5.0);  // no coordinates: its number
  EXPECT_EQ(data.bags.points, data.targets.coordinates);
  EXPECT_EQ(data.bags.entries.size(), 256U);
  EXPECT_EQ(data.cost.size(), data.queries.coordinates.rows());
  EXPECT_TRUE(data.targets.table.has("population"));
}

TEST(SpecBundle, TheMapTemplateHasNoPointOutsideItsRegions) {
  const SpecData map = load(bundle_of("map"));
  std::set<std::vector<double>> covered;
  for (Index i = 0; i < map.bags.points.rows(); ++i)
    covered.emplace(map.bags.points.row(i).begin(), map.bags.points.row(i).end());
  const std::vector<AxisSpec>& axes = map.spec.targets.axes;
  const auto at = [](const AxisSpec& axis, Index i) {
    return axis.from + (axis.to - axis.from) * static_cast<double>(i) / static_cast<double>(axis.grid - 1);
  };
  for (Index i = 0; i < axes[0].grid; ++i)
    for (Index j = 0; j < axes[1].grid; ++j) EXPECT_TRUE(covered.contains({at(axes[0], i), at(axes[1], j)}));
  EXPECT_EQ(covered.size(), static_cast<std::size_t>(axes[0].grid * axes[1].grid));
}

TEST(SpecBundle, LoadsBagsByCoordinatesCostsAndPairs) {
  const SpecData map = load(bundle_of("map"));
  EXPECT_EQ(map.bags.points.rows(), 256);
  EXPECT_GE(map.cost.minCoeff(), 1.0);
  EXPECT_GT(map.cost.maxCoeff(), 1.0);
  const SpecData trial = load(bundle_of("trial"));
  EXPECT_EQ(trial.pairs.x.cols(), 1);
  EXPECT_EQ(trial.pairs.a.cols(), 2);
  EXPECT_EQ(trial.pairs.x.rows(), 144);
}

TEST(SpecBundle, NamesFileRowAndColumn) {
  const SpecBundle good = bundle_of("districts");
  const auto refused = [](const SpecBundle& bundle, std::initializer_list<std::string_view> words) {
    expect_refusal([&] { load(bundle); }, words);
  };
  refused(with(good, "pixels.csv", "pixel,east,north\np0,1,2\np1,x,2\n"),
          {"targets.points (pixels.csv): row 3, column \"east\" is \"x\", expected a finite number"});
  refused(with(good, "pixels.csv", "pixel,east,nort\np0,1,2\n"),
          {"targets.points (pixels.csv): the table has no column \"north\", which targets.coordinates names; the "
           "nearest is \"nort\""});
  refused(with(good, "pixels.csv", "pixel,east,north\np0,1,2\np0,2,2\n"),
          {"row 3, column \"pixel\" is \"p0\", as in row 2"});
  refused(with(good, "pixels.csv", "pixel,east,north\np0,0,2\np1,-0,2\n"), {"rows 2 and 3 have equal coordinates"});
  refused(with(good, "pixels.csv", "pixel,east,north\n"), {"has no rows"});
  refused(with(good, "members.csv", "district,pixel,population\nd0,p0,1\n"),
          {"conditional.bags (members.csv): the first 20 mistakes\n  query \"d1\" has no weight"});
  refused(with(good, "members.csv", "district,pixel,population\nd0,p0,-1\n"),
          {"row 2, column \"population\" is \"-1\", expected a number >= 0"});
  refused(with(good, "members.csv", "district,pixel,population\nd99,p0,1\n"),
          {"row 2, column \"district\" is \"d99\", expected an id of queries.points", "d"});
  refused(with(good, "members.csv", "district,pixel,population\nd0,q0,1\n"),
          {"is \"q0\", expected an id of targets.points, such as \"p0\""});
  refused(with(good, "members.csv", "district,pixel,population\nd0,p0,1\nd0,p1,1\nd0,p0,2\n"),
          {"conditional.bags (members.csv): rows 2 and 4 have the same query and point"});
  refused(with(good, "pixels.csv", "pixel,east,north\np0,1,2\n\"p\x1B\",2,2\n"),
          {"row 3, column \"pixel\" has a control character"});
  SpecBundle missing = good;
  missing.files.erase("pixels.csv");
  refused(missing, {"targets.points: \"pixels.csv\" is not in the bundle"});

  const SpecBundle trial = bundle_of("trial");
  refused(with(trial, "pairs.csv", "dose,mean_age,severity\n1,2,3\n1,2\n"),
          {"conditional.pairs (pairs.csv): row 3 has 2 cells, expected 3"});
  refused(with(trial, "pairs.csv", "dose,mean_age,severity\n1,2,3\n"), {"has one pair"});

  const SpecBundle map = bundle_of("map");
  refused(with(map, "regions.csv", "region,cost\nr0,0\n"), {"row 2, column \"cost\" is \"0\", expected a number > 0"});
  refused(with(map, "regions.geojson", R"({"features": []})"),
          {"queries.geojson (regions.geojson): has no feature \"r0\""});
  refused(with(map, "regions.geojson", "[]"), {"a FeatureCollection"});
  refused(with(map, "regions.geojson", R"({"features": [1]})"), {"feature 1"});
  const std::string twice =
      R"({"features": [{"id": "r0", "properties": {"region": "r0"}, "geometry": {"coordinates": )";
  refused(with(map, "regions.geojson", twice + R"([[[0, 0], [1, "x"]]]}}]})"),
          {"feature \"r0\" has the coordinate \"x\", expected a number"});
  refused(
      with(map, "regions.geojson", twice + R"([]}}, {"id": "r0", "properties": {"region": "r0"}, "geometry": null}]})"),
      {"has two features \"r0\", expected each id once"});
}

TEST(SpecBundle, CategoriesAreCodedByName) {
  SpecBundle bundle = with_spec(bundle_of("trial"), R"("units": ["years", ""])", R"("categories": ["severity"])");
  bundle.files["clinics.csv"] = "clinic,mean_age,severity\nA,30,mild\nB,40,acute\n";
  bundle.files["pairs.csv"] = "dose,mean_age,severity\n1,30,mild\n2,40,acute\n";
  const SpecData data = load(bundle);
  EXPECT_EQ(data.queries.codes[1], (std::vector<std::string>{"acute", "mild"}));
  EXPECT_EQ(data.queries.coordinates(0, 1), 1.0);
  EXPECT_EQ(data.pairs.a(1, 1), 0.0);
  bundle.files["pairs.csv"] = "dose,mean_age,severity\n1,30,mlid\n2,40,acute\n";
  expect_refusal([&] { load(bundle); }, {"row 2, column \"severity\" is \"mlid\", expected \"mild\""});
  bundle.files["clinics.csv"] = "clinic,mean_age,severity\nA,30,mild\nB,40,ac\x1Bute\n";
  expect_refusal([&] { load(bundle); }, {"row 3, column \"severity\" has a control character"});
}

TEST(SpecBundle, SharedNamesArePrefixedInPairs) {
  SpecBundle bundle = bundle_of("trial");
  bundle.files["clinics.csv"] = "clinic,dose,severity\nA,30,1\nB,40,2\n";
  bundle = with_spec(bundle, R"(["mean_age", "severity"])", R"(["dose", "severity"])");
  bundle.files["pairs.csv"] = "x.dose,a.dose,severity\n1,2,3\n4,5,6\n";
  const SpecData data = load(bundle);
  EXPECT_EQ(data.pairs.x(1, 0), 4.0);
  EXPECT_EQ(data.pairs.a(1, 0), 5.0);
  bundle.files["pairs.csv"] = "dose,severity\n1,2\n4,5\n";
  expect_refusal([&] { load(bundle); }, {"no column \"x.dose\"", "both have a coordinate \"dose\""});
}

TEST(SpecBundle, WindowsMayComeFromColumns) {
  SpecBundle bundle = with_spec(bundle_of("trial"), R"({"kind": "learned", "pairs": "pairs.csv", "model": "auto"})",
                                R"({"kind": "gaussian", "mu": {"columns": ["m"]}, "width": {"columns": ["w"]}})");
  bundle.files["clinics.csv"] = "clinic,mean_age,severity,m,w\nA,30,1,5,0.5\nB,40,2,6,0.25\n";
  const SpecData data = load(bundle);
  EXPECT_EQ(data.mu(1, 0), 6.0);
  EXPECT_EQ(data.width(1, 0), 0.25);
  bundle.files["clinics.csv"] = "clinic,mean_age,severity,m,w\nA,30,1,5,0.5\nB,40,2,6,-1\n";
  expect_refusal([&] { load(bundle); },
                 {"queries.points (clinics.csv): row 3, column \"w\" is \"-1\", expected a number >= 0"});
}

TEST(SpecBundle, WidthsOfListedQueriesAreNotNegative) {
  const SpecBundle bundle{
      R"({"version": 2, "targets": {"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1}]},
          "queries": {"kind": "points", "points": "q.csv", "coordinates": ["a"]},
          "conditional": {"kind": "gaussian", "width": {"slope": [[-1]], "offset": [0.5]}}})",
      {{"q.csv", "a\n0.1\n0.2\n0.75\n"}}};
  expect_refusal([&] { load(bundle); }, {"conditional.width: is -0.25 in row 4 of queries.points"});
}

TEST(SpecBundle, SomeWindowMustReachX) {
  const auto bundle = [](const std::string& conditional) {
    return SpecBundle{R"({"version": 2, "targets": {"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1}]},
                          "queries": {"kind": "points", "points": "q.csv", "coordinates": ["a"]}, "conditional": )" +
                          conditional + "}",
                      {{"q.csv", "a,m\n0.1,50\n0.75,60\n"}}};
  };
  expect_refusal([&] { load(bundle(R"({"kind": "gaussian", "mu": {"columns": ["m"]}, "width": 0.1})")); },
                 {"conditional.mu: is from 50 to 60 in x, and no window reaches X", "X is from 0 to 1"});
  expect_refusal(
      [&] { load(bundle(R"({"kind": "uniform", "mu": {"slope": [[-1]], "offset": [-0.5]}, "width": 0.2})")); },
      {"conditional.mu: is from -1.25 to -0.6 in x"});
  load(bundle(R"({"kind": "gaussian", "mu": {"columns": ["m"]}, "width": {"slope": [[20]]}})"));
  load(bundle(R"({"kind": "uniform", "mu": {"slope": [[-1]], "offset": [-0.5]}, "width": 0.7})"));
  load(bundle(R"({"kind": "uniform", "width": 0})"));
}

TEST(SpecBundle, LaterTablesAreReadByIdOrByCoordinates) {
  const SpecData trial = load(bundle_of("trial"));
  auto seen =
      load_observations(trial, parse_csv("clinic,value,noise_sd,replicates\nc2,1.5,,3\nc0,2,0.1,1\n", "past.csv"));
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0].name, "c2");
  EXPECT_EQ(seen[0].point, (std::vector<double>{38.0, trial.queries.coordinates(2, 1)}));
  EXPECT_FALSE(seen[0].answer.noise_sd);
  EXPECT_EQ(seen[0].answer.replicates, 3);
  EXPECT_EQ(seen[1].answer.noise_sd, 0.1);
  seen = load_observations(trial, parse_csv("mean_age,severity,value\n30,0.5,1\n", "past.csv"));
  EXPECT_EQ(seen[0].point, (std::vector<double>{30, 0.5}));
  seen = load_values(trial, parse_csv("dose,value\n3,7\n", "direct.csv"));
  EXPECT_EQ(seen[0].point, std::vector<double>{3});
  const SpecData districts = load(bundle_of("districts"));
  EXPECT_EQ(load_values(districts, parse_csv("pixel,value\np17,7\n", "d.csv"))[0].point, (std::vector<double>{1, 1}));
  expect_refusal([&] { load_observations(districts, parse_csv("name,value\nd1,7\n", "d.csv")); },
                 {"d.csv: has columns name, value, expected one named \"district\""});
  const auto refused = [&](const char* text, std::initializer_list<std::string_view> words) {
    expect_refusal([&] { load_observations(trial, parse_csv(text, "past.csv")); }, words);
  };
  refused("clinic,value\nc99,1\n", {"past.csv: row 2, column \"clinic\" is \"c99\""});
  refused("clinic,vlaue\nc1,1\n", {"has columns clinic, vlaue", "expected one named \"value\" (is it \"vlaue\"?)"});
  refused("clinic,value,replicates\nc1,1,0\n", {"column \"replicates\" is \"0\""});
  refused("clinic,value,noise_sd\nc1,1,-2\n", {"column \"noise_sd\" is negative"});
  refused("clinic,value,noise_sdd\nc1,1,2\n", {"past.csv: has a column \"noise_sdd\"", "\"noise_sd\""});
  refused("clinic,value,replicate\nc1,1,2\n", {"has a column \"replicate\"", "\"replicates\""});
  refused("mean_age,severity,value,Noise\n30,0.5,1,2\n", {"has a column \"Noise\"", "\"noise_sd\""});
  refused("mean_age,severity,value\n1e200,0.5,1\n", {"row 2, column \"mean_age\" is \"1e200\"", "1e+100"});
  EXPECT_EQ(load_observations(trial, parse_csv("clinic,value,date,who\nc1,1,2,3\n", "past.csv")).size(), 1U);
}

TEST(SpecBundle, OptionalCellsMayBeMissing) {
  const SpecData trial = load(bundle_of("trial"));
  const auto seen = load_observations(
      trial,
      parse_csv("clinic;severity;value;noise_sd;replicates\nc2;NA;1,5;n/a;\nc0;;2; ;NA\nc1;-;3;0,5;2\n", "past.csv"));
  ASSERT_EQ(seen.size(), 3U);
  for (const std::size_t i : {0U, 1U}) {
    EXPECT_FALSE(seen[i].answer.noise_sd) << i;
    EXPECT_EQ(seen[i].answer.replicates, 1) << i;
  }
  EXPECT_EQ(seen[0].answer.value, 1.5);
  EXPECT_EQ(seen[2].answer.noise_sd, 0.5);
  EXPECT_EQ(seen[2].answer.replicates, 2);
  expect_refusal([&] { load_observations(trial, parse_csv("clinic,value\nc1,NA\n", "past.csv")); },
                 {"row 2, column \"value\" is \"NA\"", "leave out rows without an answer"});
}

// Of every table, whatever is wrong with its cells, in the order of rows.
TEST(SpecBundle, AllMistakesOfATableComeTogether) {
  const SpecData trial = load(bundle_of("trial"));
  expect_refusal(
      [&] {
        load_observations(trial, internal::parse_rows("clinic,value,noise_sd,replicates\nc99,x,-1,0\nc1,1\nc1,2,,\n"
                                                      "c1,1e,,\n",
                                                      "past.csv"));
      },
      {"past.csv: 6 mistakes\n", "  row 2, column \"value\" is \"x\"", "  row 2, column \"noise_sd\" is negative",
       "  row 2, column \"replicates\" is \"0\"", "  row 2, column \"clinic\" is \"c99\"",
       "\n  row 3 has 2 cells, expected 4\n  row 5, column \"value\" is \"1e\", expected a finite number"});

  SpecBundle districts = bundle_of("districts");
  std::string& members = districts.files["members.csv"];
  const std::string header = members.substr(0, members.find('\n') + 1);
  const auto cells = std::count(header.begin(), header.end(), ',') + 1;
  members = header;
  for (int i = 0; i < 30; ++i) {
    members += "nowhere";
    for (std::int64_t j = 1; j < cells; ++j) members += ",nothing";
    members += "\n";
  }
  expect_refusal([&] { load(districts); }, {"conditional.bags (members.csv): ", "row 2, column", "\"nowhere\"",
                                            "\"nothing\"", "; the same in rows 3, 4, 5, 6, 7 and 24 more"});
}

// One misspelt category of a long table is one mistake.
TEST(SpecBundle, CellsThatAreWrongAlikeAreOneMistake) {
  SpecBundle bundle = with_spec(bundle_of("trial"), R"("units": ["years", ""])", R"("categories": ["severity"])");
  bundle.files["clinics.csv"] = "clinic,mean_age,severity\nA,30,Mild\nB,40,Acute\n";
  std::string pairs = "dose,mean_age,severity\n1,30,Mild\n";
  for (int i = 0; i < 100; ++i) pairs += "1,30,mild\n";
  bundle.files["pairs.csv"] = pairs;
  expect_refusal(
      [&] { load(bundle); },
      {"conditional.pairs (pairs.csv): row 3, column \"severity\" is \"mild\", expected \"Mild\" (one of Acute, "
       "Mild); the same in rows 4, 5, 6, 7, 8 and 94 more"});
  bundle.files["pairs.csv"] = "dose,mean_age,severity\n1,30,mild\n1,3x,Mild\n2,40,acute\n2,40,mild\n";
  expect_refusal([&] { load(bundle); },
                 {"3 mistakes\n  row 2, column \"severity\" is \"mild\"",
                  "the same in row 5\n  row 3, column \"mean_age\"", "\n  row 4, column \"severity\" is \"acute\""});
}

TEST(SpecBundle, MistakesOfOneTableAcrossItsColumns) {
  const SpecBundle bundle{
      R"({"version": 2, "targets": {"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1}]},
          "queries": {"kind": "points", "points": "q.csv", "id": "q", "coordinates": ["a"], "cost": "price"},
          "conditional": {"kind": "gaussian", "width": {"columns": ["w"]}}})",
      {{"q.csv", "q,a,price,w\nA,0.1,1,0.1\nA,x,0,0.1\nC,0.3,2,-1\nD,0.4\n,0.5,3,0.2\n"}}};
  expect_refusal([&] { load(bundle); },
                 {"queries.points (q.csv): 6 mistakes\n", "row 3, column \"q\" is \"A\", as in row 2",
                  "row 3, column \"a\" is \"x\"", "row 3, column \"price\" is \"0\", expected a number > 0",
                  "row 4, column \"w\" is \"-1\"", "row 5 has 2 cells, expected 4",
                  "row 6, column \"q\" is empty, expected an id"});
}

// What a study was made of goes on being read, though new specs are looked at more closely.
TEST(SpecBundle, StoredOnesAreReadAsEver) {
  const auto read_only_if_stored = [](const SpecBundle& bundle, const char* reason) {
    expect_refusal([&] { load(bundle); }, {reason});
    return load(bundle, {}, SpecAge::kStored);
  };
  const SpecBundle tiles = bundle_of("tiles");
  const SpecData with_cost =
      read_only_if_stored(with_spec(tiles, "\"tree\":", "\"cost\": 3, \"tree\":"), "queries.cost: is given with");
  EXPECT_EQ(with_cost.spec, load(tiles).spec);

  SpecBundle districts = bundle_of("districts");
  std::string& members = districts.files["members.csv"];
  const std::size_t second = members.find('\n') + 1;
  members += members.substr(second, members.find('\n', second) + 1 - second);
  EXPECT_EQ(read_only_if_stored(districts, "have the same query and point").bags.entries.size(),
            load(bundle_of("districts")).bags.entries.size() + 1);

  SpecBundle named = with_spec(bundle_of("districts"), "\"name\": \"", "\"name\": \"\\t");
  EXPECT_EQ(read_only_if_stored(named, "name: has a control character").spec.name,
            "\t" + load(bundle_of("districts")).spec.name);
}

// Names that tables have for other things.
TEST(SpecBundle, NamesThatAreTaken) {
  const auto box = [](const std::string& x, const std::string& a) {
    return SpecBundle{R"({"version": 2, "targets": {"kind": "box", "axes": [{"name": ")" + x +
                          R"(", "from": 0, "to": 1}]},
      "queries": {"kind": "box", "axes": [{"name": ")" +
                          a + R"(", "from": 0, "to": 1}]},
      "conditional": {"kind": "gaussian", "width": 0.1}})",
                      {}};
  };
  load(box("x", "a"));
  for (const char* name : {"value", "noise_sd", "replicates"})
    expect_refusal([&] { load(box(name, "a")); }, {"targets.axes: is called", name});
  for (const char* name : {"value", "trial", "name", "cost", "json"}) {
    expect_refusal([&] { load(box("x", name)); }, {"queries.axes: is called", name});
    EXPECT_NO_THROW(load(box("x", name), {}, SpecAge::kStored));
  }
}

TEST(SpecBundle, BagsBeyondX) {
  SpecBundle bundle{R"({"version": 2, "targets": {"kind": "box", "axes": [{"name": "lon", "from": 5, "to": 9},
      {"name": "lat", "from": 46, "to": 48}]}, "queries": {"kind": "points", "points": "q.csv", "id": "q"},
      "conditional": {"kind": "bags", "bags": "bags.csv"}})",
                    {{"q.csv", "q\nr0\n"}, {"bags.csv", "q,lon,lat\nr0,5.1,46.2\nr0,9,48\n"}}};
  load(bundle);
  bundle.files["bags.csv"] = "q,lon,lat\nr0,46.2,5.1\n";
  expect_refusal([&] { load(bundle); }, {"conditional.bags", "\"r0\" has a point with lon 46.2", "from 5 to 9"});
  EXPECT_NO_THROW(load(bundle, {}, SpecAge::kStored));
}

TEST(SpecBundle, LaterTablesThatContradictThemselves) {
  const SpecData districts = load(bundle_of("districts"));
  const auto values = [&](const char* text) { return load_values(districts, parse_csv(text, "v.csv")); };
  EXPECT_EQ(values("pixel,east,north,value\np0,0,0,1\n").size(), 1U);
  expect_refusal([&] { values("pixel,east,north,value\np0,0,5,1\n"); },
                 {"v.csv: row 2, column \"north\" is \"5\"", "\"p0\""});
  expect_refusal([&] { values("pixel,value,sd\np0,1,2\n"); }, {"column \"sd\"", "\"noise_sd\""});
  expect_refusal([&] { values("pixel,value,n\np0,1,2\n"); }, {"column \"n\"", "\"replicates\""});
  const auto both = values("pixel,value,noise_sd,replicates,n\np0,1e-400,,,7\n");
  EXPECT_EQ(both[0].answer.value, 0.0);
  EXPECT_EQ(both[0].answer.replicates, 1);
}

TEST(SpecBundle, SaysWhereInTheDocument) {
  const SpecBundle tiles = bundle_of("tiles");
  const auto refused = [&](const std::string& from, const std::string& to, const char* piece) {
    expect_refusal([&] { load(with_spec(tiles, from, to)); }, {piece});
  };
  refused("\"goal\":", "\"noise\": 1e400, \"goal\":", "'1e400' in line ");
  refused("\"goal\":", "\"kernel\": {\"variance\": 1, \"variance\": 2}, \"goal\":",
          "key \"kernel.variance\" is given twice");
  refused("\"goal\":", "\"budget\": 1e200, \"goal\":", "budget");
}

TEST(SpecBundle, FilesStayWithinTheFolder) {
  const Scratch scratch;
  const auto folder = scratch.path() / "inner";
  std::filesystem::create_directory(folder);
  const auto write = [](const std::filesystem::path& file, const std::string& text) { std::ofstream(file) << text; };
  for (const TemplateFile& file : spec_template("districts")) write(folder / file.name, file.text);
  EXPECT_EQ(read_bundle(folder / "study.json"), bundle_of("districts"));
  write(scratch.path() / "pixels.csv", bundle_of("districts").files["pixels.csv"]);
  const auto refused = [&](const std::string& name) {
    write(folder / "bad.json", with_spec(bundle_of("districts"), "pixels.csv", name).text);
    expect_refusal([&] { read_bundle(folder / "bad.json"); }, {"targets.points: \"" + name + "\" leaves the folder"});
    EXPECT_EQ(read_bundle(folder / "bad.json", {true, {}}).files.count(name), 1U);
  };
  refused("../pixels.csv");
  refused((scratch.path() / "pixels.csv").string());
  std::filesystem::create_symlink(scratch.path() / "pixels.csv", folder / "link.csv");
  refused("link.csv");
  std::filesystem::remove(folder / "pixels.csv");
  expect_refusal([&] { read_bundle(folder / "study.json"); }, {"targets.points", "pixels.csv", "cannot be read"});
  expect_refusal([&] { read_bundle(folder); }, {"spec", "is a folder"});
  expect_refusal([] { read_bundle("/dev/null"); }, {"spec", "is not a regular file"});
}

}  // namespace
}  // namespace iqbo
