// Cases are counted by administrative unit: in which square kilometre is malaria worst?
//
// 576 pixels of 1 km, of which people live in most; 72 administrative units of uneven shape, each a bag of pixels weighted by population, as a census
// has them. A visit to a unit's clinics counts the cases of a month among its people: a Poisson count with the population as exposure.
// 40 visits can be paid for. What is sought is the pixel with the highest incidence, by a swamp where few people live.
//
//   malaria DIR    prints the story and writes DIR/malaria_pixels.csv and malaria_visits.csv for malaria_plot.py
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/likelihood/likelihood.hpp"
#include "iqbo/policy/policy.hpp"

namespace {

using iqbo::Index;
using iqbo::Vector;

constexpr Index kSide = 24, kUnits = 72;
constexpr int kVisits = 40;

struct Pixel {
  double east, north;  // km
  double people;
  double rate;  // cases per person and month
  Index unit;
};

double hill(double u, double v, double cu, double cv, double width) {
  return std::exp(-0.5 * ((u - cu) * (u - cu) + (v - cv) * (v - cv)) / (width * width));
}

// Units are the pixels nearest to their seats; seats crowd where people live.
std::vector<Pixel> country() {
  iqbo::Rng rng(11);
  std::vector<std::pair<double, double>> seats;
  while (static_cast<Index>(seats.size()) < kUnits) {
    const double u = kSide * rng.uniform(), v = kSide * rng.uniform();
    if (rng.uniform() < 0.5 + 0.5 * hill(u, v, 8.0, 8.0, 7.0)) seats.emplace_back(u, v);
  }
  std::vector<Pixel> out;
  for (Index i = 0; i < kSide * kSide; ++i) {
    Pixel p{static_cast<double>(i % kSide) + 0.5, static_cast<double>(i / kSide) + 0.5, 0.0, 0.0, 0};
    p.people = std::round(60.0 + 900.0 * hill(p.east, p.north, 8.0, 8.0, 4.0) +
                          700.0 * hill(p.east, p.north, 18.0, 12.0, 2.5) + 80.0 * rng.uniform());
    p.rate = 0.002 + 0.006 * hill(p.east, p.north, 6.0, 19.0, 4.0) + 0.022 * hill(p.east, p.north, 18.0, 5.0, 2.5);
    double nearest = 1e300;
    for (Index s = 0; s < kUnits; ++s) {
      const auto& [u, v] = seats[static_cast<std::size_t>(s)];
      const double apart = std::hypot(p.east - u, p.north - v);
      if (apart < nearest) nearest = apart, p.unit = s;
    }
    out.push_back(p);
  }
  return out;
}

iqbo::Inputs places(const std::vector<Pixel>& pixels) {
  iqbo::Rows out(static_cast<Index>(pixels.size()), 2);
  for (Index i = 0; i < out.rows(); ++i)
    out.row(i) << pixels[static_cast<std::size_t>(i)].east, pixels[static_cast<std::size_t>(i)].north;
  return iqbo::Inputs(std::move(out));
}

iqbo::BagConditional census(const iqbo::Inputs& x, const std::vector<Pixel>& pixels) {
  std::vector<iqbo::BagRow> rows;
  for (Index i = 0; i < x.size(); ++i)
    rows.push_back({pixels[static_cast<std::size_t>(i)].unit, i, pixels[static_cast<std::size_t>(i)].people});
  return iqbo::BagConditional(x, rows);
}

std::ofstream csv(const std::filesystem::path& path, const char* head) {
  std::ofstream out(path);
  if (!out) throw std::runtime_error("cannot write " + path.string());
  out << head << '\n';
  return out;
}

void say(const char* what, const Pixel& pixel) {
  std::printf("%-24s east %4.1f km, north %4.1f km: in truth %.1f cases per 1000\n", what, pixel.east, pixel.north,
              1000.0 * pixel.rate);
}

void run(const std::filesystem::path& directory) {
  const std::vector<Pixel> pixels = country();
  const iqbo::Inputs x = places(pixels);
  const iqbo::BagConditional units = census(x, pixels);
  Vector people = Vector::Zero(kUnits), expected = Vector::Zero(kUnits);
  for (const Pixel& p : pixels) {
    people[p.unit] += p.people;
    expected[p.unit] += p.people * p.rate;
  }

  iqbo::Setting setting{iqbo::InputSet(x), iqbo::QuerySet(units.queries()), units};
  setting.likelihood = iqbo::poisson_answers();
  setting.exposure = [people](const iqbo::Queries& a) {
    Vector out(a.size());
    for (Index i = 0; i < a.size(); ++i) out[i] = people[static_cast<Index>(a.row(i)[0])];
    return out;
  };
  iqbo::Policy policy(setting, {}, 1);

  iqbo::Rng rng(7);
  Vector cases = Vector::Zero(kUnits), seen = Vector::Zero(kUnits);
  auto visits = csv(directory / "malaria_visits.csv", "visit,unit,cases,people");
  std::printf("visit  unit  people  cases\n");
  for (int visit = 1; visit <= kVisits; ++visit) {
    const Index unit = policy.suggest().rows.at(0);
    std::mt19937_64 engine(static_cast<std::uint64_t>(rng.below(1 << 30)));
    const auto count = static_cast<double>(std::poisson_distribution<int>(expected[unit])(engine));
    policy.observe(units.queries().slice(unit, 1), {iqbo::Count{count, people[unit]}});
    cases[unit] += count;
    seen[unit] += people[unit];
    std::printf("%5d  %4d  %6.0f  %5.0f\n", visit, static_cast<int>(unit), people[unit], count);
    visits << visit << ',' << unit << ',' << count << ',' << people[unit] << '\n';
  }

  const iqbo::Recommendation best = policy.best();
  const auto by_rate = [](const Pixel& p, const Pixel& q) { return p.rate < q.rate; };
  std::printf("\n");
  say("recommended pixel", pixels[static_cast<std::size_t>(*best.row)]);
  std::printf("%-24s %.1f per 1000, 95 %% interval %.1f to %.1f\n", "  believed", 1000.0 * best.mean, 1000.0 * best.low,
              1000.0 * best.high);
  say("worst of all", *std::max_element(pixels.begin(), pixels.end(), by_rate));
  Index naive = 0, crowded = 0;
  Vector((seen.array() > 0.0).select(cases.array() / seen.array().max(1.0), 0.0)).maxCoeff(&naive);
  for (std::size_t i = 0; i < pixels.size(); ++i)
    if (pixels[i].unit == naive && (pixels[static_cast<std::size_t>(crowded)].unit != naive ||
                                    pixels[i].people > pixels[static_cast<std::size_t>(crowded)].people))
      crowded = static_cast<Index>(i);
  say("town of the worst unit", pixels[static_cast<std::size_t>(crowded)]);

  const iqbo::Marginals f = policy.rates_f(x);
  auto out = csv(directory / "malaria_pixels.csv", "east,north,people,unit,rate,mean,sd");
  for (Index i = 0; i < x.size(); ++i) {
    const Pixel& p = pixels[static_cast<std::size_t>(i)];
    out << p.east << ',' << p.north << ',' << p.people << ',' << p.unit << ',' << p.rate << ',' << f.mean[i] << ','
        << std::sqrt(f.var[i]) << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: malaria DIR    writes the visits and the pixels there\n";
    return 2;
  }
  try {
    std::filesystem::create_directories(argv[1]);
    run(argv[1]);
  } catch (const std::exception& error) {
    std::cerr << "malaria: " << error.what() << '\n';
    return 1;
  }
}
