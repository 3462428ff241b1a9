// The dose that is prescribed is not the dose that is taken: which dose is best?
//
// Three clinics treat patients by their own protocols. In the first, patients take four fifths of what is prescribed, more or less; in the second many skip doses; the
// third halves the dose of patients with weak kidneys, every third one. Recovery is reported by clinic and prescribed dose only, as a count among a month's
// patients, because the outcomes of single patients are private. Blood samples of 300 earlier patients tell which dose was really taken under which
// prescription, so p(dose taken | clinic, dose prescribed) is learned from these pairs, the clinic as a category. Too much harms, so
// the recovery rate falls steeply above the best dose.
//
//   dose_trial DIR    prints the story and writes DIR/dose_trial_curve.csv, dose_trial_months.csv and dose_trial_pairs.csv for dose_trial_plot.py
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>

#include "iqbo/core/rng.hpp"
#include "iqbo/learned/learned.hpp"
#include "iqbo/likelihood/likelihood.hpp"
#include "iqbo/policy/policy.hpp"

namespace {

using iqbo::Index;
using iqbo::Rows;
using iqbo::Vector;

constexpr int kMonths = 30;
constexpr int kPatients = 80;  // of a clinic, a month
constexpr Index kPairs = 300;
const char* const kClinics[] = {"lower doses", "skips doses", "weak kidneys"};

// Recovery rate of patients who take this many mg: the effect saturates, harm begins at 70.
double recovery(double dose) {
  const double effect = 0.75 / (1.0 + std::exp(-(dose - 40.0) / 8.0));
  const double harm = 0.70 / (1.0 + std::exp(-(dose - 78.0) / 4.0));
  return std::clamp(0.15 + effect - harm, 0.02, 0.98);
}

// A patient of this clinic who was prescribed so much.
double taken(int clinic, double prescribed, iqbo::Rng& rng) {
  double share = (clinic == 0 ? 0.8 : 1.0) + 0.08 * rng.normal();
  if (clinic == 1) share = 0.65 + 0.18 * rng.normal();
  if (clinic == 2 && rng.uniform() < 1.0 / 3.0) share *= 0.5;
  return std::clamp(prescribed * share, 0.0, 120.0);
}

iqbo::Queries prescriptions() {
  Rows out(3 * 11, 2);
  for (Index i = 0; i < out.rows(); ++i)
    out.row(i) << static_cast<double>(i / 11), 20.0 + 10.0 * static_cast<double>(i % 11);
  return iqbo::Queries(std::move(out));
}

struct Pairs {
  iqbo::Inputs taken;
  iqbo::Queries prescribed;
};

Pairs blood_samples(const iqbo::Queries& all, iqbo::Rng& rng) {
  Rows x(kPairs, 1), a(kPairs, 2);
  for (Index i = 0; i < kPairs; ++i) {
    a.row(i) = all.coordinates().row(rng.below(all.size()));
    x(i, 0) = taken(static_cast<int>(a(i, 0)), a(i, 1), rng);
  }
  return {iqbo::Inputs(std::move(x)), iqbo::Queries(std::move(a))};
}

std::ofstream csv(const std::filesystem::path& path, const char* head) {
  std::ofstream out(path);
  if (!out) throw std::runtime_error("cannot write " + path.string());
  out << head << '\n';
  return out;
}

void run(const std::filesystem::path& directory) {
  const iqbo::Inputs doses = iqbo::Inputs::line(Vector::LinSpaced(61, 0.0, 120.0));
  const iqbo::Queries all = prescriptions();
  iqbo::Rng rng(2);
  const Pairs pairs = blood_samples(all, rng);
  iqbo::LearnedOptions options;
  options.domain = iqbo::InputSet(doses);
  options.categories = {0};
  const iqbo::LearnedConditional learned(pairs.taken, pairs.prescribed, options);

  iqbo::Setting setting{iqbo::InputSet(doses), iqbo::QuerySet(all), learned};
  setting.likelihood = iqbo::binomial_answers();
  setting.exposure = [](const iqbo::Queries& a) { return Vector(Vector::Constant(a.size(), kPatients)); };
  iqbo::Policy policy(setting, {}, 1);

  Vector recovered = Vector::Zero(all.size()), treated = Vector::Zero(all.size());
  auto months = csv(directory / "dose_trial_months.csv", "month,clinic,prescribed,recovered,patients");
  std::printf("month  clinic        prescribed  recovered of %d\n", kPatients);
  for (int month = 1; month <= kMonths; ++month) {
    const Index row = policy.suggest().rows.at(0);
    const auto clinic = static_cast<int>(all.row(row)[0]);
    const double prescribed = all.row(row)[1];
    int count = 0;
    for (int patient = 0; patient < kPatients; ++patient)
      count += rng.uniform() < recovery(taken(clinic, prescribed, rng)) ? 1 : 0;
    policy.observe(all.slice(row, 1), {iqbo::Count{static_cast<double>(count), static_cast<double>(kPatients)}});
    recovered[row] += count;
    treated[row] += kPatients;
    std::printf("%5d  %-12s  %7.0f mg  %9d\n", month, kClinics[clinic], prescribed, count);
    months << month << ',' << clinic << ',' << prescribed << ',' << count << ',' << kPatients << '\n';
  }

  const iqbo::Recommendation best = policy.best();
  Index naive = 0;
  Vector((treated.array() > 0.0).select(recovered.array() / treated.array().max(1.0), 0.0)).maxCoeff(&naive);
  double top = 0.0;
  for (const double dose : doses.coordinates().col(0))
    if (recovery(dose) > recovery(top)) top = dose;
  std::printf(
      "\nrecommended dose, taken     %3.0f mg: %.0f %% recover; believed %.0f %%, 95 %% interval %.0f to %.0f %%\n",
      best.x.row(0)[0], 100.0 * recovery(best.x.row(0)[0]), 100.0 * best.mean, 100.0 * best.low, 100.0 * best.high);
  std::printf("best of all                 %3.0f mg: %.0f %%\n", top, 100.0 * recovery(top));
  std::printf("best prescription, as taken %3.0f mg: %.0f %%\n", all.row(naive)[1],
              100.0 * recovery(all.row(naive)[1]));

  const iqbo::Marginals f = policy.rates_f(doses);
  auto curve = csv(directory / "dose_trial_curve.csv", "dose,rate,mean,sd");
  for (Index i = 0; i < doses.size(); ++i)
    curve << doses.row(i)[0] << ',' << recovery(doses.row(i)[0]) << ',' << f.mean[i] << ',' << std::sqrt(f.var[i])
          << '\n';
  auto out = csv(directory / "dose_trial_pairs.csv", "clinic,prescribed,taken");
  for (Index i = 0; i < kPairs; ++i)
    out << pairs.prescribed.row(i)[0] << ',' << pairs.prescribed.row(i)[1] << ',' << pairs.taken.row(i)[0] << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: dose_trial DIR    writes the months, the pairs and the curve there\n";
    return 2;
  }
  try {
    std::filesystem::create_directories(argv[1]);
    run(argv[1]);
  } catch (const std::exception& error) {
    std::cerr << "dose_trial: " << error.what() << '\n';
    return 1;
  }
}
