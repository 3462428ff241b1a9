// One look at f with prior N(0, 1) and noise variance 1/4: by hand, mean 1 / (1 + 1/4) and variance 1 - 1 / (1 + 1/4).
#include <cstdio>
#include <iqbo/conditional/spread.hpp>
#include <iqbo/kernel/stationary.hpp>
#include <iqbo/posterior/posterior.hpp>

int main() {
  const iqbo::Rbf kernel(1.0, iqbo::Vector{{0.3}});
  const iqbo::UniformConditional look(iqbo::QueryMap::identity(1), 0.0);
  const auto belief = iqbo::Posterior(kernel, look).condition(iqbo::Queries{{0.5}}, iqbo::Vector{{1.0}}, 0.25);
  const auto [mean, var] = belief.f(iqbo::Inputs{{0.5}});
  std::printf("mean %.6f, variance %.6f\n", mean[0], var[0]);
}
