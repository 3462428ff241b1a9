#include "law_gram.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "dense_gram.hpp"
#include "discrete_gram.hpp"
#include "iqbo/average/expectation.hpp"
#include "moment_gram.hpp"
#include "spread_expectation.hpp"
#include "spread_terms.hpp"
#include "thinned.hpp"
#include "window_gram.hpp"

namespace iqbo::internal {
namespace {

LawGram::Under plainly(const Kernel& kernel, const Laws& laws, bool with_gradient) {
  LawGram::Under out{expect(kernel, laws, laws), {}};
  if (with_gradient)
    out.pull_back = [k = kernel.clone(), &laws](const Matrix& weight) {
      return expect_pull_back(*k, laws, laws, weight);
    };
  return out;
}

// Laws for which nothing can be prepared.
class PlainGram final : public LawGram {
 public:
  explicit PlainGram(Laws laws) : laws_(std::move(laws)) {}
  Under under(const Kernel& kernel, bool with_gradient) const override { return plainly(kernel, laws_, with_gradient); }
  bool is_quick(const Kernel&) const override { return points_per_law(laws_) <= kCloud; }

 private:
  Laws laws_;
};

class SpreadGram final : public LawGram {
 public:
  SpreadGram(Laws laws, const SpreadLaws& windows) : laws_(std::move(laws)), windows_(windows) {}
  Under under(const Kernel& kernel, bool with_gradient) const override {
    return has_average(kernel) ? windows_.under(kernel, with_gradient) : plainly(kernel, laws_, with_gradient);
  }

 private:
  Laws laws_;
  WindowGram windows_;
};

// Laws made of points. What suits a kernel best is tried first.
class PointsGram final : public LawGram {
 public:
  explicit PointsGram(Laws laws) : laws_(std::move(laws)) {
    for (const auto& part : laws_.parts()) is_density_ = is_density_ || std::get<DiscreteLaws>(part.kind).of_density;
    const auto* one = laws_.parts().size() == 1 ? std::get_if<DiscreteLaws>(&laws_.parts().front().kind) : nullptr;
    if (one == nullptr) {
      moments_ = MomentGram::of(laws_);
      return;
    }
    sparse_.emplace(*one);
    if (sparse_->is_on_lattice()) return;
    if (points_per_law(laws_) > kCloud) moments_ = MomentGram::of(laws_);
    if (2 * one->weight.nonZeros() > one->weight.size() && one->support->size() > kFewPoints) {
      dense_.emplace(*one);
      sparse_.reset();
    }
  }

  Under under(const Kernel& kernel, bool with_gradient) const override {
    if (is_density_ && has_white(kernel)) return plainly(kernel, laws_, with_gradient);  // which says what is wrong
    if (moments_ && moments_->suits(kernel)) return by(*moments_, kernel, with_gradient);
    if (dense_) return by(*dense_, kernel, with_gradient);
    if (sparse_ && is_stationary(kernel) && sparse_->suits(kernel)) return sparse_->under(kernel, with_gradient);
    return plainly(kernel, laws_, with_gradient);
  }

  bool is_quick(const Kernel& kernel) const override {
    return points_per_law(laws_) <= kCloud || dense_ || (moments_ && moments_->suits(kernel)) ||
           (sparse_ && sparse_->is_on_lattice());
  }

 private:
  static constexpr Index kFewPoints = 64;

  template <class Prepared>
  static Under by(const Prepared& prepared, const Kernel& kernel, bool with_gradient) {
    Under out{prepared.covariance(kernel), {}};
    if (with_gradient)
      out.pull_back = [&prepared, k = kernel.clone()](const Matrix& weight) { return prepared.pull_back(*k, weight); };
    return out;
  }

  static bool has_white(const Kernel& kernel) {
    const auto terms = kernel.stationary_terms();
    return std::any_of(terms.begin(), terms.end(),
                       [](const KernelTerm& term) { return term.kind == KernelTerm::Kind::kWhite; });
  }

  Laws laws_;
  bool is_density_ = false;  // the points stand for one
  std::optional<MomentGram> moments_;
  std::optional<DenseGram> dense_;
  std::optional<DiscreteGram> sparse_;
};

struct Make {
  const Laws& laws;

  std::unique_ptr<const LawGram> operator()(const Inputs& x) const {
    return std::make_unique<SpreadGram>(laws, without_width(x));
  }
  std::unique_ptr<const LawGram> operator()(const SpreadLaws& p) const { return std::make_unique<SpreadGram>(laws, p); }
  std::unique_ptr<const LawGram> operator()(const DiscreteLaws&) const { return std::make_unique<PlainGram>(laws); }
  std::unique_ptr<const LawGram> operator()(const AxisLaws&) const { return std::make_unique<PlainGram>(laws); }
};

bool of_points(const Laws& laws) {
  return std::all_of(laws.parts().begin(), laws.parts().end(),
                     [](const auto& part) { return std::holds_alternative<DiscreteLaws>(part.kind); });
}

}  // namespace

std::unique_ptr<const LawGram> LawGram::of(const Laws& laws) {
  if (laws.size() == 0) return std::make_unique<PlainGram>(laws);
  if (of_points(laws)) return std::make_unique<PointsGram>(laws);
  const auto& first = laws.parts().front();
  if (laws.parts().size() > 1 || first.weight != 1.0) return std::make_unique<PlainGram>(laws);
  return std::visit(Make{laws}, first.kind);
}

}  // namespace iqbo::internal
