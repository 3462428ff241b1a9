#include "model.hpp"

namespace iqbo {
namespace {

enum Purpose : std::uint64_t { kStart = 61, kMoves };

constexpr double kSpread = 0.3;  // of the members at first, in sds of the prior
constexpr int kFirstMoves = 4;   // times as many at first

}  // namespace

SpotModel::SpotModel(std::shared_ptr<const SpotGrid> grid, const SpotOptions& options, std::uint64_t seed)
    : grid_(std::move(grid)), options_(options), seed_(seed) {}

void SpotModel::fit(const std::vector<SpotAnswer>& answers) {
  const auto data = data_of(answers);
  const SpotPrior prior = SpotPrior::of(*grid_, data->s, data->size(), options_.noise_var);
  const bool first = thetas_.empty();
  if (first)
    for (Index m = 0; m < options_.members; ++m) {
      Rng rng(seed_, {kStart, static_cast<std::uint64_t>(m)});
      SpotTheta theta = prior.median;
      theta.log[SpotTheta::kShortVar] += theta.log[SpotTheta::kLongVar];
      for (Index k = 0; k < SpotTheta::kCount; ++k) theta.log[k] += kSpread * prior.sd[k] * rng.normal();
      if (prior.noise_var) theta.log[SpotTheta::kNoise] = std::log(*prior.noise_var);
      thetas_.push_back(theta);
    }
  const SpotTerms more = first ? SpotTerms{constant_term(*grid_, *data)} : belief(answers).leading_terms();
  for (std::size_t m = 0; m < thetas_.size(); ++m) {
    Rng rng(seed_, {kMoves, answers.size(), m});
    thetas_[m] = moved(thetas_[m], *grid_, prior, *data, more, (first ? kFirstMoves : 1) * options_.moves, rng);
  }
}

double SpotModel::long_lengthscale() const {
  double sum = 0.0;
  for (const SpotTheta& theta : thetas_) sum += theta.log[SpotTheta::kLongScale];
  return std::exp(sum / static_cast<double>(thetas_.size()));
}

}  // namespace iqbo
