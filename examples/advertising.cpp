// Clicks come back by platform, never by person: which people click most?
//
// 120 audience segments, age by interest, each with a click rate that nobody reports. Eighteen placements on four platforms can
// be bought; each reaches segments in known proportions (the platform's own audience report), and what comes back is one line:
// clicks among impressions. A wave of ads costs money, so there are 24 of them. Rates are below 3 %, so answers are counts, f = exp(eta),
// and the kernel is fitted.
//
//   advertising DIR    prints the story and writes DIR/advertising_segments.csv and advertising_waves.csv for advertising_plot.py
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <random>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/likelihood/likelihood.hpp"
#include "iqbo/policy/policy.hpp"

namespace {

using iqbo::Index;
using iqbo::Vector;

constexpr Index kAges = 10, kInterests = 12;  // 18-22, 23-27, ...; sport, news, cooking, ...
constexpr int kWaves = 24;
constexpr double kImpressions = 20000.0;

// Neighbouring bands are alike: age and interest in units of a band.
iqbo::Inputs segments() {
  return iqbo::InputBox(Vector{{0.0, 0.0}}, Vector{{kAges - 1.0, kInterests - 1.0}}).grid({kAges, kInterests});
}

double bump(double u, double v, double cu, double cv, double su, double sv) {
  return std::exp(-0.5 * (std::pow((u - cu) / su, 2) + std::pow((v - cv) / sv, 2)));
}

// Click rate of each segment: the young click on everything a little, a niche in its fifties on one thing a lot.
Vector click_rates(const iqbo::Inputs& x) {
  Vector out(x.size());
  for (Index i = 0; i < x.size(); ++i)
    out[i] = 0.004 + 0.008 * bump(x.row(i)[0], x.row(i)[1], 1.0, 4.0, 2.0, 4.0) +
             0.020 * bump(x.row(i)[0], x.row(i)[1], 7.0, 8.5, 1.0, 1.2);
  return out;
}

struct Placement {
  const char* platform;
  const char* name;
  double age, interest, age_spread, interest_spread;
  double everybody;  // share of impressions that reach anybody at all
};

// Four platforms: a search engine that knows interests, a network that knows ages, a streaming service, and a news site.
std::vector<Placement> placements() {
  std::vector<Placement> out;
  for (const double interest : {1.0, 3.5, 6.0, 8.5, 11.0})
    out.push_back({"search", "keywords", 4.5, interest, 4.0, 0.9, 0.1});
  for (const double age : {0.5, 2.5, 4.5, 6.5, 8.5}) out.push_back({"network", "age group", age, 5.5, 0.8, 6.0, 0.1});
  for (const double age : {1.0, 5.0, 8.0})
    for (const double interest : {3.0, 9.0}) out.push_back({"streaming", "shows", age, interest, 1.5, 2.0, 0.2});
  out.push_back({"news", "front page", 6.0, 2.0, 3.0, 3.0, 0.5});
  out.push_back({"news", "weekend", 7.0, 8.0, 2.5, 2.5, 0.4});
  return out;
}

iqbo::BagConditional audience(const iqbo::Inputs& x, const std::vector<Placement>& bought) {
  std::vector<iqbo::BagRow> rows;
  for (std::size_t b = 0; b < bought.size(); ++b) {
    const Placement& p = bought[b];
    Vector share(x.size());
    for (Index i = 0; i < x.size(); ++i)
      share[i] = bump(x.row(i)[0], x.row(i)[1], p.age, p.interest, p.age_spread, p.interest_spread);
    share = ((1.0 - p.everybody) * share / share.sum()).array() + p.everybody / static_cast<double>(x.size());
    for (Index i = 0; i < x.size(); ++i) rows.push_back({static_cast<Index>(b), i, share[i]});
  }
  return iqbo::BagConditional(x, rows);
}

std::ofstream csv(const std::filesystem::path& path, const char* head) {
  std::ofstream out(path);
  if (!out) throw std::runtime_error("cannot write " + path.string());
  out << head << '\n';
  return out;
}

// The segment whose best placement had the best rate: what one would do without asking who saw the ads.
Index by_placement(const std::vector<double>& clicks, const std::vector<double>& shown,
                   const iqbo::BagConditional& audience) {
  std::size_t best = 0;
  for (std::size_t b = 0; b < clicks.size(); ++b)
    if (shown[b] > 0.0 && (shown[best] == 0.0 || clicks[b] / shown[b] > clicks[best] / shown[best])) best = b;
  Index most = 0;
  Vector(audience.weight().row(static_cast<Index>(best))).maxCoeff(&most);
  return most;
}

void run(const std::filesystem::path& directory) {
  const iqbo::Inputs x = segments();
  const Vector rate = click_rates(x);
  const std::vector<Placement> bought = placements();
  const iqbo::BagConditional seen_by = audience(x, bought);
  const Vector average = seen_by.average(seen_by.queries(), rate).col(0);

  iqbo::Setting setting{iqbo::InputSet(x), iqbo::QuerySet(seen_by.queries()), seen_by};
  setting.likelihood = iqbo::binomial_answers();
  setting.exposure = [](const iqbo::Queries& a) { return Vector(Vector::Constant(a.size(), kImpressions)); };
  iqbo::Policy policy(setting, {}, 1);

  iqbo::Rng rng(5);
  std::vector<double> clicks(bought.size(), 0.0), shown(bought.size(), 0.0);
  auto waves = csv(directory / "advertising_waves.csv", "wave,placement,clicks,impressions");
  std::printf("wave  platform   placement    clicks of %.0f\n", kImpressions);
  for (int wave = 1; wave <= kWaves; ++wave) {
    const Index b = policy.suggest().rows.at(0);
    const auto at = static_cast<std::size_t>(b);
    std::mt19937_64 engine(static_cast<std::uint64_t>(rng.below(1 << 30)));
    const auto count =
        static_cast<double>(std::binomial_distribution<int>(static_cast<int>(kImpressions), average[b])(engine));
    policy.observe(seen_by.queries().slice(b, 1), {iqbo::Count{count, kImpressions}});
    clicks[at] += count;
    shown[at] += kImpressions;
    std::printf("%4d  %-9s  %-11s  %6.0f\n", wave, bought[at].platform, bought[at].name, count);
    waves << wave << ',' << b << ',' << count << ',' << kImpressions << '\n';
  }

  const iqbo::Recommendation best = policy.best();
  const Index row = *best.row, naive = by_placement(clicks, shown, seen_by);
  Index most = 0;
  rate.maxCoeff(&most);
  const auto segment = [&](Index i) {
    std::printf("age %2d to %2d, interest %2d: in truth %.1f %%\n", 18 + 5 * static_cast<int>(x.row(i)[0]),
                22 + 5 * static_cast<int>(x.row(i)[0]), static_cast<int>(x.row(i)[1]) + 1, 100.0 * rate[i]);
  };
  std::printf("\nrecommended segment  ");
  segment(row);
  std::printf("                     believed %.1f %%, 95 %% interval %.1f to %.1f %%\n", 100.0 * best.mean,
              100.0 * best.low, 100.0 * best.high);
  std::printf("best of all          ");
  segment(most);
  std::printf("best placement's own ");
  segment(naive);

  const iqbo::Marginals f = policy.rates_f(x);
  auto out = csv(directory / "advertising_segments.csv", "age,interest,rate,mean,sd");
  for (Index i = 0; i < x.size(); ++i)
    out << x.row(i)[0] << ',' << x.row(i)[1] << ',' << rate[i] << ',' << f.mean[i] << ',' << std::sqrt(f.var[i])
        << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: advertising DIR    writes the waves and the segments there\n";
    return 2;
  }
  try {
    std::filesystem::create_directories(argv[1]);
    run(argv[1]);
  } catch (const std::exception& error) {
    std::cerr << "advertising: " << error.what() << '\n';
    return 1;
  }
}
