#include "iqbo/record/spec_template.hpp"

#include <algorithm>
#include <cmath>

#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/record/csv.hpp"
#include "template_files.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr std::uint64_t kSeed = 2026;  // of the made-up data
constexpr int kSide = 16;              // pixels along each side of the district map
constexpr int kDistricts = 24;
constexpr int kClinics = 12;
constexpr int kPairsPerClinic = 12;

// Rounded to 1/1000 in decimal, so that files are short.
std::string thousandth(double value) { return csv_number(std::round(value * 1000) / 1000); }
std::string id(const char* prefix, int i) { return std::string(prefix).append(std::to_string(i)); }

// --- districts --------------------------------------------------------------------------------------------------------

constexpr const char* kDistrictsSpec =
    R"(// Which pixel is hottest, when only districts can be surveyed? docs/spec.md explains every key.
{
  "version": 2,
  "name": "hot spot from district averages",
  "goal": "maximize",
  "seed": 1,
  "value": {"name": "rate", "unit": "cases per 1000"},

  // X: the pixels, one per row. Further columns (population) are kept for display.
  "targets": {
    "kind": "points", "points": "pixels.csv", "id": "pixel",
    "coordinates": ["east", "north"], "units": ["km", "km"]
  },

  // A: what you may ask, one district per row.
  "queries": {"kind": "points", "points": "districts.csv", "id": "district"},

  // p(x given a): a survey of a district averages over its pixels, by population.
  "conditional": {"kind": "bags", "bags": "members.csv", "point": "pixel", "weight": "population"},

  // Estimated from the data: how smooth the rate is, and how noisy a survey is.
  "kernel": "auto",
  "noise_sd": "auto",
  "policy": "auto"
}
)";

// Pixels on a lattice, each in the district whose centre is nearest.
struct DistrictMap {
  std::string pixels = csv_line({"pixel", "east", "north", "population"});
  std::string members = csv_line({"district", "pixel", "population"});
  std::vector<Index> population = std::vector<Index>(kDistricts, 0);
};

DistrictMap district_map() {
  Rng rng(kSeed);
  const Rows centres = rng.uniforms(kDistricts, 2) * (kSide - 1);
  DistrictMap out;
  for (int i = 0; i < kSide * kSide; ++i) {
    const Eigen::RowVector2d place(i % kSide, i / kSide);  // NOLINT(bugprone-integer-division): a lattice
    Index district = 0;
    (centres.rowwise() - place).rowwise().squaredNorm().minCoeff(&district);
    const auto people = 50 + rng.below(950);
    out.population[static_cast<std::size_t>(district)] += people;
    const std::string population = std::to_string(people);
    out.pixels += csv_line({id("p", i), csv_number(place[0]), csv_number(place[1]), population});
    out.members += csv_line({id("d", static_cast<int>(district)), id("p", i), population});
  }
  return out;
}

std::vector<TemplateFile> districts() {
  const DistrictMap map = district_map();
  std::string list = csv_line({"district", "name"});
  for (int d = 0; d < kDistricts; ++d) list += csv_line({id("d", d), id("District ", d + 1)});
  return {{"study.json", kDistrictsSpec},
          {"pixels.csv", map.pixels},
          {"districts.csv", list},
          {"members.csv", map.members}};
}

// --- counts -----------------------------------------------------------------------------------------------------------

constexpr const char* kCountsSpec =
    R"(// Which cell has the highest incidence, when cases are counted by district? docs/counts.md and docs/spec.md explain every key.
{
  "version": 2,
  "name": "incidence from cases in districts",
  "goal": "maximize",
  "seed": 1,

  // f: a rate, shown per 1,000 people.
  "value": {"name": "incidence", "unit": "cases per 1,000", "per": 1000},

  // X: the cells, one per row.
  "targets": {
    "kind": "points", "points": "pixels.csv", "id": "pixel",
    "coordinates": ["east", "north"], "units": ["km", "km"]
  },

  // A: what you may ask, one district per row.
  "queries": {"kind": "points", "points": "districts.csv", "id": "district"},

  // p(x given a): the people of a district live in its cells.
  "conditional": {"kind": "bags", "bags": "members.csv", "point": "pixel", "weight": "population"},

  // An answer is a count, told as 12/2000: 12 cases among 2,000 people. "auto": Poisson, or negative binomial if the counts
  // vary more than that; "binomial" where a large share of the people may be counted.
  "answers": "auto",

  // The people of a district, among whom the next count will be. Without this key, iqbo assumes the median of those told.
  "exposure": "population",

  // Estimated from the counts: how smooth the rate is, how much it varies, and whether it varies on a logarithmic scale.
  "kernel": "auto",
  "link": "auto",
  "policy": "auto"
}
)";

// Stands for a register: draws the cases of a district from a made-up incidence.
constexpr const char* kSurveyScript = R"sh(#!/bin/sh
# A made-up register of cases: sh survey.sh d7 prints cases/population of district d7. Try the whole campaign with
#   iqbo run --study campaign.db --command 'sh survey.sh {a}' --trials 20
# and replace this by your own.
cd "$(dirname "$0")" || exit 1
awk -F, -v district="$1" '
  BEGIN { srand(1000 + substr(district, 2)); rand() }
  FNR == NR { east[$1] = $2; north[$1] = $3; next }
  $1 == district {
    u = (east[$2] - 11) / 2.2; v = (north[$2] - 5) / 1.8
    people += $3
    expected += $3 * (0.5 + 6 * exp(-0.5 * (u * u + v * v))) / 1000
  }
  END {
    if (people == 0) { print "no district " district > "/dev/stderr"; exit 1 }
    while ((sum -= log(1 - rand())) < expected) cases++
    print cases + 0 "/" people
  }' pixels.csv members.csv
)sh";

std::vector<TemplateFile> counts() {
  const DistrictMap map = district_map();
  std::string list = csv_line({"district", "name", "population"});
  for (int d = 0; d < kDistricts; ++d)
    list += csv_line({id("d", d), id("District ", d + 1), std::to_string(map.population[static_cast<std::size_t>(d)])});
  return {{"study.json", kCountsSpec},
          {"pixels.csv", map.pixels},
          {"districts.csv", list},
          {"members.csv", map.members},
          {"survey.sh", kSurveyScript}};
}

// --- tiles ------------------------------------------------------------------------------------------------------------

constexpr const char* kTilesSpec =
    R"(// Where is the peak, when coarse tiles are cheap and fine ones expensive? docs/spec.md explains every key.
{
  "version": 2,
  "name": "peak from satellite tiles",
  "goal": "maximize",
  "seed": 1,
  "value": {"name": "signal"},

  // X: a square, represented by a grid of 41 x 41 points.
  "targets": {
    "kind": "box",
    "axes": [
      {"name": "east", "unit": "km", "from": 0, "to": 10, "grid": 41},
      {"name": "north", "unit": "km", "from": 0, "to": 10, "grid": 41}
    ]
  },

  // A: the centre of a tile, and its resolution. Cells are split 2 x 2, down to level 4; one number per level.
  "queries": {
    "kind": "box",
    "axes": [
      {"name": "east", "unit": "km", "from": 0, "to": 10},
      {"name": "north", "unit": "km", "from": 0, "to": 10}
    ],
    "tree": {
      "levels": 5,
      "splits": [2, 2],
      "costs": [0.5, 1, 1.5, 2, 2.5],
      "resolutions": [5, 2.5, 1.25, 0.6, 0.3]
    }
  },

  // p(x given a): a tile averages evenly over centre +- resolution; what lies outside the square is cut off.
  "conditional": {"kind": "uniform", "mu": "identity", "width": "resolution", "truncate": "renormalise"},

  "kernel": "auto",
  "noise_sd": "auto",
  "policy": "auto",

  // The costs of all queries together never exceed this.
  "budget": 60
}
)";

// --- trial ------------------------------------------------------------------------------------------------------------

constexpr const char* kTrialSpec =
    R"(// Which dose is best, when only clinics can be chosen? docs/spec.md explains every key.
{
  "version": 2,
  "name": "best dose from clinic averages",
  "goal": "maximize",
  "seed": 1,
  "value": {"name": "improvement", "unit": "points"},

  // X: the dose, which cannot be set directly.
  "targets": {"kind": "box", "axes": [{"name": "dose", "unit": "mg", "from": 0, "to": 10, "grid": 101}]},

  // A: clinics, described by their patients. If a column held the cost of each, "cost": "price" would name it.
  "queries": {
    "kind": "points", "points": "clinics.csv", "id": "clinic",
    "coordinates": ["mean_age", "severity"], "units": ["years", ""]
  },

  // p(x given a): learned from logged doses and the descriptions of the clinics where they were given.
  "conditional": {"kind": "learned", "pairs": "pairs.csv", "model": "auto"},

  "kernel": "auto",
  "noise_sd": "auto",
  "policy": "auto"
}
)";

std::vector<TemplateFile> trial() {
  Rng rng(kSeed, {1});
  std::string clinics = csv_line({"clinic", "mean_age", "severity"});
  std::string pairs = csv_line({"dose", "mean_age", "severity"});
  for (int c = 0; c < kClinics; ++c) {
    const double age = 30 + 4.0 * c;
    const std::string years = thousandth(age);
    const double severity = rng.uniform();
    clinics += csv_line({id("c", c), years, thousandth(severity)});
    for (int j = 0; j < kPairsPerClinic; ++j) {
      const double dose = 1.5 + 4 * severity + (age - 30) / 20 + 0.8 * rng.normal();
      pairs += csv_line({thousandth(std::clamp(dose, 0.0, 10.0)), years, thousandth(severity)});
    }
  }
  return {{"study.json", kTrialSpec}, {"clinics.csv", clinics}, {"pairs.csv", pairs}};
}

// --- map --------------------------------------------------------------------------------------------------------------

constexpr const char* kMapSpec = R"(// Regions with shapes on a map, weights and costs. docs/spec.md explains every key.
{
  "version": 2,
  "name": "lowest price from regional averages",
  "goal": "minimize",
  "seed": 1,
  "value": {"name": "price", "unit": "EUR"},

  // X: points on a grid, each of them in one of the regions: nothing could be learned about a point that no region has.
  "targets": {
    "kind": "box",
    "axes": [
      {"name": "lon", "unit": "deg", "from": 5.125, "to": 8.875, "grid": 16},
      {"name": "lat", "unit": "deg", "from": 46.0625, "to": 47.9375, "grid": 16}
    ]
  },

  // A: regions. Their shapes come from a GeoJSON file, joined by id; a query costs what its column says.
  "queries": {
    "kind": "points", "points": "regions.csv", "id": "region", "cost": "cost",
    "geojson": {"file": "regions.geojson", "id": "region"}
  },

  // p(x given a): points with weights, one row per region and point.
  "conditional": {"kind": "bags", "bags": "places.csv", "weight": "households"},

  "kernel": "auto",
  "noise_sd": "auto",
  "policy": "auto",
  "budget": 40
}
)";

std::string rectangle(double west, double south, double east, double north) {
  const auto at = [](double x, double y) {
    return std::string("[").append(csv_number(x)).append(", ").append(csv_number(y)).append("]");
  };
  std::string ring = "[[";
  for (const std::string& corner : {at(west, south), at(east, south), at(east, north), at(west, north)})
    ring.append(corner).append(", ");
  return ring.append(at(west, south)).append("]]");
}

std::vector<TemplateFile> map() {
  Rng rng(kSeed, {2});
  std::string regions = csv_line({"region", "name", "cost"});
  std::string places = csv_line({"region", "lon", "lat", "households"});
  std::string shapes;
  for (int r = 0; r < 16; ++r) {
    const double west = 5 + r % 4;
    const double south = 46 + 0.5 * (r / 4);  // NOLINT(bugprone-integer-division): a lattice
    regions += csv_line({id("r", r), id("Region ", r + 1), csv_number(static_cast<double>(1 + rng.below(3)))});
    for (int j = 0; j < 16; ++j)
      places += csv_line({id("r", r), csv_number(west + 0.125 + 0.25 * (j % 4)),
                          csv_number(south + 0.0625 + 0.125 * (j / 4)),  // NOLINT(bugprone-integer-division)
                          std::to_string(10 + rng.below(90))});
    shapes += (r == 0 ? "" : ",\n") + std::string(R"(  {"type": "Feature", "properties": {"region": ")") + id("r", r) +
              R"("}, "geometry": {"type": "Polygon", "coordinates": )" + rectangle(west, south, west + 1, south + 0.5) +
              "}}";
  }
  const std::string geojson = "{\"type\": \"FeatureCollection\", \"features\": [\n" + shapes + "\n]}\n";
  return {{"study.json", kMapSpec}, {"regions.csv", regions}, {"places.csv", places}, {"regions.geojson", geojson}};
}

}  // namespace

const std::vector<std::string>& template_names() {
  static const std::vector<std::string> all = {"districts", "counts", "tiles", "trial", "map", "carolina", "tokyo"};
  return all;
}

std::vector<TemplateFile> spec_template(std::string_view name) {
  if (name == "districts") return districts();
  if (name == "counts") return counts();
  if (name == "tiles") return {{"study.json", kTilesSpec}};
  if (name == "trial") return trial();
  if (name == "map") return map();
  std::vector<TemplateFile> real;
  for (const EmbeddedFile& file : embedded_files())
    if (file.template_name == name) real.push_back({std::string(file.file), std::string(file.text)});
  if (!real.empty()) return real;
  refuse("template", "is " + in_quotes(name), expected_names(name, template_names()));
}

}  // namespace iqbo
