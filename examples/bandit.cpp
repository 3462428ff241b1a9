// A bandit whose arms cannot be pulled: which article do readers stay with longest?
//
// A site shows one of twelve articles to each visitor. Which one is up to a recommender that is already in use and must not be touched; it draws
// by its own weights, which differ between sixteen entry pages. All that can be chosen is the entry page that a newsletter links to; what comes
// back a day later is one number, the mean minutes read by those who followed the link. The recommender's log says how often each
// page showed each article. Articles have nothing to do with each other, so the kernel is that of independent arms.
//
//   bandit DIR    prints the story and writes DIR/bandit_days.csv, bandit_arms.csv and bandit_log.csv for bandit_plot.py
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/policy/policy.hpp"

namespace {

using iqbo::Index;
using iqbo::Matrix;
using iqbo::Vector;

constexpr Index kArticles = 12, kPages = 16;
constexpr int kDays = 40;
constexpr Index kLogged = 6000;       // impressions in the log
constexpr double kVisitors = 1500.0;  // a day
constexpr double kVisitorSd = 3.0;    // minutes, of one visitor

// Minutes that readers stay with each article. The best one, the ninth, is shown rarely.
Vector minutes() { return Vector{{2.1, 2.9, 1.2, 3.0, 2.4, 1.8, 3.1, 2.2, 4.4, 2.6, 1.5, 2.8}}; }

// The recommender: each page has favourites; every article is shown now and then.
Matrix recommender() {
  Matrix out(kPages, kArticles);
  for (Index page = 0; page < kPages; ++page) {
    for (Index article = 0; article < kArticles; ++article) {
      const auto around = static_cast<double>((article + kArticles - page) % kArticles);
      out(page, article) = 0.02 + std::exp(-0.5 * std::pow(around / 2.0, 2)) + (article % 5 == page % 5 ? 0.6 : 0.0);
    }
    if (page != 6) out(page, 8) *= 0.3;  // only one page likes it
    out.row(page) /= out.row(page).sum();
  }
  return out;
}

Index drawn(const Matrix& shares, Index page, iqbo::Rng& rng) {
  double left = rng.uniform();
  for (Index article = 0; article + 1 < kArticles; ++article)
    if ((left -= shares(page, article)) <= 0.0) return article;
  return kArticles - 1;
}

std::ofstream csv(const std::filesystem::path& path, const char* head) {
  std::ofstream out(path);
  if (!out) throw std::runtime_error("cannot write " + path.string());
  out << head << '\n';
  return out;
}

// How often each page showed each article, as the log has it.
Matrix logged(const Matrix& shares, iqbo::Rng& rng) {
  Matrix out = Matrix::Zero(kPages, kArticles);
  for (Index i = 0; i < kLogged; ++i) {
    const Index page = rng.below(kPages);
    out(page, drawn(shares, page, rng)) += 1.0;
  }
  return out;
}

void run(const std::filesystem::path& directory) {
  const Vector reward = minutes();
  const Matrix shares = recommender();
  iqbo::Rng rng(4);
  const Matrix log = logged(shares, rng);
  const iqbo::Inputs arms = iqbo::Inputs::line(Vector::LinSpaced(kArticles, 1.0, kArticles));
  const iqbo::BagConditional pages(arms, iqbo::SparseRows(log.sparseView()),
                                   iqbo::Queries::line(Vector::LinSpaced(kPages, 1.0, kPages)));

  iqbo::Setting setting{iqbo::InputSet(arms), iqbo::QuerySet(pages.queries()), pages};
  setting.kernel = iqbo::Rbf(1.0, Vector{{0.1}});  // arms are a distance of 1 apart: independent
  setting.mean = iqbo::ConstantMean(2.5);
  setting.noise_var = kVisitorSd * kVisitorSd / kVisitors;
  iqbo::Policy policy(setting, {}, 1);

  Vector total = Vector::Zero(kPages), days = Vector::Zero(kPages);
  auto out = csv(directory / "bandit_days.csv", "day,page,minutes");
  std::printf("day  page  mean minutes\n");
  for (int day = 1; day <= kDays; ++day) {
    const Index page = policy.suggest().rows.at(0);
    const double z = shares.row(page).dot(reward) + std::sqrt(*setting.noise_var) * rng.normal();
    policy.observe(pages.queries().slice(page, 1), Vector::Constant(1, z));
    total[page] += z;
    days[page] += 1.0;
    std::printf("%3d  %4d  %12.2f\n", day, static_cast<int>(page) + 1, z);
    out << day << ',' << page + 1 << ',' << z << '\n';
  }

  const iqbo::Recommendation best = policy.best();
  Index top = 0, page = 0, favourite = 0;
  reward.maxCoeff(&top);
  Vector((days.array() > 0.0).select(total.array() / days.array().max(1.0), 0.0)).maxCoeff(&page);
  Vector(log.row(page).transpose()).maxCoeff(&favourite);
  std::printf("\nrecommended article       %2d: in truth %.1f minutes, believed %.1f, 95 %% interval %.1f to %.1f\n",
              static_cast<int>(*best.row) + 1, reward[*best.row], best.mean, best.low, best.high);
  std::printf("best of all               %2d: %.1f minutes\n", static_cast<int>(top) + 1, reward[top]);
  std::printf("favourite of the best page %d: in truth %.1f minutes\n", static_cast<int>(favourite) + 1,
              reward[favourite]);

  const iqbo::Marginals f = policy.posterior().f(arms);
  auto found = csv(directory / "bandit_arms.csv", "article,minutes,mean,sd");
  for (Index i = 0; i < kArticles; ++i)
    found << i + 1 << ',' << reward[i] << ',' << f.mean[i] << ',' << std::sqrt(f.var[i]) << '\n';
  auto shown = csv(directory / "bandit_log.csv", "page,article,shown");
  for (Index p = 0; p < kPages; ++p)
    for (Index i = 0; i < kArticles; ++i) shown << p + 1 << ',' << i + 1 << ',' << log(p, i) << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: bandit DIR    writes the days, the articles and the log there\n";
    return 2;
  }
  try {
    std::filesystem::create_directories(argv[1]);
    run(argv[1]);
  } catch (const std::exception& error) {
    std::cerr << "bandit: " << error.what() << '\n';
    return 1;
  }
}
