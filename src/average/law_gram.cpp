#include "law_gram.hpp"

#include <utility>

#include "discrete_gram.hpp"
#include "iqbo/average/expectation.hpp"
#include "spread_expectation.hpp"
#include "spread_terms.hpp"
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

 private:
  Laws laws_;
};

// A prepared form for the kernels that `suits` it, and the plain one for others.
template <class Prepared>
class PreparedGram final : public LawGram {
 public:
  PreparedGram(Laws laws, Prepared prepared, bool (*suits)(const Kernel&))
      : laws_(std::move(laws)), prepared_(std::move(prepared)), suits_(suits) {}
  Under under(const Kernel& kernel, bool with_gradient) const override {
    return suits_(kernel) ? prepared_.under(kernel, with_gradient) : plainly(kernel, laws_, with_gradient);
  }

 private:
  Laws laws_;
  Prepared prepared_;
  bool (*suits_)(const Kernel&);
};

bool has_windows_average(const Kernel& kernel) { return has_average(kernel); }

struct Make {
  const Laws& laws;

  std::unique_ptr<const LawGram> operator()(const Inputs& x) const { return (*this)(without_width(x)); }
  std::unique_ptr<const LawGram> operator()(const SpreadLaws& p) const {
    return std::make_unique<PreparedGram<WindowGram>>(laws, WindowGram(p), has_windows_average);
  }
  std::unique_ptr<const LawGram> operator()(const DiscreteLaws& p) const {
    if (p.of_density) return std::make_unique<PlainGram>(laws);
    return std::make_unique<PreparedGram<DiscreteGram>>(laws, DiscreteGram(p), is_stationary);
  }
  std::unique_ptr<const LawGram> operator()(const AxisLaws&) const { return std::make_unique<PlainGram>(laws); }
};

}  // namespace

std::unique_ptr<const LawGram> LawGram::of(const Laws& laws) {
  if (laws.size() == 0 || laws.parts().size() != 1 || laws.parts().front().weight != 1.0)
    return std::make_unique<PlainGram>(laws);
  return std::visit(Make{laws}, laws.parts().front().kind);
}

}  // namespace iqbo::internal
