// What scores of 2,500 candidates cost in C++: python/bench/call_overhead.py compares. Prints "name seconds checksum" for each.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

#include "iqbo/acquisition/improvement.hpp"
#include "iqbo/acquisition/knowledge_gradient.hpp"
#include "iqbo/acquisition/location.hpp"
#include "iqbo/acquisition/max_value.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/posterior/posterior.hpp"
#include "iqbo/space/box.hpp"

namespace {

using namespace iqbo;  // NOLINT(google-build-using-namespace)

// The least of several: what others do on this machine only ever adds.
void time_of(const char* name, const std::function<Vector()>& call) {
  double least = 1e9;
  Vector answer;
  for (double spent = 0.0; spent < 0.5;) {
    const auto begin = std::chrono::steady_clock::now();
    answer = call();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    least = std::min(least, seconds);
    spent += seconds;
  }
  std::printf("%s %.9f %.17g\n", name, least, answer.sum());
}

}  // namespace

int main() {
  const Vector low = Vector::Zero(2);
  const Vector high = Vector::Ones(2);
  const Queries a = QueryBox(low, high).grid({50, 50});
  const Inputs x = InputBox(low, high).grid({30, 30});
  const Queries seen = QueryBox(low, high).grid({6, 6});
  const Vector z = (3.0 * seen.coordinates().rowwise().sum().array()).sin();
  const Posterior post = Posterior(Rbf(1.0, Vector::Constant(2, 0.3)), GaussianConditional(QueryMap::identity(2), 0.05))
                             .condition(seen, z, 0.01);
  const auto [nu, q] = post.g(a);
  const auto [mean, var] = post.f(x);
  const Matrix c = post.fg_cov(x, a);
  const Matrix c16 = c.topRows(16);
  const Vector var16 = var.head(16);
  const Vector noise = Vector::Constant(a.size(), 0.01);
  const Vector fstar = Vector::LinSpaced(16, 1.1, 2.0);
  time_of("cmes", [&] { return cmes(nu, q, fstar); });
  time_of("noisy_cmes", [&] { return noisy_cmes(nu, q, noise, fstar); });
  time_of("expected_improvement", [&] { return expected_improvement(nu, q, 0.9); });
  time_of("ucb", [&] { return ucb(nu, q); });
  time_of("cjes", [&] { return cjes(q, noise, c16, var16); });
  time_of("knowledge_gradient", [&] { return knowledge_gradient(mean, c, q, noise); });
  time_of("sweep: posterior, ucb", [&] {
    const auto [m, v] = post.g(a);
    return ucb(m, v);
  });
  time_of("sweep: posterior, cmes", [&] {
    const auto [m, v] = post.g(a);
    return cmes(m, v, fstar);
  });
}
