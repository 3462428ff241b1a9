#include "iqbo/theory/max_information.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "iqbo/core/rng.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

constexpr Index kPaths = 40000;

double density(double t, double var) { return std::exp(-0.5 * t * t / var) / std::sqrt(2.0 * std::numbers::pi * var); }
double below(double t) { return 0.5 * std::erfc(-t / std::numbers::sqrt2); }

// X is one point and is asked directly: I = log(1 + 1 / noise_var) / 2.
TEST(MaxInformation, OfTheMaximumItself) {
  Rng rng(1);
  const Vector f = rng.normals(kPaths);
  Matrix g(3, kPaths);
  g.rowwise() = f.transpose();
  const Vector noise_var{{4.0, 1.0, 0.25}};
  const MaxInformation found = max_value_information(f, g, noise_var);
  for (Index j = 0; j < 3; ++j)
    EXPECT_NEAR(found.nats[j], 0.5 * std::log1p(1.0 / noise_var[j]), 0.01 + 4.0 * found.error[j]) << noise_var[j];
  // Groups that are too wide hide information, they never make it up.
  EXPECT_LT(max_value_information(f, g, noise_var, 4).nats[2], found.nats[2] - 0.05);
}

TEST(MaxInformation, OfSomethingElseIsNothing) {
  Rng rng(2);
  const Vector f = rng.normals(kPaths);
  const Matrix g = rng.normals(kPaths).transpose();
  const MaxInformation found = max_value_information(f, g, Vector::Constant(1, 0.1));
  EXPECT_NEAR(found.nats[0], 0.0, 4.0 * found.error[0]);
  EXPECT_LT(found.error[0], 0.003);
}

// Two independent values; one of them is asked. p(z | f* = m) is half N(m, noise_var), half that of a normal cut at m; by quadrature.
double one_of_two(double noise_var) {
  const double v = 1.0 + noise_var, share = 1.0 / v;  // E[u | z] = share z, Var[u | z] = noise_var share
  constexpr double kStep = 0.02;
  double out = 0.0;
  for (double m = -5.0; m < 6.0; m += kStep)
    for (double z = -9.0; z < 9.0; z += kStep) {
      const double cut = density(z, v) * below((m - share * z) / std::sqrt(noise_var * share)) / below(m);
      const double given = 0.5 * density(z - m, noise_var) + 0.5 * cut;
      if (given > 0.0)
        out += 2.0 * density(m, 1.0) * below(m) * given * std::log(given / density(z, v)) * kStep * kStep;
    }
  return out;
}

TEST(MaxInformation, OfOneOfTwo) {
  Rng rng(3);
  const Vector u = rng.normals(kPaths), v = rng.normals(kPaths);
  Matrix g(2, kPaths);
  g.rowwise() = u.transpose();
  const Vector noise_var{{1.0, 0.09}};
  const MaxInformation found = max_value_information(u.cwiseMax(v), g, noise_var, 64);
  for (Index j = 0; j < 2; ++j)
    EXPECT_NEAR(found.nats[j], one_of_two(noise_var[j]), 0.01 + 4.0 * found.error[j]) << noise_var[j];
  EXPECT_GT(found.nats[1], found.nats[0]);
}

TEST(MaxInformation, NamesWhatIsWrong) {
  const Vector f = Vector::LinSpaced(3000, 0.0, 1.0);
  const Matrix g = f.transpose();
  const Vector one = Vector::Ones(1);
  test::expect_refusal([&] { max_value_information(f, g, one, 100); }, {"fstar: 3000 paths", "at least 4000"});
  test::expect_refusal([&] { max_value_information(f, g, one, 1); }, {"groups: 1, expected at least 2"});
  test::expect_refusal([&] { max_value_information(f, g, Vector::Zero(1)); }, {"noise_var: row 0 is 0"});
  test::expect_refusal([&] { max_value_information(f, g, Vector::Constant(1, 1e-8)); }, {"noise_var", "query 0"});
  test::expect_refusal([&] { max_value_information(f.head(2700), g, one); }, {"g: 3000 columns, expected 2700"});
}

}  // namespace
}  // namespace iqbo
