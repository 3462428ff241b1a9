// What a step of a policy costs, part by part, each against a bar.
//
//   loop_bench                  all parts; fails if an answer is wrong
//   loop_bench --run <part>     one of them: recommend, batch, cmes, members, branin, ten, windows
//   loop_bench --problem <folder>, loop_bench --loop     for bench/peers/cmes_loop.py
//
// Times are processor times of this process, measured in turn, so that other work on the machine counts little; the
// ratios are what counts.
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <numeric>
#include <optional>
#include <set>
#include <string>

#include "../finite/finite_settings.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/policy/policy.hpp"

namespace iqbo::bench {
namespace {

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

void report(const char* what, double measured, double bar, const char* unit) {
  std::printf("%-72s %8.3g %s, bar %.3g%s\n", what, measured, unit, bar, measured <= bar ? "" : "   MISSED");
  std::fflush(stdout);
}

// The kernel is given, and p(x|a) is not doubted: nothing is fitted.
Setting given(const Inputs& x, const Queries& a, const Conditional& conditional, const Kernel& kernel) {
  Setting out{InputSet(x), QuerySet(a), conditional.clone()};
  out.kernel = kernel.clone();
  out.noise_var = kNoiseVar;
  return out;
}
Setting of(const Smooth& smooth) { return given(smooth.x, smooth.a, smooth.conditional, smooth.kernel); }
Setting of(const Rough& rough) { return given(rough.x, rough.bags.queries(), rough.bags, rough.kernel); }

PolicyOptions by(PolicyKind kind) {
  PolicyOptions out;
  out.policy = kind;
  out.discrepancy = false;
  return out;
}

void answer(Policy& policy, const Queries& a, Rng& rng) {
  Vector z(a.size());
  for (Index i = 0; i < a.size(); ++i) z[i] = truth(a, i) + std::sqrt(kNoiseVar) * rng.normal();
  policy.observe(a, z);
}

Policy told(const Setting& setting, PolicyKind kind, Index answers) {
  Policy policy(setting, by(kind), 1);
  Rng rng(5);
  for (Index t = 0; t < answers; ++t) answer(policy, policy.suggest().queries, rng);
  return policy;
}

// --- best() against one suggestion ---

// The share of maxima by plain paths over all inputs, widened as intervals are.
double plain_probability(Policy& policy, Index row, Index paths) {
  const FiniteEnsemble& belief = *policy.finite();
  const Vector& mean = belief.f().mean;
  const Vector widening = policy.f_widening(belief.x(), belief.f());
  Rng rng(11);
  Index wins = 0;
  for (Index done = 0; done < paths; done += 100) {
    const Matrix f = (widening.asDiagonal() * (belief.draw(100, rng).f.colwise() - mean)).colwise() + mean;
    for (Index s = 0; s < f.cols(); ++s) wins += f(row, s) == f.col(s).maxCoeff() ? 1 : 0;
  }
  return static_cast<double>(wins) / static_cast<double>(paths);
}

// `known`: f at the middle of the list, observed directly, if it is not 0.
void recommend_case(const char* name, const Setting& setting, Index answers, double known = 0.0) {
  Policy policy = told(setting, PolicyKind::kCmes, answers);
  const Inputs& x = std::get<InputSet>(setting.targets).points();
  if (known != 0.0) policy.observe(x.slice(x.size() / 2, 1), Vector::Constant(1, known));
  constexpr int kTimes = 3;
  double suggesting = 0.0;
  double recommending = 0.0;
  Recommendation best;
  policy.best();  // what is set up once is set up
  Rng rng(6);
  for (int i = 0; i < kTimes; ++i) {  // after one more answer each time, as a recommendation is kept until then
    answer(policy, policy.suggest().queries, rng);
    policy.finite();
    suggesting += seconds([&] { policy.suggest(); }) / kTimes;
    recommending += seconds([&] { best = policy.best(); }) / kTimes;
  }
  check(recommending > 1e-5, "a recommendation takes time");
  constexpr Index kPlain = 400;
  const double plain = plain_probability(policy, *best.row, kPlain);
  const double error = std::sqrt(std::max(plain * (1.0 - plain), 0.01) / kPlain);
  check(std::abs(best.probability - plain) < 4.5 * std::hypot(error, 0.025), "probability of being the best");
  std::printf(
      "%s after %td answers: %s\n  probability %.3f, by %td plain paths %.3f +- %.3f; suggestion %.1f ms, best %.1f "
      "ms\n",
      name, answers, policy.finite()->description().c_str(), best.probability, kPlain, plain, error, 1e3 * suggesting,
      1e3 * recommending);
  report("  best / suggestion by cmes", recommending / suggesting, 1.0, "times");
}

void recommend_part() {
  const Smooth smooth(1000);
  for (const Index t : {10, 100}) recommend_case("smooth, 2,500 x 2,500", of(smooth), t);
  const Rough rough(100, 50, 1500, 0.0);
  for (const Index t : {10, 150}) recommend_case("rough, 5,000 x 1,500", of(rough), t);
  for (const double known : {4.0, 4.5}) recommend_case("rough, one high cell,", of(rough), 150, known);
  const Rough large(200, 100, 4000, 0.0);
  for (const Index t : {10, 150}) recommend_case("rough, 20,000 x 4,000", of(large), t);
}

// --- a batch against single suggestions ---

void batch_part() {
  const Smooth smooth(1000);
  const Rough rough(100, 50, 1500, 0.0);
  for (const auto& [name, setting] : {std::pair{"smooth", of(smooth)}, std::pair{"rough", of(rough)}})
    for (const PolicyKind kind : {PolicyKind::kCmes, PolicyKind::kCkg}) {
      Policy policy = told(setting, kind, 40);
      policy.suggest();
      Suggestion batch;
      double one = 0.0;
      double sixteen = 0.0;
      for (int i = 0; i < 3; ++i) {
        one += seconds([&] { policy.suggest(); });
        sixteen += seconds([&] { batch = policy.suggest(16); });
      }
      // One by one, the ones before being pending.
      Queries pending;
      for (Index j = 0; j < 16; ++j) pending = pending.joined(policy.suggest(1, pending).queries);
      check(pending.coordinates() == batch.queries.coordinates(), "a batch, against one after the other");
      std::printf("%s, %s: one %.1f ms\n", name, to_string(kind).c_str(), 1e3 * one / 3);
      report("  suggest(16) / suggest(1)", sixteen / one, 20.0, "times");
    }
}

// --- the loop of cmes ---

void cmes_part() {
  const Smooth smooth(1000);
  constexpr Index kSteps = 100;
  for (int repeat = 0; repeat < 3; ++repeat) {
    const double start = processor_time();
    Policy policy(of(smooth), by(PolicyKind::kCmes), 1);
    const double made = processor_time();
    policy.finite();
    const double set_up = processor_time();
    Rng rng(5);
    Queries asked;
    for (Index t = 0; t < kSteps; ++t) {
      const Queries a = policy.suggest().queries;
      asked = asked.joined(a);
      answer(policy, a, rng);
    }
    const double total = processor_time() - start;
    if (repeat == 0) check_against(policy.finite()->members().front(), policy.posterior());  // the kernel is given
    std::printf("cmes, 2,500 x 2,500, %td steps: %.3f s (policy %.3f, belief %.3f, steps %.3f); %s\n", kSteps, total,
                made - start, set_up - made, total - (set_up - start), policy.finite()->description().c_str());
  }
}

// --- the default ensemble against a point fit ---

// Both are told the same answers, and everything is fitted. A step is what one more answer costs: to absorb it, and to
// suggest the next query.
void members_case(const char* name, const Setting& setting, Index answers) {
  PolicyOptions options = by(PolicyKind::kAuto);
  Policy ensemble(setting, options, 1);
  options.members = 1;
  Policy point(setting, options, 1);
  const std::vector<Index> sizes = Policy::fit_sizes(answers);
  std::array<std::vector<double>, 2> ordinary, refit;
  Rng rng(5);
  for (Index t = 0; t < answers; ++t) {
    const bool fits = std::ranges::find(sizes, t) != sizes.end();
    Queries next;
    for (std::size_t which = 0; which < 2; ++which) {
      Policy& policy = which == 0 ? ensemble : point;
      const double time = seconds([&] { next = policy.suggest().queries; });
      if (t >= answers / 3) (fits ? refit : ordinary)[which].push_back(time);
    }
    const Vector z = Vector::Constant(1, truth(next, 0) + std::sqrt(kNoiseVar) * rng.normal());
    for (Policy* policy : {&ensemble, &point}) policy->observe(next, z);
  }
  std::printf("%s, auto, %td answers; with an ensemble: %s\n", name, answers, ensemble.finite()->description().c_str());
  for (const auto& [what, times] :
       {std::pair{"an ordinary suggestion", ordinary}, std::pair{"one that refits", refit}}) {
    std::printf("  %s: %.1f ms by %zu members, %.1f ms by a point fit\n", what, 1e3 * median(times[0]),
                ensemble.finite()->members().size(), 1e3 * median(times[1]));
    report("    ratio", median(times[0]) / median(times[1]), 2.5, "times");
  }
}

void members_part() {
  const Smooth smooth(1000);
  Setting setting = of(smooth);
  setting.kernel = nullptr;
  setting.noise_var = std::nullopt;
  members_case("smooth, 2,500 x 2,500, learned", setting, 60);
  setting.conditional = GaussianConditional(QueryMap::identity(2), 0.05).clone();
  members_case("smooth, 2,500 x 2,500, windows", setting, 60);
  const Rough rough(50, 50, 1500, 0.0);
  setting = of(rough);
  setting.kernel = nullptr;
  setting.noise_var = std::nullopt;
  members_case("2,500 cells in 1,500 bags", setting, 60);
}

// For bench/peers/cmes_loop.py: the problem, 100 answers, what is believed after them and the scores for some f*.
void write_problem(const std::string& folder) {
  const Smooth smooth(1000);
  Policy policy = told(of(smooth), PolicyKind::kCmes, 100);
  const FiniteBelief& belief = policy.finite()->members().front();
  check_against(belief, policy.posterior());
  const auto write = [&](const char* name, const auto& values) {
    std::ofstream out(folder + "/" + name + ".bin", std::ios::binary);
    for (Index i = 0; i < values.rows(); ++i)
      for (Index j = 0; j < values.cols(); ++j) {
        const double value = values(i, j);
        out.write(reinterpret_cast<const char*>(&value), sizeof value);
      }
  };
  const Inputs& support = *smooth.conditional.support();
  const Posterior& posterior = policy.posterior();
  Vector query(posterior.size());
  const QuerySet listed(smooth.a);
  for (Index i = 0; i < query.size(); ++i) query[i] = static_cast<double>(*listed.find(posterior.queries().row(i)));
  Vector mean(belief.x().size() + belief.a().size()), var(mean.size());
  mean << belief.f().mean, belief.g().mean;
  var << belief.f().var, belief.g().var;
  const Vector fstar = Vector::LinSpaced(kPaths, belief.f().mean.maxCoeff() + 0.1, belief.f().mean.maxCoeff() + 1.0);
  write("support", support.coordinates());
  write("weights", smooth.conditional.average(smooth.a, Matrix::Identity(support.size(), support.size())));
  write("query", query);
  write("z", posterior.z());
  write("mean", mean);
  write("var", var);
  write("fstar", fstar);
  write("log_scores",
        Cmes(fstar, kFloor)
            .score({belief.g().mean, belief.g().var, Vector::Zero(belief.a().size())}, Matrix(0, belief.a().size())));
}

void one_loop() {
  const Smooth smooth(1000);
  const double time = seconds([&] { told(of(smooth), PolicyKind::kCmes, 100); });
  std::printf("{\"seconds\": %.6f}\n", time);
}

// --- continua ---

double branin(double u, double v) {
  constexpr double kPi = 3.14159265358979323846;
  const double x = 15.0 * u - 5.0, y = 15.0 * v;
  const double bowl = y - 5.1 / (4.0 * kPi * kPi) * x * x + 5.0 / kPi * x - 6.0;
  return -(bowl * bowl + 10.0 * (1.0 - 1.0 / (8.0 * kPi)) * std::cos(x) + 10.0);
}
constexpr double kBraninTop = -0.39788735772973816;

struct Run {
  double total = 0.0;
  double fits = 0.0;
  Index fit_count = 0;
  double regret = 0.0;
  double median_ask = 0.0;
};

enum class Given { kNothing, kNoise, kKernel };

template <class F>
Run on_box(Index d, const F& f, double top, PolicyKind kind, Index initial, Index steps, std::uint64_t seed,
           Given given) {
  Setting setting{InputBox(Vector::Zero(d), Vector::Ones(d)), QueryBox(Vector::Zero(d), Vector::Ones(d)),
                  GaussianConditional(QueryMap::identity(d), 0.0).clone()};
  PolicyOptions options;
  options.policy = kind;
  options.initial = initial;
  if (given == Given::kNoise) setting.noise_var = 1e-8;
  if (given == Given::kKernel) {
    setting.kernel = Matern52(1.0, Vector::Constant(d, 0.5 * std::sqrt(static_cast<double>(d)))).clone();
    setting.noise_var = 1e-6;
  }
  Run out;
  double best = -1e300;
  std::vector<double> asks;
  std::set<std::int64_t> fitted_on;
  const double start = processor_time();
  Policy policy(setting, options, seed);
  for (Index t = 0; t < initial + steps; ++t) {
    // The fit that the next suggestion would make; a plain policy fits only its own model. None in the initial design.
    if (given != Given::kKernel && t >= initial) {
      std::optional<Hyperparameters> fit;
      out.fits += seconds([&] { fit = is_plain(kind) ? policy.plain_hyperparameters() : policy.hyperparameters(); });
      if (fit) fitted_on.insert(fit->observations);
    }
    Queries a;
    const double ask = seconds([&] { a = policy.suggest().queries; });
    if (t >= initial) asks.push_back(ask);
    const Vector z = Vector::Constant(1, f(a.row(0)));
    best = std::max(best, z[0]);
    policy.observe(a, z);
  }
  out.total = processor_time() - start;
  out.fit_count = static_cast<Index>(fitted_on.size());
  out.regret = top - best;
  out.median_ask = median(asks);
  return out;
}

void branin_case(PolicyKind kind, Given given, std::uint64_t seeds) {
  const auto f = [](const auto& a) { return branin(a[0], a[1]); };
  std::vector<double> regret, total, rest;
  Run last;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    last = on_box(2, f, kBraninTop, kind, 10, 50, seed, given);
    regret.push_back(last.regret);
    total.push_back(last.total);
    rest.push_back(last.total - last.fits);
  }
  check(median(regret) > -1e-9 && median(regret) < 0.01, "Branin");
  std::printf("Branin, point queries, 10 + 50, %s, %s, %td seeds, %td fits each\n", to_string(kind).c_str(),
              given == Given::kNoise ? "noise sd 1e-4 given" : "all fitted", static_cast<std::ptrdiff_t>(seeds),
              last.fit_count);
  if (kind == PolicyKind::kEi || kind == PolicyKind::kEiG) report("  median regret", median(regret), 1e-6, "");
  report("  processor time, fits included", median(total), 0.2, "s");
  report("  without fits", median(rest), 0.2, "s");
}

void branin_part() {
  for (const Given given : {Given::kNothing, Given::kNoise}) branin_case(PolicyKind::kEi, given, 10);
  branin_case(PolicyKind::kEiG, Given::kNothing, 10);
  for (const PolicyKind kind : {PolicyKind::kCmes, PolicyKind::kAuto}) branin_case(kind, Given::kNothing, 2);
}

void ten_part() {
  const auto f = [](const auto& a) { return -(a.array() - 0.4).square().sum() + 0.1 * std::cos(9.0 * a[0]); };
  for (const PolicyKind kind : {PolicyKind::kEiG, PolicyKind::kCmes, PolicyKind::kAuto}) {
    const Run run = on_box(10, f, 0.1, kind, 30, 40, 1, Given::kKernel);
    check(run.regret > 0.0 && run.regret < 0.4, "d = 10");  // random points are about 1 below
    std::printf("d = 10, %s, kernel given, 30 + 40: best seen %.3g below a bound\n", to_string(kind).c_str(),
                run.regret);
    report("  a median ask", run.median_ask, 0.2, "s");
  }
}

// The average of exp(-8 |x - 0.4|^2) over the box of this centre and half-width.
template <class Centre>
double over_box(const Centre& centre, double half) {
  constexpr double kRoot = 2.8284271247461903;  // sqrt(8)
  double out = 1.0;
  for (Index c = 0; c < centre.size(); ++c)
    out *= (std::erf(kRoot * (centre[c] - 0.4 + half)) - std::erf(kRoot * (centre[c] - 0.4 - half))) *
           std::sqrt(std::acos(-1.0)) / (4.0 * kRoot * half);
  return out;
}

// Everything fitted, queries a continuum of centres and half-widths.
void windows_case(Index d, Index answers) {
  Vector low = Vector::Zero(d + 1), high = Vector::Ones(d + 1);
  low[d] = 0.05, high[d] = 0.3;
  std::vector<Index> centre(static_cast<std::size_t>(d));
  std::iota(centre.begin(), centre.end(), Index{0});
  const std::vector<Index> width(static_cast<std::size_t>(d), d);
  const Setting setting{InputBox(Vector::Zero(d), Vector::Ones(d)), QueryBox(low, high),
                        UniformConditional(QueryMap::columns(centre), QueryMap::columns(width)).clone()};
  Rng rng(4);
  Rows at(answers, d + 1);
  Vector z(answers);
  for (Index i = 0; i < answers; ++i) {
    for (Index c = 0; c <= d; ++c) at(i, c) = low[c] + (high[c] - low[c]) * rng.uniform();
    z[i] = over_box(at.row(i).head(d), at(i, d)) + 0.02 * rng.normal();
  }
  Policy policy(setting, {}, 4);
  policy.observe(Queries(at), z);
  const double fit = seconds([&] { policy.hyperparameters(); });
  const Ensemble& belief = policy.belief();
  const Inputs x(Rows(at.leftCols(d)));
  const auto both = belief.outlook(belief.references(x), Queries(at));
  check(distance(both.fg_cov, belief.fg_cov(x, Queries(at))) < 1e-9, "windows");
  check(distance(both.g.mean, z) < 0.2, "windows: what was answered");
  const double ask = seconds([&] { policy.suggest(); });
  const double best = seconds([&] { policy.best(); });
  std::printf("windows of free centre and width in %td dimensions, %td answers, all fitted (%.2f s)\n",
              static_cast<std::ptrdiff_t>(d), static_cast<std::ptrdiff_t>(answers), fit);
  report("  an ask", ask, 0.5, "s");
  report("  best", best, 0.5, "s");
}

void windows_part() {
  windows_case(1, 21);
  windows_case(2, 30);
  windows_case(3, 33);
}

}  // namespace
}  // namespace iqbo::bench

int main(int argc, char** argv) {
  using namespace iqbo::bench;
  if (argc == 3 && std::string(argv[1]) == "--problem") return write_problem(argv[2]), 0;
  if (argc == 2 && std::string(argv[1]) == "--loop") return one_loop(), 0;
  const std::string part = argc == 3 && std::string(argv[1]) == "--run" ? argv[2] : "";
  if (part.empty() || part == "recommend") recommend_part();
  if (part.empty() || part == "batch") batch_part();
  if (part.empty() || part == "cmes") cmes_part();
  if (part.empty() || part == "members") members_part();
  if (part.empty() || part == "branin") branin_part();
  if (part.empty() || part == "ten") ten_part();
  if (part.empty() || part == "windows") windows_part();
  return 0;
}
