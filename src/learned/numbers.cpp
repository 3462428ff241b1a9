#include "numbers.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "iqbo/core/check.hpp"

namespace iqbo {
namespace {

constexpr const char* kPrint = "fingerprint";
constexpr const char* kScore = "score of ";  // its values: kappa, weight
constexpr const char* kModel = "weight of ";
constexpr const char* kCells = "cells";

std::vector<double> list(const Vector& values) { return {values.begin(), values.end()}; }
std::vector<double> list(const Rows& rows) { return {rows.data(), rows.data() + rows.size()}; }

class Reader {
 public:
  explicit Reader(const LearnedNumbers& numbers) : numbers_(numbers) {}

  const std::vector<double>& at(const std::string& name, std::size_t size) const {
    for (const auto& [each, values] : numbers_.values)
      if (each == name && values.size() == size) return values;
    refuse("known", "without " + std::to_string(size) + " numbers called " + name, "what numbers() gave");
  }
  double number(const std::string& name) const { return at(name, 1)[0]; }
  Vector vector(const std::string& name, Index size) const {
    return Eigen::Map<const Vector>(at(name, static_cast<std::size_t>(size)).data(), size);
  }
  Rows rows(const std::string& name, Index rows, Index columns) const {
    return Eigen::Map<const Rows>(at(name, static_cast<std::size_t>(rows * columns)).data(), rows, columns);
  }

 private:
  const LearnedNumbers& numbers_;
};

// FNV-1a over the bytes of numbers.
class Print {
 public:
  void add(double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    for (int byte = 0; byte < 8; ++byte) hash_ = (hash_ ^ ((bits >> (8 * byte)) & 0xFFU)) * 1099511628211ULL;
  }
  void add(const Rows& rows) {
    add(static_cast<double>(rows.rows()));
    for (Index i = 0; i < rows.size(); ++i) add(rows.data()[i]);
  }
  double value() const { return static_cast<double>(hash_ >> 12U); }

 private:
  std::uint64_t hash_ = 14695981039346656037ULL;
};

std::string after(const std::string& text, const char* prefix) {
  const std::size_t size = std::strlen(prefix);
  return text.compare(0, size, prefix) == 0 ? text.substr(size) : std::string();
}

LearnedKind kind_called(const std::string& name) {
  for (const LearnedKind kind : {LearnedKind::kShift, LearnedKind::kCme, LearnedKind::kNw, LearnedKind::kPlugIn})
    if (to_string(kind) == name) return kind;
  refuse("known", "a model called " + name, "shift, cme, nw or plugin");
}

bool is_used(const LearnedChoice& choice, std::initializer_list<LearnedKind> kinds) {
  for (std::size_t i = 0; i < choice.kinds.size(); ++i)
    if (choice.weight[static_cast<Index>(i)] != 0.0 &&
        std::find(kinds.begin(), kinds.end(), choice.kinds[i]) != kinds.end())
      return true;
  return false;
}

}  // namespace

double fingerprint(const Inputs& x, const Queries& a, const LearnedOptions& options) {
  Print out;
  out.add(x.coordinates());
  out.add(a.coordinates());
  out.add(static_cast<double>(options.model));
  out.add(static_cast<double>(options.shift_points));
  out.add(options.exact_constant ? 1.0 : 0.0);
  for (const Index column : options.categories) out.add(static_cast<double>(column));
  if (const auto* box = std::get_if<InputBox>(&options.domain)) {
    out.add(Rows(box->lower().transpose()));
    out.add(Rows(box->upper().transpose()));
  } else if (const auto* set = std::get_if<InputSet>(&options.domain)) {
    out.add(set->points().coordinates());
  }
  // What is not given leaves no trace, so that numbers stored before it could be given still fit.
  if (options.lambda) {
    out.add(1.0);
    out.add(*options.lambda);
  }
  if (!options.lengthscales.empty()) {
    out.add(2.0);
    for (const double each : options.lengthscales) out.add(each);
  }
  if (options.yardstick != nullptr) {  // known by its values, whatever its family
    constexpr Index kSome = 8;
    out.add(3.0);
    out.add(Rows(options.yardstick->gram(x.slice(0, std::min(x.size(), kSome)))));
  }
  return out.value();
}

LearnedNumbers to_numbers(const LearnedChoice& choice, double print) {
  LearnedNumbers out;
  const auto add = [&](const std::string& name, std::vector<double> values) {
    out.values.emplace_back(name, std::move(values));
  };
  const ModelSettings& s = choice.settings;
  add(kPrint, {print});
  if (choice.cells) add(kCells, {1.0});
  for (std::size_t i = 0; i < choice.kinds.size(); ++i)
    if (const double weight = choice.weight[static_cast<Index>(i)]; weight != 0.0)
      add(kModel + to_string(choice.kinds[i]), {weight});
  if (is_used(choice, {LearnedKind::kShift, LearnedKind::kPlugIn})) {
    add("mean scale", list(s.mean.scale));
    add("mean ridge", {s.mean.ridge});
    if (!choice.cells) {
      add("mean weight", list(s.trained_mean->weight()));
      add("residuals", list(s.trained_mean->leave_one_out()));
    }
    add("shift bandwidth", list(s.shift_bandwidth));
    add("spread bandwidth", list(s.spread_bandwidth));
  }
  if (is_used(choice, {LearnedKind::kNw})) add("nw bandwidth", list(s.nw_bandwidth));
  if (is_used(choice, {LearnedKind::kCme})) {
    add("cme scale", list(s.cme.scale));
    add("cme ridge", {s.cme.ridge});
  }
  for (const auto& [model, kappa, weight] : choice.report.scores) add(kScore + model, {kappa, weight});
  add("error", {choice.report.error});
  out.notes = choice.report.notes;
  return out;
}

bool of_cells(const LearnedNumbers& numbers) {
  return std::any_of(numbers.values.begin(), numbers.values.end(),
                     [](const auto& each) { return each.first == kCells; });
}

LearnedChoice from_cell_numbers(const LearnedNumbers& numbers, Index groups, Index pairs, double print) {
  const Reader read(numbers);
  if (read.number(kPrint) != print) refuse("known", "of other pairs or options", "what numbers() gave for these");
  LearnedChoice out;
  out.cells = of_cells(numbers);
  std::vector<double> weights;
  for (const auto& [name, values] : numbers.values) {
    if (const std::string model = after(name, kModel); !model.empty()) {
      out.kinds.push_back(kind_called(model));
      weights.push_back(read.number(name));
    }
    if (const std::string model = after(name, kScore); !model.empty()) {
      const auto& score = read.at(name, 2);
      out.report.scores.push_back({model, score[0], score[1]});
    }
  }
  out.weight = Eigen::Map<Vector>(weights.data(), static_cast<Index>(weights.size()));
  require_not_empty(out.weight.size(), "known");
  ModelSettings& s = out.settings;
  if (is_used(out, {LearnedKind::kShift, LearnedKind::kPlugIn})) {
    s.mean = {read.vector("mean scale", groups), read.number("mean ridge")};
    s.shift_bandwidth = read.vector("shift bandwidth", groups);
    s.spread_bandwidth = read.vector("spread bandwidth", groups);
  }
  if (is_used(out, {LearnedKind::kNw})) s.nw_bandwidth = read.vector("nw bandwidth", groups);
  if (is_used(out, {LearnedKind::kCme})) s.cme = {read.vector("cme scale", groups), read.number("cme ridge")};
  out.report.error = read.number("error");
  out.report.notes = numbers.notes;
  out.report.pairs = pairs;
  return out;
}

LearnedChoice from_numbers(const LearnedNumbers& numbers, const LoggedPairs& pairs, double print) {
  LearnedChoice out = from_cell_numbers(numbers, pairs.encoding->groups(), pairs.size(), print);
  if (!is_used(out, {LearnedKind::kShift, LearnedKind::kPlugIn})) return out;
  const Reader read(numbers);
  const Index n = pairs.size(), d = pairs.x().dimension();
  out.settings.trained_mean = std::make_shared<const RidgeMean>(
      pairs, out.settings.mean, read.rows("mean weight", n, d), read.rows("residuals", n, d));
  return out;
}

}  // namespace iqbo
