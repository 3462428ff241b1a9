// A spec with the files it names, and their contents.
//
// A bundle is what a study keeps: the document as it was written and the contents of its files, so that a study needs
// neither folder nor host, and later edits of a file do not change what was asked.
//
//   SpecBundle bundle = read_bundle("study.json");   // reads study.json and the files beside it
//   SpecData data = load(bundle);                    // checks everything, numbers included
//
// Files are named relative to the spec's folder. A name that leaves it (absolute, "..", a link that points out) is
// refused unless allowed.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "iqbo/core/matrix.hpp"
#include "iqbo/record/csv.hpp"
#include "iqbo/record/spec.hpp"
#include "iqbo/record/trial.hpp"

namespace iqbo {

struct SpecBundle {
  std::string text;                          // the document
  std::map<std::string, std::string> files;  // name, as the document has it, and contents as UTF-8
  std::vector<std::string> notes = {};       // what was noticed while reading the files; a study does not keep it
  bool operator==(const SpecBundle&) const = default;
};

struct BundleOptions {
  bool allow_outside = false;           // files may lie outside the spec's folder
  std::vector<std::string> policies{};  // see parse_spec
};

SpecBundle read_bundle(const std::filesystem::path& spec_file, const BundleOptions& options = {});

// What to tell about a file that was read as Windows-1252.
std::string encoding_note(std::string_view file);

// Listed points: one per row, in the order of the file.
struct PointTable {
  std::vector<std::string> ids;
  Rows coordinates;  // of queries without coordinates: their numbers, from 0
  std::vector<std::vector<std::string>>
      codes;       // per coordinate: the names of a category (code 0, 1, ...), sorted; else none
  CsvTable table;  // the whole file, extra columns included
};

// The name of category `value` of coordinate j of a listed point; null if that coordinate is a number.
const std::string* category_name(const PointTable& list, std::size_t j, double value);

struct BagEntry {
  Index query;  // row of the query table
  Index point;  // row of BagTable::points
  double weight;
  bool operator==(const BagEntry&) const = default;
};

struct BagTable {
  Rows points;  // distinct; the target points themselves if the bags name them by id
  std::vector<BagEntry> entries;
};

struct PairTable {
  Rows x;
  Rows a;
};

// The contents of a spec and its files, checked. Parts that its kinds do not use are empty.
struct SpecData {
  Spec spec;
  PointTable targets;
  PointTable queries;
  Vector target_weight;  // query kind cells: the weight of each target point
  Vector cost;           // query kind points: of each query
  Vector noise_sd;       //   likewise, of its answer; empty if the spec gives none
  Vector exposure;       // of each query; of each target point if queries are cells; empty if the spec names no column
  Rows mu;               // conditional.mu, conditional.width given as columns: one row per query
  Rows width;
  BagTable bags;
  PairTable pairs;
};

SpecData load(const SpecBundle& bundle, const std::vector<std::string>& policies = {}, SpecAge age = SpecAge::kNew);

// Loads the spec, and of its tables only the names of categories: enough to describe queries, without reading the rest.
SpecData load_names(const SpecBundle& bundle, const std::vector<std::string>& policies = {},
                    SpecAge age = SpecAge::kNew);

// Data that arrive later, in tables with these columns:
//
//   pairs         coordinates of x and of a
//   observations  past answers: query id or coordinates of a, then value, and optionally noise_sd and replicates
//   values        measurements of f itself: target id or coordinates of x, then the same columns
//
// Where answers are counts, count and exposure take the place of value, noise_sd and replicates. They may be called as people
// call them (cases, clicks; population, impressions, trials), unless two columns could be meant. Without an exposure it is
// left open, and a study takes that of the spec. A column that could be meant for the noise by another common name (se, stddev) is
// refused; unread_columns() are the others that say nothing, of a table of observations or of values of f.
//
// A name that x and a share is written x.east and a.east in pairs.
//
// goes_by_id: whether the rows of a table name listed points by id. True also if it has none of the coordinates, so
// that the message names the id as missing.
bool goes_by_id(const CsvTable& table, const std::string& id, const std::vector<std::string>& coordinates);
PairTable load_pairs(const SpecData& data, const CsvTable& table);
std::vector<Observation> load_observations(const SpecData& data, const CsvTable& table);
std::vector<std::string> unread_columns(const SpecData& data, const CsvTable& table, bool values);
std::vector<Observation> load_values(const SpecData& data, const CsvTable& table);

}  // namespace iqbo
