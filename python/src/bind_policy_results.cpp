// What a policy says: what to ask next, what is best, how sure that is.
#include "best_repr.hpp"
#include "iqbo/policy/policy.hpp"
#include "names.hpp"
#include "objects.hpp"
#include "records.hpp"

namespace iqbo::python {

using namespace internal;

template <>
struct Shown<PolicyKind> {
  using As = std::string;
  static py::object of(PolicyKind kind) { return py::str(to_string(kind)); }
  static PolicyKind from(py::handle value, std::string_view title) {
    const auto name = value_from<std::string>(value, title);
    return name == to_string(PolicyKind::kCustom) ? PolicyKind::kCustom : policy_kind(name);
  }
};

namespace {

void bind_records(py::module_& m) {
  Record<Suggestion>(m, "Suggestion", R"(What to ask next, and why.

>>> policy = iqbo.Policy(np.linspace(0, 1, 9), np.linspace(0, 1, 5), iqbo.GaussianConditional(sd=0.1))
>>> policy.suggest(2).queries.shape
(2, 1)
)")
      .field("queries", &Suggestion::queries, "One per row, in the order they were chosen.")
      .field("rows", &Suggestion::rows, "Their positions in the list, if A is one.")
      .field("nodes", &Suggestion::nodes, "Their nodes, if A is a tree.")
      .field("scores", &Suggestion::scores, "The score of each when it was chosen; a logarithm for some policies.")
      .field("left", &Suggestion::left, "What these leave of the budget; infinite if there is no budget.")
      .field("used", &Suggestion::used, "The policy that chose them; for auto, the one that it selected.")
      .field("why", &Suggestion::why, "The reasons, as sentences.");
  Record<Recommendation>(m, "Recommendation", R"(Where f is believed to be largest.

>>> policy = iqbo.Policy(np.linspace(0, 1, 9), np.linspace(0, 1, 5), iqbo.GaussianConditional(sd=0.1),
...                      kernel=iqbo.Rbf(1.0, 0.3), noise_var=0.01)
>>> policy.observe([0.5], [1.0])
>>> policy.best().x
array([[0.5]])
)")
      .field("x", &Recommendation::x, "argmax of the mean, shape (1, d).")
      .field("row", &Recommendation::row, "Its position in the list, if X is one.")
      .field("mean", &Recommendation::mean)
      .field("sd", &Recommendation::sd)
      .field("low", &Recommendation::low, "95 % interval.")
      .field("high", &Recommendation::high)
      .field("probability", &Recommendation::probability,
             "The probability of being the maximiser; for a box, that of f* - f(x) <= tolerance.")
      .field("tolerance", &Recommendation::tolerance)
      .field("notes", &Recommendation::notes)
      .field("probability_error", &Recommendation::probability_error, "Standard error of the probability.")
      .field("widened", &Recommendation::widened,
             "By how much the interval was widened because earlier forecasts were off: 1 if it was not.")
      .field("unseen", &Recommendation::unseen,
             "Probability that a better spot is unseen; nan where rare spots are not searched for.")
      .field("max_low", &Recommendation::max_low, "The 95 % interval of f*; nan where rare spots are not searched for.")
      .field("max_high", &Recommendation::max_high)
      .repr([](const Recommendation& best) { return best_repr("Recommendation", brief(to_array(best.x)), best); });
}

void bind_chances(py::module_& m) {
  Record<Chances>(m, "Chances", R"(What joint draws say about the inputs or queries that are compared.

>>> policy = iqbo.Policy(np.linspace(0, 1, 50), np.linspace(0, 1, 20), iqbo.UniformConditional(half_width=0.1),
...                      kernel=iqbo.Rbf(1.0, 0.3), noise_var=1e-2, seed=1)
>>> a = np.array([[0.1], [0.5], [0.9]])
>>> policy.observe(a, np.sin(3 * a[:, 0]))
>>> chances = policy.chances([0.2, 0.5, 0.8], above=0.9)
>>> bool(abs(chances.best.sum() - 1) < 1e-9), chances.above.shape, chances.leader
(True, (3,), 1)
)")
      .field("mean", &Chances::mean, "Shape (n,).")
      .field("above", &Chances::above, "P(f > above), shape (n,), computed without draws; empty if no limit was given.")
      .field("best", &Chances::best, "P(the largest of those compared), shape (n,).")
      .field("best_error", &Chances::best_error, "Standard errors.")
      .field("among", &Chances::among, "P(one of the `among` largest), shape (n,).")
      .field("among_error", &Chances::among_error)
      .field("smallest", &Chances::smallest,
             "The positions of the smallest set that contains the best with probability `holds`.")
      .field("smallest_probability", &Chances::smallest_probability)
      .field("smallest_error", &Chances::smallest_error)
      .field("leader", &Chances::leader, "The position of the largest mean.")
      .field("regret", &Chances::regret, "E[max f - f(leader)] over those compared.")
      .field("regret_error", &Chances::regret_error)
      .field("draws", &Chances::draws)
      .field("regret_bound", &Chances::regret_bound, "max f - f(leader) is at most this with probability 0.95.")
      .repr([](const Chances& found) {
        return "Chances(" + std::to_string(found.best.size()) + " compared, the best among " +
               std::to_string(found.smallest.size()) + ": " +
               chance_text(found.smallest_probability, found.smallest_error) + ", " + std::to_string(found.draws) +
               " draws)";
      });
  Record<Stopping>(m, "Stopping", R"(What stopping now would mean.

>>> policy = iqbo.Policy(np.linspace(0, 1, 50), np.linspace(0, 1, 20), iqbo.UniformConditional(half_width=0.1),
...                      kernel=iqbo.Rbf(1.0, 0.3), noise_var=1e-2, stop={"regret": 1e-6}, seed=1)
>>> policy.observe([0.1, 0.5], [0.3, 1.0])
>>> policy.stopping().reached
False
)")
      .field("regret", &Stopping::regret, "E[f* - f(x)] at the recommended x.")
      .field("regret_error", &Stopping::regret_error)
      .field("probability", &Stopping::probability,
             "The probability that the recommendation is right; for a level set, the expected share of X on the right "
             "side.")
      .field("probability_error", &Stopping::probability_error)
      .field("tolerance", &Stopping::tolerance)
      .field("reached", &Stopping::reached, "Whether the rule `stop` is met.")
      .field("why", &Stopping::why)
      .field("bound", &Stopping::bound, "f* - f(x) is at most this with probability 0.95, if the model is right.")
      .repr([](const Stopping& now) {
        return "Stopping(expected regret " + four_digits(now.regret) +
               ", the recommendation is right: " + chance_text(now.probability, now.probability_error) +
               (now.reached ? ", reached: " + now.why : "") + ")";
      });
}

void bind_counts(py::module_& m) {
  Record<CountForecast>(m, "CountForecast", R"(Forecasts of counts at queries, including their noise.

>>> policy = iqbo.Policy(np.linspace(0, 1, 9), np.linspace(0, 1, 5), iqbo.GaussianConditional(sd=0.1), answers="poisson")
>>> policy.observe([0.0, 0.5, 1.0], count=[3, 12, 4], exposure=1000)
>>> forecast = policy.predict_counts([0.5], exposure=2000)
>>> bool(forecast.low[0] <= forecast.mean[0] <= forecast.high[0])
True
)")
      .field("exposure", &CountForecast::exposure, "The exposures, shape (n,).")
      .field("mean", &CountForecast::mean, "Shape (n,).")
      .field("low", &CountForecast::low, "Interval of whole numbers, of 95 % unless another probability was given.")
      .field("high", &CountForecast::high);
}

}  // namespace

void bind_policy_results(py::module_& m) {
  bind_records(m);
  bind_chances(m);
  bind_counts(m);
}

}  // namespace iqbo::python
