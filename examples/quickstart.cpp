// Nine measurements, each the average of f over a stretch of 0.2: where is f largest?
#include <cmath>
#include <cstdio>
#include <iqbo/iqbo.hpp>

int main() {
  const auto a = iqbo::Queries::line(iqbo::Vector::LinSpaced(9, 0.1, 0.9));  // the middle of each stretch
  const iqbo::Vector z{{0.21, 0.45, 0.52, 0.44, 0.30, 0.46, 0.58, 0.44, 0.12}};

  const iqbo::Rbf kernel(0.25, iqbo::Vector{{0.1}});                                  // f: variance, lengthscale
  const iqbo::UniformConditional stretch(iqbo::QueryMap::identity(1), 0.1);           // p(x|a): uniform on a +- 0.1
  const auto belief = iqbo::Posterior(kernel, stretch).condition(a, z, 0.01 * 0.01);  // noise variance

  const auto x = iqbo::InputBox(iqbo::Vector{{0.0}}, iqbo::Vector{{1.0}}).grid({201});
  const auto [mean, var] = belief.f(x);
  iqbo::Index best = 0;
  mean.maxCoeff(&best);
  std::printf("f is largest near x = %.2f, at %.2f +- %.2f\n", x.row(best)[0], mean[best], 1.96 * std::sqrt(var[best]));
}
