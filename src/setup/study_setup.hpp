// A spec as objects: the setting and the options of a policy.
//
//   SpecData data = load(bundle, policy_names());
//   StudySetup model(data);
//   Policy policy(model.setting(), model.options(), data.spec.seed);
//
// Three translations happen here and nowhere else:
//
//   values    the user's z, which may be minimised and may have a known mean m, to the policy's: sign (z - m); counts as
//             counts.hpp says
//   queries   the order of coordinates that coordinate_names() gives, resolution or level last, to the policy's
//   messages  what a constructor refuses is refused with the JSON path of its arguments
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "iqbo/policy/policy.hpp"
#include "iqbo/record/spec_bundle.hpp"

namespace iqbo::internal {

std::vector<std::string> policy_names();  // those that a spec may name

class StudySetup {
 public:
  // `more`: pairs that were logged after those of the spec, only where p(x given a) is learned. `score`: implements the
  // policy "custom:<name>" of that name; without it, that policy suggests nothing. `known`: what was learned before; if
  // it was learned from these very pairs, nothing is learned again.
  explicit StudySetup(std::shared_ptr<const SpecData> data, const PairTable& more = {},
                      const std::optional<CustomScore>& score = {}, const std::vector<LearnedRecord>& known = {});
  explicit StudySetup(SpecData data, const PairTable& more = {}, const std::optional<CustomScore>& score = {},
                      const std::vector<LearnedRecord>& known = {})
      : StudySetup(std::make_shared<const SpecData>(std::move(data)), more, score, known) {}

  const SpecData& data() const { return *data_; }
  const Spec& spec() const { return data_->spec; }
  const Setting& setting() const { return setting_; }
  const PolicyOptions& options() const { return options_; }
  Policy policy() const;

  // The hyperparameters of f, where the spec gives them; without the noises of a tree.
  std::optional<Hyperparameters> given() const;

  std::optional<LearnedRecord> learned() const;  // to be passed as `known` the next time; none if nothing is learned
  Index copies_of_pairs() const { return copies_of_pairs_; }  // how often every logged pair is there

  // --- values ---
  Vector policy_value(const Vector& z) const { return sign_ * (z.array() - offset_); }  // not for counts
  Vector user_value(const Vector& mean) const { return (sign_ * per_) * mean.array() + offset_; }
  double user_value(double mean) const { return (sign_ * per_) * mean + offset_; }
  Vector user_sd(const Vector& var) const { return per_ * var.cwiseMax(0.0).cwiseSqrt(); }
  double user_difference(double sd) const { return per_ * sd; }  // of two values, or a standard deviation
  double policy_threshold(double user) const { return (user - offset_) / (sign_ * per_); }  // of f
  double sign() const { return sign_; }
  bool counts() const { return is_count(spec().answers); }
  Count policy_count(const Answer& told) const;
  double usual_exposure(const Queries& one) const;  // as the spec says; NaN if it does not

  // Where hyperparameters are fitted, the mean among them, answers may be shifted by a constant. Does nothing elsewhere.
  bool is_fitted() const { return !spec().kernel && !counts() && spec().link != LinkKind::kLog; }
  void set_level(double level);

  // Converts a fit, whose mean and slopes are values; a round trip gives the same numbers, bit for bit. Fits of counts, and of
  // f = h(eta), are about eta and stay as they are.
  Hyperparameters policy_fit(Hyperparameters user) const;
  Hyperparameters user_fit(Hyperparameters policy) const;

  // --- queries: rows as the user has them ---

  // Listed queries, grid points and cells are also found by numbers that are off by 1e-9 of an axis, as spreadsheets
  // round them. Refuses a cell that does not exist.
  Queries policy_query(const Rows& a) const;
  Rows user_query(const Queries& a) const;
  bool resolution_first() const { return resolution_first_; }  // in the policy's queries; the user has it last

  // What can have been measured: a listed query, a location in the box at a known resolution, a node of the tree; a
  // listed point of X, or one in its box. Anything else is refused with the name of the coordinate. Takes one row.
  Queries measured_query(const Rows& one) const;
  Inputs measured_input(const Rows& one) const;

  // For a single row: its name in the list, "" if it has none; its level in the tree; its cost.
  std::string query_name(const Queries& one) const;
  std::optional<Index> level(const Queries& one) const;
  double cost(const Queries& one) const;
  std::string input_name(const Inputs& one) const;

 private:
  void make_target();
  void make_queries();
  void make_windows();
  void make_exposure();
  void make_conditional(const PairTable& more, const std::vector<LearnedRecord>& known);
  void make_prior();
  void make_options(const std::optional<CustomScore>& score);

  std::shared_ptr<const SpecData> data_;
  Setting setting_;
  PolicyOptions options_;
  double sign_ = 1.0;
  double offset_ = 0.0;
  double per_ = 1.0;  // units of exposure that a rate of the user's is about
  bool resolution_first_ = false;
  Index copies_of_pairs_ = 1;
  std::optional<QueryTree> cells_;  // if queries are cells, which the user knows by centre and level
};

// The box of a target or query, and the values of its grid; refuses axes that do not form a box.
template <class Space>
Box<Space> box_of(const std::vector<AxisSpec>& axes);

}  // namespace iqbo::internal
