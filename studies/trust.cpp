// What can a user rely on who takes every default: regret, intervals and probabilities at the end of the budget?
//
// For each family of trust_families.hpp, and each variant of the policy on the same draws:
//
//   regret       max f - f(recommended), in units of the range of f; and less that of the first variant
//   covers       whether the stated 95 % interval holds f at the recommended input, with Jeffreys' 95 % interval
//   above        share of runs in which f there is above the interval
//   width        median width of the interval in sds of f over X
//   all x        share of X within m +- 1.96 sd
//   max above    share of runs in which max f is above the interval
//   stated, right   mean stated probability that the recommended input is the best, or where spots are searched for, best to
//                within the tolerance that is stated with it; how often it is; and how often where .95 or more is stated
//   suggest, refit, best   CPU milliseconds: the median suggestion of a run, its slowest (which fitted anew), best();
//                medians over runs
//
//   trust [--draws 40] [--seed 1] [--set dev|held-out|all] [--only TEXT] [--variants default,random] [--csv FILE]
//         [--fields build/fields]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <stdexcept>

#include "core/parallel.hpp"
#include "coverage.hpp"
#include "study.hpp"
#include "trust_families.hpp"

namespace {

using namespace iqbo;  // a program, not a header

// ---- what is compared: add a line to compare another way of running a study ----

struct Variant {
  std::string name;
  PolicyOptions options = {};
  std::vector<Link> links = {};
};

std::vector<Variant> all_variants() {
  std::vector<Variant> out{{"default"}};
  for (const int members : {1, 2, 8, 16}) {  // 1: a point fit
    out.push_back({members == 1 ? "point" : "members-" + std::to_string(members)});
    out.back().options.members = members;
  }
  for (const char* name : {"matern12", "matern32", "rbf"}) {  // one structure, as somebody would give it who knows f
    out.push_back({std::string("only-") + name});
    out.back().options.fit.families = {name};
    out.back().options.fit.ard = false;
    out.back().options.fit.nugget = false;
    out.back().options.members = 1;
  }
  out.push_back({"no-spots"});
  out.back().options.spots = SpotSearch::kOff;
  out.push_back({"links", {}, {Link::kIdentity, Link::kLog}});  // whichever has the larger evidence
  out.push_back({"log", {}, {Link::kLog}});
  for (const PolicyKind kind : all_policies()) {  // by their names: random, ckg, cjes, ...
    if (kind == PolicyKind::kAuto || kind == PolicyKind::kLevelSet) continue;
    out.push_back({to_string(kind)});
    out.back().options.policy = kind;
  }
  return out;
}

// ---- one run ----

struct Run {
  double regret = 0;                                                        // in units of the range of f
  double mean = 0, sd = 0, low = 0, high = 0, at = 0, max = 0, spread = 0;  // at: f there; spread: sd of f over X
  double cells = 0;                                                         // share of X in its interval
  double probability = 0, suggest_seconds = 0, refit_seconds = 0, best_seconds = 0, all_seconds = 0;
  std::string family = {};  // of the kernel that was fitted
  double stretch = 1;       // largest over smallest lengthscale
  double white = 0;         // share of the variance of f that is nugget
  double noise = 0;         // fitted over true sd

  bool covered() const { return low <= at && at <= high; }
  double tolerance = 0;  // of the stated probability; 0: of being the maximiser

  bool right() const { return at >= max - tolerance; }
};

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Call>
auto timed(double& seconds, const Call& call) {
  const double begin = cpu_seconds();
  auto out = call();
  seconds = cpu_seconds() - begin;
  return out;
}

double median(std::vector<double> values) {
  if (values.empty()) return std::nan("");
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

double share_covered(const Marginals& belief, const Vector& f) {
  const Vector sd = belief.var.cwiseMax(0.0).cwiseSqrt();
  return ((f - belief.mean).array().abs() <= 1.96 * sd.array()).cast<double>().mean();
}

void describe_fit(Policy& policy, double noise_sd, Run& out) {
  const auto& fitted = policy.hyperparameters();
  if (!fitted || !fitted->variance) return;
  out.family = fitted->family;
  const Vector scales = values_of(fitted->lengthscale);
  if (scales.size() > 0) out.stretch = scales.maxCoeff() / scales.minCoeff();
  const double nugget = fitted->nugget ? fitted->nugget->value : 0.0;
  out.white = nugget / (nugget + fitted->variance->value);
  if (fitted->noise_var) out.noise = std::sqrt(fitted->noise_var->value) / noise_sd;
}

// The noise of the n-th answer depends on the seed and on n alone: variants are compared on equal terms.
Run run(const study::TrustCase& problem, const Variant& variant, std::uint64_t seed) {
  const internal::Alone alone;  // runs are many at a time, and their CPU time is measured
  Setting setting = problem.setting;
  setting.links = variant.links;
  Policy policy(setting, variant.options, seed);
  std::vector<double> seconds;
  for (Index t = 1; t <= problem.budget; ++t) {
    const Suggestion next = timed(seconds.emplace_back(), [&] { return policy.suggest(); });
    Rng noise(seed, {1000, static_cast<std::uint64_t>(t)});
    const double z = problem.g(next.queries) + problem.noise_sd * noise.normal();
    policy.observe(next.queries, Vector::Constant(1, z));
  }
  Run out;
  const Recommendation best = timed(out.best_seconds, [&] { return policy.best(); });
  out.suggest_seconds = median(seconds);
  out.refit_seconds = *std::max_element(seconds.begin(), seconds.end());
  out.all_seconds = std::accumulate(seconds.begin(), seconds.end(), out.best_seconds);
  out.mean = best.mean, out.sd = best.sd, out.low = best.low, out.high = best.high;
  out.probability = best.probability;
  out.tolerance = best.tolerance;
  out.at = problem.f[*best.row];
  out.max = problem.f.maxCoeff();
  out.regret = (out.max - out.at) / (out.max - problem.f.minCoeff());
  out.spread = study::trust::sd_of(problem.f);
  out.cells = share_covered(policy.rates_f(std::get<InputSet>(problem.setting.targets).points()), problem.f);
  describe_fit(policy, problem.noise_sd, out);
  return out;
}

// ---- the table ----

template <class Value>
std::vector<double> each(const std::vector<Run>& runs, const Value& value) {
  std::vector<double> out(runs.size());
  std::transform(runs.begin(), runs.end(), out.begin(), [&](const Run& r) { return static_cast<double>(value(r)); });
  return out;
}

template <class Value>
double mean(const std::vector<Run>& runs, const Value& value) {
  return study::summarise(each(runs, value)).mean;
}

std::string of_the_sure(const std::vector<Run>& runs) {
  int sure = 0;
  int right = 0;
  for (const Run& r : runs)
    if (r.probability >= 0.95) {
      ++sure;
      right += r.right() ? 1 : 0;
    }
  return std::to_string(right) + " of " + std::to_string(sure);
}

void print_head(const study::TrustFamily& family, const study::TrustCase& example) {
  std::printf("\n**%s** (%s, %s; first draw: %ld cells, %ld queries, %ld answers)\n\n", family.name.c_str(),
              family.real() ? "real" : "synthetic", family.held_out ? "held out" : "dev",
              static_cast<long>(example.f.size()), static_cast<long>(example.queries),
              static_cast<long>(example.budget));
  std::printf(
      "| variant | regret | less the first | covers | above | width | all x | max above | stated | right | sure and "
      "right | suggest | refit | best |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
}

void print_row(const std::string& name, const std::vector<Run>& runs, const std::vector<Run>& first) {
  const auto regret = study::summarise(each(runs, [](const Run& r) { return r.regret; }));
  std::vector<double> difference;
  for (std::size_t d = 0; d < runs.size(); ++d) difference.push_back(runs[d].regret - first[d].regret);
  const auto less = study::summarise(difference);
  std::printf(
      "| %s | %.3f +- %.3f | %+.3f +- %.3f | %s | %.2f | %.2f | %.3f | %.2f | %.2f | %.2f | %s | %.1f | %.1f | %.1f "
      "|\n",
      name.c_str(), regret.mean, regret.se, less.mean, less.se,
      study::with_jeffreys(each(runs, [](const Run& r) { return r.covered(); })).c_str(),
      mean(runs, [](const Run& r) { return r.at > r.high; }),
      median(each(runs, [](const Run& r) { return (r.high - r.low) / r.spread; })),
      mean(runs, [](const Run& r) { return r.cells; }), mean(runs, [](const Run& r) { return r.max > r.high; }),
      mean(runs, [](const Run& r) { return r.probability; }), mean(runs, [](const Run& r) { return r.right(); }),
      of_the_sure(runs).c_str(), 1e3 * median(each(runs, [](const Run& r) { return r.suggest_seconds; })),
      1e3 * median(each(runs, [](const Run& r) { return r.refit_seconds; })),
      1e3 * median(each(runs, [](const Run& r) { return r.best_seconds; })));
  std::fflush(stdout);
}

// ---- one row a run, for comparisons in pairs ----

class Table {
 public:
  explicit Table(const std::string& file) {
    if (file.empty()) return;
    out_.open(file);
    if (!out_) throw std::runtime_error("cannot write " + file);
    out_ << "family,set,real,variant,seed,cells,queries,budget,noise_sd,regret,covered,above,below,width,cells_covered,"
            "max_above,probability,right,mean,sd,low,high,f,f_max,f_sd,kernel,stretch,white,noise_ratio,suggest_s,"
            "refit_s,best_s,all_s\n";
    out_.precision(9);
  }

  void add(const study::TrustFamily& family, const study::TrustCase& problem, const std::string& variant,
           std::uint64_t seed, const Run& r) {
    if (!out_.is_open()) return;
    out_ << family.name << ',' << (family.held_out ? "held-out" : "dev") << ',' << family.real() << ',' << variant
         << ',' << seed << ',' << problem.f.size() << ',' << problem.queries << ',' << problem.budget << ','
         << problem.noise_sd << ',' << r.regret << ',' << r.covered() << ',' << (r.at > r.high) << ',' << (r.at < r.low)
         << ',' << (r.high - r.low) / r.spread << ',' << r.cells << ',' << (r.max > r.high) << ',' << r.probability
         << ',' << r.right() << ',' << r.mean << ',' << r.sd << ',' << r.low << ',' << r.high << ',' << r.at << ','
         << r.max << ',' << r.spread << ',' << r.family << ',' << r.stretch << ',' << r.white << ',' << r.noise << ','
         << r.suggest_seconds << ',' << r.refit_seconds << ',' << r.best_seconds << ',' << r.all_seconds << '\n';
    out_.flush();
  }

 private:
  std::ofstream out_;
};

// ---- the command line ----

struct Options {
  study::Arguments usual;
  std::string set = "dev";
  std::vector<Variant> variants = {};
  std::string csv = {};
  std::string fields = {};

  bool wants(const study::TrustFamily& family) const {
    return usual.wants(family.name) && (set == "all" || (set == "held-out") == family.held_out);
  }
};

[[noreturn]] void stop(const std::string& why) {
  std::fprintf(stderr, "trust: %s\n", why.c_str());
  std::exit(2);
}

std::vector<Variant> chosen_variants(const std::string& names) {
  std::vector<Variant> out;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    const std::string name = names.substr(begin, end - begin);
    const auto all = all_variants();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Variant& v) { return v.name == name; });
    if (found == all.end()) {
      std::string why = "--variants: there is no '" + name + "' among";
      for (const Variant& v : all) why += " " + v.name;
      stop(why);
    }
    out.push_back(*found);
    begin = end + 1;
  }
  return out;
}

// Takes its own options; the rest is for study::parse().
Options parse(int argc, char** argv) {
  std::map<std::string, std::string> own{
      {"--set", "dev"}, {"--variants", "default,random"}, {"--csv", ""}, {"--fields", "build/fields"}};
  std::vector<char*> rest{argv[0]};
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--help") == 0)
      std::printf("%s [--set dev|held-out|all] [--variants default,random] [--csv FILE] [--fields build/fields], and\n",
                  argv[0]);
    const auto found = own.find(argv[i]);
    if (found == own.end()) {
      rest.push_back(argv[i]);
    } else {
      if (i + 1 == argc) stop(found->first + " needs a value");
      found->second = argv[++i];
    }
  }
  const std::string& set = own["--set"];
  if (set != "dev" && set != "held-out" && set != "all") stop("--set is '" + set + "', not dev, held-out or all");
  return {study::parse(static_cast<int>(rest.size()), rest.data(), 40, true), set, chosen_variants(own["--variants"]),
          own["--csv"], own["--fields"]};
}

void study_family(const study::TrustFamily& family, const Options& options, Table& table) {
  const auto seed_of = [&](int d) { return options.usual.seed * 100000 + static_cast<std::uint64_t>(d); };
  print_head(family, family.make(seed_of(0)));
  std::vector<Run> first;
  for (const Variant& variant : options.variants) {
    std::vector<Run> runs(static_cast<std::size_t>(options.usual.draws));
    study::parallel(options.usual.draws, family.name + ", " + variant.name, [&](int d) {
      runs[static_cast<std::size_t>(d)] = run(family.make(seed_of(d)), variant, seed_of(d));
    });
    if (first.empty()) first = runs;
    print_row(variant.name, runs, first);
    for (int d = 0; d < options.usual.draws; ++d)
      table.add(family, family.make(seed_of(d)), variant.name, seed_of(d), runs[static_cast<std::size_t>(d)]);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  const Options options = parse(argc, argv);
  Table table(options.csv);
  for (const study::TrustFamily& family : study::trust_families(options.fields)) {
    if (!options.wants(family)) continue;
    if (family.real() && !std::filesystem::exists(family.file))
      std::fprintf(stderr, "trust: %s is left out: there is no %s; ./dev fields makes it\n", family.name.c_str(),
                   family.file.c_str());
    else
      study_family(family, options, table);
  }
} catch (const std::exception& error) {
  stop(error.what());
}
