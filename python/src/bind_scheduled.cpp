// GP-UCB with a schedule of resolutions.
#include "calls.hpp"
#include "casts.hpp"
#include "iqbo/policy/scheduled_ucb.hpp"
#include "objects.hpp"
#include "schedules.hpp"

namespace iqbo::python {
namespace {

struct ScheduledObject {
  Guarded<ScheduledUcb> policy;
  py::object conditional;
  py::dict args;
  py::list log;
  Index a_dimension;
};

std::unique_ptr<ScheduledObject> make_scheduled(const py::object& prior, const py::object& targets,
                                                const py::object& schedule, double noise_var, double delta,
                                                const py::object& beta, std::uint64_t seed) {
  const auto& belief = object_from<PosteriorObject>(prior, "prior", "a Posterior");
  ScheduledUcbOptions options;
  options.delta = delta;
  if (!beta.is_none())
    options.beta = [call = Callable(function_from(beta, "beta"))](Index t) {
      const py::gil_scoped_acquire lock;
      return vector(call(t), "beta(t)", 1)[0];
    };
  const TargetSpace space = target_space(targets);
  const py::object kept = std::holds_alternative<InputBox>(space) ? targets : py::cast(std::get<InputSet>(space));
  const auto& clock = object_from<ScheduleObject>(schedule, "schedule", "a ResolutionSchedule");
  ScheduledUcb policy(belief.value, space, clock.value, noise_var, options, seed);
  const py::dict args("prior"_a = prior, "targets"_a = kept, "schedule"_a = schedule, "noise_var"_a = noise_var,
                      "delta"_a = delta, "beta"_a = beta, "seed"_a = seed);
  return std::unique_ptr<ScheduledObject>(
      new ScheduledObject{Guarded(std::move(policy)), belief.conditional, args, py::list(), belief.a_dimension()});
}

}  // namespace

void bind_scheduled(py::module_& m) {
  py::class_<ScheduledObject>(m, "ScheduledUcb", R"(GP-UCB on f with a schedule of resolutions: theorem 2 of the paper.

The prior's conditional must read queries as (xi, delta). targets: an `InputBox` or listed inputs (n, d); beta: a function of t.

>>> window = iqbo.GaussianConditional(iqbo.conditionals.QueryMap.columns([0]), iqbo.conditionals.QueryMap.columns([1]))
>>> ucb = iqbo.policies.ScheduledUcb(iqbo.Posterior(iqbo.Rbf(1.0, 0.2), window), np.linspace(0, 1, 50),
...                                  iqbo.theory.ResolutionSchedule.paper(1).within(0.01, 0.3), noise_var=0.01, seed=1)
>>> ucb.suggest().shape
(1, 2)
)")
      .def(py::init(naming_arguments(&make_scheduled)), "prior"_a, "targets"_a, "schedule"_a, "noise_var"_a,
           "delta"_a = 0.1, "beta"_a = py::none(), "seed"_a = 0)
      .def(
          "suggest",
          [](ScheduledObject& self) { return to_array(self.policy.use([](ScheduledUcb& p) { return p.suggest(); })); },
          "The next query, shape (1, d + 1); it stays the same until something is observed.")
      .def(
          "observe",
          [](ScheduledObject& self, const ArrayLike& a, const ArrayLike& z) {
            const Queries at = queries(a, "a", self.a_dimension);
            const Vector seen = vector(z, "z", at.size());
            self.policy.use([&](ScheduledUcb& p) { p.observe(at, seen); });
            self.log.append(py::make_tuple("observe", py::dict("a"_a = to_array(at), "z"_a = seen)));
          },
          "a"_a, "z"_a)
      .def(
          "best",
          [](ScheduledObject& self) { return to_array(self.policy.use([](ScheduledUcb& p) { return p.best(); })); },
          "argmax of the mean, shape (1, d).")
      .def_property_readonly(
          "beta", [](ScheduledObject& self) { return self.policy.use([](ScheduledUcb& p) { return p.beta(); }); })
      .def_property_readonly("posterior",
                             [](ScheduledObject& self) {
                               return PosteriorObject{
                                   self.policy.use([](ScheduledUcb& p) { return Posterior(p.posterior()); }),
                                   self.conditional};
                             })
      .def("__len__", [](ScheduledObject& self) { return self.policy.use([](ScheduledUcb& p) { return p.size(); }); })
      .def("__repr__",
           [](ScheduledObject& self) {
             return "ScheduledUcb(" + std::to_string(self.policy.use([](ScheduledUcb& p) { return p.size(); })) +
                    " observations)";
           })
      .def("__reduce__", [](py::object self) {
        const auto& object = self.cast<const ScheduledObject&>();
        const py::object again = py::module_::import("iqbo._again").attr("made_again");
        return py::make_tuple(again, py::make_tuple(py::type::of(self), object.args, py::list(object.log)));
      });
}

}  // namespace iqbo::python
