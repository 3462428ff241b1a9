// Twelve questions about averages of f, each chosen from the answers before it: where is f largest?
#include <cmath>
#include <cstdio>
#include <iqbo/iqbo.hpp>

// Stands in for a measurement: the average of f over a +- 0.1, where f has a hill at 0.3 and a narrow peak at 0.7.
double measure(double a) {
  double sum = 0.0;
  for (int i = 0; i < 100; ++i) {
    const double x = a + 0.002 * (i - 49.5);
    sum += 0.6 * std::exp(-50.0 * (x - 0.3) * (x - 0.3)) + std::exp(-400.0 * (x - 0.7) * (x - 0.7));
  }
  return sum / 100.0;
}

int main() {
  const auto x = iqbo::InputBox(iqbo::Vector{{0.0}}, iqbo::Vector{{1.0}}).grid({101});
  const auto a = iqbo::Queries::line(iqbo::Vector::LinSpaced(33, 0.1, 0.9));
  const iqbo::UniformConditional stretch(iqbo::QueryMap::identity(1), 0.1);  // p(x|a): uniform on a +- 0.1

  iqbo::Policy policy({iqbo::InputSet(x), iqbo::QuerySet(a), stretch}, {}, 1);  // everything else is fitted; seed 1
  for (int i = 0; i < 12; ++i) {
    const iqbo::Queries next = policy.suggest().queries;
    policy.observe(next, iqbo::Vector{{measure(next.row(0)[0])}});
  }
  const iqbo::Recommendation best = policy.best();
  std::printf("f is largest near x = %.2f, between %.2f and %.2f with 95 %% probability\n", best.x.row(0)[0], best.low,
              best.high);
}
