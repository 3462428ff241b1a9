#include "iqbo/acquisition/knowledge_gradient.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "iqbo/core/rng.hpp"
#include "support/random.hpp"
#include "support/score_gradient.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kExact = 1e-10;  // relative to the largest |b|

double worth(const Vector& mean, const Vector& b) {
  return knowledge_gradient(mean, b, Vector{{1.0}}, Vector{{0.0}})[0];
}

// Oracle: E max_i (m_i + b_i Z) by walking through Z. Between two crossings of any two lines one line is on top, and
// the integral of m + b z over an interval is known; all n^2 crossings are tried, so nothing is known of hulls.
double by_all_crossings(const Vector& mean, const Vector& b) {
  std::vector<long double> cuts = {-40, 40};
  for (Index i = 0; i < mean.size(); ++i)
    for (Index k = 0; k < i; ++k) {
      const long double z = (static_cast<long double>(mean[i]) - mean[k]) / (static_cast<long double>(b[k]) - b[i]);
      if (std::abs(z) < 40) cuts.push_back(z);
    }
  std::sort(cuts.begin(), cuts.end());
  const long double top = mean.maxCoeff();
  const long double pi = std::acos(-1.0L);
  const auto density = [&](long double z) { return std::exp(-z * z / 2) / std::sqrt(2 * pi); };
  const auto mass = [&](long double from, long double to) {  // of N(0, 1), from the nearer tail
    const long double r = std::sqrt(2.0L);
    return from > 0 ? (std::erfc(from / r) - std::erfc(to / r)) / 2 : (std::erfc(-to / r) - std::erfc(-from / r)) / 2;
  };
  long double sum = 0;
  for (std::size_t e = 1; e < cuts.size(); ++e) {
    const double middle = static_cast<double>((cuts[e - 1] + cuts[e]) / 2);
    Index i = 0;
    (mean + b * middle).maxCoeff(&i);
    sum += (mean[i] - top) * mass(cuts[e - 1], cuts[e]) + b[i] * (density(cuts[e - 1]) - density(cuts[e]));
  }
  return static_cast<double>(sum);
}

// A smooth field, as in practice: neighbouring lines are nearly the same.
Vector wave(Rng& rng, Index n) {
  const double frequency = 2 + 10 * rng.uniform();
  const double phase = 6 * rng.uniform();
  return (Vector::LinSpaced(n, 0, 1).array() * frequency + phase).sin() * test::log_uniform(rng, 0.01, 3);
}

TEST(Ckg, AgreesWithAllCrossings) {
  EXPECT_TRUE(rc::check("rough, smooth and tied lines, early and late", [](std::uint64_t seed) {
    Rng rng(seed);
    const Index n = 1 + rng.below(40);
    const double spread = test::log_uniform(rng, 1e-3, 10);
    const Index kind = rng.below(3);
    Vector mean = spread * (kind == 0 ? wave(rng, n) : rng.normals(n));
    Vector b = kind == 0 ? wave(rng, n) : rng.normals(n);
    if (kind == 1) {  // many equal tilts, equal means and lines through one point
      mean = mean.array().round();
      b = (2 * b).array().round();
    }
    RC_ASSERT(std::abs(worth(mean, b) - by_all_crossings(mean, b)) <= kExact * b.cwiseAbs().maxCoeff());
  }));
}

// Oracle: the midpoint rule over Z with a step so short that its error, step^2 / 24 times the changes of slope at the
// kinks, is below 1e-10.
TEST(Ckg, AgreesWithDenseQuadrature) {
  Rng rng(9);
  for (const double spread : {0.0, 0.05, 1.0}) {
    const Index n = 60;
    const Vector mean = spread * wave(rng, n);
    const Vector b = wave(rng, n);
    const double top = mean.maxCoeff();
    constexpr double kStep = 2e-5;
    double sum = 0;
    for (Index i = -450'000; i < 450'000; ++i) {
      const double z = kStep * (static_cast<double>(i) + 0.5);
      sum += std::exp(-0.5 * z * z) * ((mean + b * z).maxCoeff() - top);
    }
    const double want = sum * kStep / std::sqrt(2 * std::acos(-1.0));
    EXPECT_NEAR(worth(mean, b), want, kExact * b.cwiseAbs().maxCoeff()) << spread;
  }
}

TEST(Ckg, AgreesWithMonteCarlo) {
  Rng rng(10);
  const Vector mean = 0.3 * wave(rng, 100);
  const Matrix c = wave(rng, 100);
  const double q = 0.8;
  const double noise_var = 0.4;
  const double got = knowledge_gradient(mean, c, Vector{{q}}, Vector{{noise_var}})[0];
  constexpr int kDraws = 100'000;
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < kDraws; ++i) {  // draw the answer, condition on it, look at the best mean
    const double answer = std::sqrt(q) * rng.normal() + std::sqrt(noise_var) * rng.normal();
    const double gain = (mean + c.col(0) * (answer / (q + noise_var))).maxCoeff() - mean.maxCoeff();
    sum += gain;
    squares += gain * gain;
  }
  const double average = sum / kDraws;
  const double error = std::sqrt((squares / kDraws - average * average) / kDraws);
  EXPECT_NEAR(got, average, 4 * error);
}

// Two lines have a closed form; far apart it underflows, and its logarithm is -z^2/2 - log(sqrt(2 pi) z^2) + ...
TEST(Ckg, IsComparedInLogsWhereItUnderflows) {
  const Outlook outlook{Vector::Zero(2), Vector::Ones(2), Vector::Zero(2)};
  const Inputs x{{0.0}, {1.0}, {1.0}};
  const Matrix c{{0.0, 0.0}, {1.0, 1.25}, {0.5, -1.0}};
  const Vector score = Ckg(x, Vector{{60.0, 0.0, 0.0}}).score(outlook, c);
  EXPECT_TRUE(score.allFinite());
  EXPECT_GT(score[1], score[0]);
  const double leading = -0.5 * 3600 - std::log(std::sqrt(2 * std::acos(-1.0)) * 3600);
  EXPECT_NEAR(score[0], leading, 3.0 / 3600 * 1.1);
}

TEST(Ckg, DegenerateLinesAreHandled) {
  const Vector ones = Vector::Ones(5);
  EXPECT_EQ(worth(Vector{{1.0}}, Vector{{3.0}}), 0);         // one reference: its mean stays best
  EXPECT_EQ(worth(ones, Vector::Constant(5, 0.7)), 0);       // all move together
  EXPECT_EQ(worth(Vector{{1.0, 0.0}}, Vector::Zero(2)), 0);  // nothing moves
  const double tie = 1 / std::sqrt(2 * std::acos(-1.0));     // E max(0, Z)
  EXPECT_NEAR(worth(Vector::Zero(2), Vector{{0.0, 1.0}}), tie, test::kRounding);
  EXPECT_NEAR(worth(Vector::Zero(6), Vector{{0.0, 1.0, 1.0, 0.5, 0.5, 0.0}}), tie, test::kRounding);
  EXPECT_NEAR(worth(Vector::Zero(3), Vector{{-1.0, 0.0, 1.0}}), 2 * tie, test::kRounding);
  const Outlook certain{Vector::Zero(1), Vector::Zero(1), Vector::Zero(1)};
  EXPECT_EQ(Ckg(Inputs{{0.0}, {1.0}}, Vector::Zero(2)).score(certain, Matrix::Zero(2, 1))[0], -kInfinity);
}

// A duplicate of a reference changes nothing, nor does their order.
TEST(Ckg, DuplicatesAndOrderDoNotMatter) {
  Rng rng(12);
  const Vector mean = 0.2 * wave(rng, 50);
  const Vector b = wave(rng, 50);
  Vector twice(100);
  Vector b_twice(100);
  twice << mean, mean.reverse();
  b_twice << b, b.reverse();
  EXPECT_NEAR(worth(twice, b_twice), worth(mean, b), test::kRounding);
}

TEST(Ckg, GradientsAreDifferences) {
  Rng rng(13);
  const Index n = 7;
  const Inputs x = test::random_inputs(rng, n, 2);
  const Outlook outlook{Vector::Zero(8), test::random_vector(rng, 8, 0.5, 2), Vector::Constant(8, 0.3)};
  Matrix c(n, 8);
  for (Index j = 0; j < 8; ++j) c.col(j) = rng.normals(n);
  // A line that enters the envelope within the steps of the differences makes a kink of the third order in them.
  test::expect_gradient(Ckg(x, 0.5 * rng.normals(n)), outlook, c);
  test::expect_gradient(Ckg(x, 30 * rng.normals(n)), outlook, c);  // late: most worths underflow
}

}  // namespace
}  // namespace iqbo
