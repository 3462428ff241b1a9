// The spec of a study: one JSON document, comments allowed, for the command line, C++ and Python alike. docs/spec.md
// explains every key, docs/spec.schema.json is generated from the same table as the parser (src/record/spec_fields.hpp).
//
//   { "version": 2,
//     "targets": {"kind": "points", "points": "pixels.csv", "coordinates": ["east", "north"]},
//     "queries": {"kind": "points", "points": "districts.csv", "id": "district"},
//     "conditional": {"kind": "bags", "bags": "members.csv"} }
//
// Plain data. Structures with a kind use the members that the kind names; the others keep their defaults. Files are named,
// not read, here: record/spec_bundle.hpp does that.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace iqbo {

// Version 1 called targets, queries and noise_sd target, query and noise. Such documents are read for ever.
constexpr std::int64_t kSpecVersion = 2;

// Numbers beyond this are refused: squares of what is computed from them must stay finite.
constexpr double kLargestNumber = 1e100;
constexpr std::int64_t kMostGridPoints = std::int64_t{1} << 20;

enum class Goal { kMaximize, kMinimize };

// What a fit leaves undecided is averaged over, or ignored.
enum class FitKind { kEnsemble, kPoint };

// What an answer is: a measured average with Gaussian noise; or a count of events among an exposure (docs/counts.md). kAuto
// are counts that may vary more than Poisson ones: by how much is learned.
enum class AnswerFamily { kGaussian, kPoisson, kNegativeBinomial, kBinomial, kAuto };

// h of f = h(eta), eta being a Gaussian process. kAuto: by evidence.
enum class LinkKind { kAuto, kIdentity, kLog, kLogit };

// One coordinate of a box: from <= value <= to, on `grid` equally spaced values if that is not 0.
struct AxisSpec {
  std::string name;
  std::string unit;
  double from = 0;
  double to = 1;
  std::int64_t grid = 0;
  bool operator==(const AxisSpec&) const = default;
};

// X, where f lives.
struct TargetSpec {
  enum class Kind { kBox, kPoints };
  Kind kind = Kind::kBox;
  std::vector<AxisSpec> axes;            // box; a grid on each or on none
  std::string points;                    // points: the CSV file
  std::string id;                        //   its column of names; "": rows are called 1, 2, ...
  std::vector<std::string> coordinates;  //   its columns of coordinates
  std::vector<std::string> units;        //   of the coordinates; or none
  bool operator==(const TargetSpec&) const = default;
};

// Cells that are split into finer, more expensive ones (CMETS). Lists have one number per level, the root first; if
// empty: cost (l + 1) / 2 and resolution 1 / (l + 1) at level l.
struct TreeSpec {
  std::int64_t levels = 7;           // the root included: l_max + 1
  std::vector<std::int64_t> splits;  // of a cell along each coordinate; empty: 2 along each
  std::vector<double> costs;         // must not decrease
  std::vector<double> resolutions;   // widths of averages; only over a box
  std::vector<double> noise_sds;     // of an answer; empty: as `noise_sd` of the spec says
  std::string weight;                // kind cells only: the column of weights of targets.points; "": all equal
  bool requery_leaf = true;          // a cell of the last level may be asked again
  bool operator==(const TreeSpec&) const = default;
};

// A number for each query: one for all, or a column of the query file.
struct PerQuerySpec {
  double value = 1;
  std::string column;  // not "": the column
  bool operator==(const PerQuerySpec&) const = default;
};

// The exposure of an answer that is still to come (people, impressions, patients): one for all, a column of the query file
// (of the target file for cells, whose points are added up), or one of several that may be chosen with the query.
struct ExposureSpec {
  double value = 1;
  std::string column;           // not "": the column
  std::vector<double> choices;  // not empty: they add a coordinate "exposure" to the query
  double cost = 0;              //   of each unit of exposure, added to the cost of the query
  bool operator==(const ExposureSpec&) const = default;
};

struct GeoJsonSpec {
  std::string file;
  std::string id;  // the property that holds the region's id; "": the feature's own id
  bool operator==(const GeoJsonSpec&) const = default;
};

// A, what may be asked: windows in a box; listed queries; or cells, each the average over the target points in it.
struct QuerySpec {
  enum class Kind { kBox, kPoints, kCells };
  Kind kind = Kind::kBox;
  std::vector<AxisSpec> axes;            // box
  std::vector<double> resolutions;       //   widths to choose from; they add a coordinate "resolution"
  std::vector<double> costs;             //   one per resolution
  std::string points;                    // points: the CSV file
  std::string id;                        //   its column of names
  std::vector<std::string> coordinates;  //   none: a query is its number, from 0
  std::vector<std::string> units;
  std::vector<std::string> categories;   //   coordinates whose cells are names, not numbers
  std::optional<GeoJsonSpec> geojson;    //   shapes by id, for display
  PerQuerySpec cost;                     // box without resolutions or tree; points
  std::optional<PerQuerySpec> noise_sd;  //   likewise, of an answer; none: as `noise_sd` of the spec says
  std::optional<TreeSpec> tree;          // box, cells
  std::optional<ExposureSpec> exposure;  // where answers are counts; in the document it stands beside `answers`
  bool operator==(const QuerySpec&) const = default;
};

// A vector that depends on the query: the centre of a window, or its width.
struct MapSpec {
  enum class Kind { kIdentity, kConstant, kAffine, kColumns, kResolution };
  Kind kind = Kind::kIdentity;
  std::vector<double> offset;              // constant: the value, one number for all coordinates or one each; affine
  std::vector<std::vector<double>> slope;  // affine: slope a + offset, one row per coordinate of x
  std::vector<std::string> columns;        // of the query file
  bool operator==(const MapSpec&) const = default;
};

// p(x given a).
struct ConditionalSpec {
  enum class Kind { kGaussian, kUniform, kBags, kLearned, kCells };
  enum class Truncate { kNone, kClip, kRenormalise };
  enum class Model { kAuto, kShift, kCme, kNw, kPlugin, kStack };
  Kind kind = Kind::kGaussian;
  MapSpec mu;                           // gaussian, uniform: the centre
  MapSpec width;                        //   sd, or half-width
  Truncate truncate = Truncate::kNone;  //   what lies outside the box of X
  std::string bags;                     // bags: the CSV file, one row per (query, x)
  std::string query;                    //   its column of query ids; "": the name of queries.id
  std::string point;                    //   its column of ids of target points; "": coordinates of x, by name
  std::string weight;                   //   its column of weights; "": all the same
  std::string pairs;                    // learned: the CSV file, one row per logged pair, columns by name
  Model model = Model::kAuto;           // cells: the points of the query's cell, nothing to add
  bool operator==(const ConditionalSpec&) const = default;
};

struct KernelSpec {
  std::string family = "rbf";       // one that is registered (kernel/family.hpp)
  std::vector<double> lengthscale;  // one for all coordinates, or one each
  double variance = 1;
  double nugget = 0;                                      // variance of a white part of f
  std::map<std::string, std::vector<double>> shape = {};  // other parameters of the family, by name; as lengthscale
  bool operator==(const KernelSpec&) const = default;
};

struct MeanSpec {
  enum class Kind { kAuto, kLinear, kFixed };  // a fitted constant; a fitted constant and slope; a given constant
  Kind kind = Kind::kAuto;
  double value = 0;
  bool operator==(const MeanSpec&) const = default;
};

constexpr std::string_view kCustomPolicy = "custom:";  // prefix of the name of a score that the user wrote

struct PolicySpec {
  std::string name = "auto";
  std::int64_t initial = 0;  // queries before the policy starts; 0: the policy decides
  std::int64_t samples = 16;
  bool repeats = true;  // a listed query may be asked twice
  enum class Spots { kAuto, kOff };
  Spots spots = Spots::kAuto;   // rare spots are searched for where that makes sense
  std::optional<double> above;  // a limit of f: what level-set seeks, and what reports judge points by
  bool operator==(const PolicySpec&) const = default;
};

// When enough is known: either is enough.
struct StopSpec {
  std::optional<double> regret;       // expected loss of stopping now, in units of f
  std::optional<double> probability;  // that the recommendation is right
  bool operator==(const StopSpec&) const = default;
};

// What f is called and measured in.
struct ValueSpec {
  std::string name = "f";
  std::string unit;
  double per = 1;  // where answers are counts: f is a rate per so many units of exposure
  bool operator==(const ValueSpec&) const = default;
};

struct Spec {
  std::int64_t version = kSpecVersion;
  std::string name;
  Goal goal = Goal::kMaximize;
  std::uint64_t seed = 0;
  ValueSpec value;
  TargetSpec targets;
  QuerySpec queries;
  ConditionalSpec conditional;
  AnswerFamily answers = AnswerFamily::kGaussian;
  std::optional<double> dispersion;  // 1 / k of negative-binomial counts; none: "auto", fitted
  LinkKind link = LinkKind::kAuto;
  std::optional<KernelSpec> kernel;  // none: "auto", fitted
  std::optional<double> noise_sd;    // none: "auto", fitted
  MeanSpec mean;
  FitKind fit = FitKind::kEnsemble;
  PolicySpec policy;
  std::optional<double> budget;  // the sum of costs never exceeds it; none: no limit
  std::optional<StopSpec> stop;  // none: until the budget is spent
  bool operator==(const Spec&) const = default;
};

// A stored spec was accepted once, perhaps by a version that checked less. It stays readable: keys that were ignored
// then are still ignored, and checks that only guard against slips are not repeated.
enum class SpecAge { kNew, kStored };

// Reads and checks a document, but not the contents of its files. Throws std::invalid_argument with the JSON path, what
// was found and what was expected; an unknown key is refused with the nearest one. Refuses duplicate keys and documents
// of a newer version; migrates older versions. Unless `policies` is empty, policy.name must be in it, or custom.
Spec parse_spec(std::string_view text, const std::vector<std::string>& policies = {}, SpecAge age = SpecAge::kNew);

std::string to_json(const Spec& spec);  // indented, with every key that matters for the chosen kinds
std::string spec_schema();              // JSON Schema, draft 2020-12: docs/spec.schema.json

inline bool chooses_exposure(const QuerySpec& query) { return query.exposure && !query.exposure->choices.empty(); }
inline bool is_count(AnswerFamily family) { return family != AnswerFamily::kGaussian; }
const std::string& to_string(AnswerFamily family);  // as the spec has it

// The names of the coordinates, in the order of a point's numbers. A query of a box with resolutions or a tree ends in
// "resolution"; a cell is its centre and "level"; a listed query without coordinates is its "number", from 0. Where the
// exposure may be chosen, the last one is "exposure".
std::vector<std::string> coordinate_names(const TargetSpec& target);
std::vector<std::string> coordinate_names(const QuerySpec& query, const TargetSpec& target);

// The files that a spec names, each with the path of the key.
struct SpecFile {
  std::string path;  // "conditional.pairs"
  std::string name;  // "pairs.csv"
};
std::vector<SpecFile> files_of(const Spec& spec);

}  // namespace iqbo
