// A kind of query domain that iqbo does not know, written as a stranger would, under every policy.
#include <gtest/gtest.h>

#include "domain/contract.hpp"
#include "support/policy_settings.hpp"

namespace iqbo {
namespace {

// Sensors that must be installed before they can be read precisely. A query is (location, stage); the reading of stage 1 may
// only be asked for after stage 0 was, at the same location.
class Installed final : public QueryDomain {
 public:
  explicit Installed(Index sensors)
      : QueryDomain({.cost = [](const Queries& a) { return Vector(1.0 + a.coordinates().col(1).array()); }}),
        sensors_(sensors) {}

  Index dimension() const override { return 2; }
  Index continuous_dimension() const override { return 0; }
  bool contains(const QueryRow& query) const override {
    return QuerySet(stage(0).joined(stage(1))).find(query).has_value();
  }
  Queries any() const override { return stage(0).slice(0, 1); }
  Queries probes() const override { return stage(0).joined(stage(1)); }
  Queries sample(Index /*count*/, Rng& /*rng*/) const override { return stage(1); }
  Queries overview(Index /*count*/) const override { return probes(); }
  Queries initial_design(Index count, Rng& /*rng*/) const override {
    return stage(0).slice(0, std::min(count, sensors_));
  }
  TargetSpace as_targets(Rng& /*rng*/) const override { return InputSet(Inputs(probes().coordinates())); }
  std::unique_ptr<OpenQueries> open(const OpenRules& rules) const override;

  Queries stage(double which) const {
    Rows out(sensors_, 2);
    out.col(0) = Vector::LinSpaced(sensors_, 0.0, 1.0);
    out.col(1).setConstant(which);
    return Queries(std::move(out));
  }

 private:
  std::shared_ptr<QueryDomain> clone() const override { return std::make_shared<Installed>(*this); }
  Index sensors_;
};

class OpenReadings final : public OpenQueries {
 public:
  OpenReadings(const Installed& domain, bool repeats)
      : domain_(domain),
        repeats_(repeats),
        queries_(domain.stage(0)),
        allowed_(static_cast<std::size_t>(queries_.size()), true) {}

  std::unique_ptr<OpenQueries> clone() const override { return std::make_unique<OpenReadings>(*this); }
  void select(const QueryRow& query) override {
    const auto at = find(query);
    if (!at) return;
    if (!repeats_) allowed_[static_cast<std::size_t>(*at)] = false;
    Eigen::RowVectorXd precise = query;
    precise[1] = 1.0;
    if (find(precise)) return;
    queries_ = queries_.joined(Queries(Rows(precise)));
    allowed_.push_back(true);
  }
  bool grows() const override { return true; }
  Index size() const override { return queries_.size(); }
  Index most() const override { return 2 * domain_.stage(0).size(); }
  Queries slice(Index begin, Index count) const override { return queries_.slice(begin, count); }
  std::optional<Index> find(const QueryRow& query) const override { return QuerySet(queries_).find(query); }
  Candidates candidates(double noise_var) const override {
    return {queries_, allowed_, domain_.cost(queries_), domain_.noise_var(queries_, noise_var)};
  }
  std::string exhausted() const override { return "every sensor has been read"; }

 private:
  const Installed& domain_;
  bool repeats_;
  Queries queries_;
  std::vector<bool> allowed_;
};

std::unique_ptr<OpenQueries> Installed::open(const OpenRules& rules) const {
  return std::make_unique<OpenReadings>(*this, rules.repeats);
}

// Stage 0 sees a window of sd 0.2, stage 1 one of 0.02.
Setting installed() {
  Setting out = test::on_lists();
  out.queries = std::make_shared<const Installed>(12);
  out.conditional =
      GaussianConditional(QueryMap::columns({0}), QueryMap::affine(Matrix{{0.0, -0.18}}, Vector{{0.2}})).clone();
  out.query_kernel = Rbf(0.5, Vector{{0.15, 1.0}}).clone();
  return out;
}

TEST(OwnDomain, KeepsTheContract) { test::expect_query_domain(Installed(5)); }

TEST(OwnDomain, EveryPolicyAsksOnlyWhatIsOpen) {
  for (const bool listed : {true, false})
    for (const PolicyKind kind : all_policies()) {
      if (kind == PolicyKind::kMfmes) continue;  // this domain has no finest partners
      Setting setting = installed();
      if (!listed) setting.targets = test::unit_inputs();
      PolicyOptions options;
      options.policy = kind;
      options.above = 0.1;
      options.samples = 8;
      options.repeats = false;
      Policy policy(setting, options, 1);
      QuerySet asked(policy.suggest().queries);
      for (int t = 0; t < 14; ++t) {
        const Queries a = policy.suggest().queries;
        ASSERT_EQ(a.size(), 1) << to_string(kind);
        if (a.row(0)[1] == 1.0) {
          Eigen::RowVectorXd before = a.row(0);
          before[1] = 0.0;
          EXPECT_TRUE(asked.find(before)) << to_string(kind) << " read a sensor that is not installed";
        }
        if (t > 0) {
          EXPECT_FALSE(asked.find(a.row(0))) << to_string(kind) << " asked twice";
          asked = QuerySet(asked.points().joined(a));
        }
        policy.observe(a, test::answers(a));
      }
    }
}

TEST(OwnDomain, EndsWhenEverythingWasAsked) {
  PolicyOptions options;
  options.policy = PolicyKind::kCmes;
  options.repeats = false;
  Policy policy(installed(), options, 1);
  for (int t = 0; t < 24; ++t) {
    const Queries a = policy.suggest().queries;
    ASSERT_EQ(a.size(), 1) << t;
    policy.observe(a, test::answers(a));
  }
  const Suggestion last = policy.suggest();
  EXPECT_TRUE(last.queries.empty());
  EXPECT_EQ(last.why.back(), "every sensor has been read");
}

}  // namespace
}  // namespace iqbo
