#include "sampler.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <mutex>
#include <numbers>
#include <numeric>
#include <utility>

#include "engine.hpp"
#include "iqbo/average/expectation.hpp"
#include "iqbo/kernel/spectral.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kFactorTolerance = 1e-14;
constexpr double kFullRank = 1e-9;  // smallest pivot, relative to the largest variance
constexpr Index kProbe = 256;       // rows that are tried first
constexpr Index kFeatures = 1024;
constexpr std::uint64_t kFeatureSeed = 20260;  // frequencies are part of the approximation, not of a draw

class FactorSampler final : public PriorSampler {
 public:
  FactorSampler(std::unique_ptr<const CovarianceSource> k, Index preferred) : k_(std::move(k)), preferred_(preferred) {}

  Matrix draw(Index count, Rng& rng) const override {
    std::call_once(made_, [this] {
      const Index n = k_->diagonal().size();
      const double most = k_->diagonal().maxCoeff();
      if (triangular_ = factored_whole(n, most); triangular_) return;
      factor_ = most > 0.0 ? pivoted_cholesky(*k_, kFactorTolerance * most, n, preferred_).factor : Matrix(n, 0);
    });
    if (triangular_) return factor_.triangularView<Eigen::Lower>() * normals(factor_.cols(), count, rng);
    return factor_ * normals(factor_.cols(), count, rng);
  }
  std::string description() const override { return "from a factor of the prior"; }

 private:
  // Rough kernels have full rank: plain Cholesky then needs a third of the operations. A few rows show whether to try.
  bool factored_whole(Index n, double most) const {
    const Index among = preferred_ > 0 ? preferred_ : n;
    if (among > kProbe && !factored(evenly(among, kProbe), most)) return false;
    return factored(evenly(n, n), most);
  }
  bool factored(const std::vector<Index>& rows, double most) const {
    factor_ = k_->block(rows);
    const Eigen::LLT<Eigen::Ref<Matrix>> llt(factor_);
    return llt.info() == Eigen::Success && factor_.diagonal().cwiseAbs2().minCoeff() > kFullRank * most;
  }
  static std::vector<Index> evenly(Index n, Index count) {
    std::vector<Index> out;
    for (Index i = 0; i < count; ++i) out.push_back(i * n / count);
    return out;
  }

  std::unique_ptr<const CovarianceSource> k_;
  Index preferred_;
  mutable std::once_flag made_;
  mutable bool triangular_ = false;
  mutable Matrix factor_;
};

class FeatureSampler final : public PriorSampler {
 public:
  FeatureSampler(JointPrior prior, SpectralFeatures spectrum)
      : prior_(std::move(prior)), spectrum_(std::move(spectrum)), distinct_(distinct(prior_.x().coordinates())) {}

  Matrix draw(Index count, Rng& rng) const override {
    Matrix out = Matrix::Zero(prior_.size(), count);
    const Vector& amplitude = spectrum_.amplitude;
    for (const double phase : {0.0, -0.5 * std::numbers::pi})
      add(spectrum_.frequency, Vector::Constant(amplitude.size(), phase),
          amplitude.asDiagonal() * normals(amplitude.size(), count, rng), out);
    if (spectrum_.nugget > 0.0) {
      const Matrix white = std::sqrt(spectrum_.nugget) * normals(prior_.inputs(), count, rng);
      out.topRows(prior_.inputs()) += white(distinct_, Eigen::all);
    }
    return out;
  }
  std::string description() const override {
    return "from " + std::to_string(kFeatures) +
           " frequencies of its spectrum, an approximation: covariances off by about 2 % of the variance for an RBF, "
           "up to 10 % for rough kernels";
  }

 private:
  static constexpr Index kChunk = 512;

  // out += cos(w . X + phase) weight, averaged for queries, some points at a time.
  void add(const Rows& frequency, const Vector& phases, const Matrix& weight, Matrix& out) const {
    for (Index begin = 0; begin < prior_.inputs(); begin += kChunk) {
      const Index rows = std::min(kChunk, prior_.inputs() - begin);
      const Laws some(prior_.x().slice(begin, rows));
      out.middleRows(begin, rows).noalias() += expect_cosines(some, frequency, phases) * weight;
    }
    for (Index begin = 0; begin < prior_.a().size(); begin += kChunk) {
      const Index rows = std::min(kChunk, prior_.a().size() - begin);
      const Laws some = prior_.averaged().laws.slice(begin, rows);
      out.middleRows(prior_.inputs() + begin, rows).noalias() += expect_cosines(some, frequency, phases) * weight;
    }
  }

  JointPrior prior_;
  SpectralFeatures spectrum_;
  std::vector<Index> distinct_;
};

}  // namespace

std::vector<Index> distinct(const Rows& x) {
  std::vector<Index> order(static_cast<std::size_t>(x.rows()));
  std::iota(order.begin(), order.end(), 0);
  const auto before = [&](Index i, Index j) {
    return std::lexicographical_compare(x.row(i).begin(), x.row(i).end(), x.row(j).begin(), x.row(j).end());
  };
  std::sort(order.begin(), order.end(), before);
  std::vector<Index> out(order.size());
  Index number = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && before(order[i - 1], order[i])) ++number;
    out[static_cast<std::size_t>(order[i])] = number;
  }
  return out;
}

Matrix normals(Index rows, Index count, Rng& rng) {
  Matrix out(rows, count);
  for (Index j = 0; j < count; ++j) out.col(j) = rng.normals(rows);
  return out;
}

std::unique_ptr<const PriorSampler> factor_sampler(std::unique_ptr<const CovarianceSource> k, Index preferred) {
  return std::make_unique<FactorSampler>(std::move(k), preferred);
}

std::unique_ptr<const PriorSampler> feature_sampler(const JointPrior& prior) {
  if (!has_spectrum(prior.kernel())) return nullptr;
  Rng rng(kFeatureSeed);
  SpectralFeatures spectrum = spectral_features(prior.kernel(), kFeatures, rng);
  if (spectrum.nugget > 0.0 && !prior.a().empty()) return nullptr;  // windows of zero width would have to share it
  return std::make_unique<FeatureSampler>(prior, std::move(spectrum));
}

std::unique_ptr<const PriorSampler> prior_sampler(JointPrior prior) {
  if (prior.a().empty()) {
    if (auto lattice = lattice_sampler(prior.kernel(), prior.x())) return lattice;
    if (auto axes = axis_sampler(prior.kernel(), prior.x())) return axes;
  }
  if (prior.size() > FiniteBelief::kMostFactored)
    if (auto features = feature_sampler(prior)) return features;
  const Index inputs = prior.inputs();  // their columns cost less than those of averages
  return factor_sampler(std::make_unique<JointPrior>(std::move(prior)), inputs);
}

}  // namespace iqbo
