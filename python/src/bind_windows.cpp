// Gaussian and uniform windows, unbounded and confined to a box.
#include "iqbo/conditional/spread.hpp"
#include "iqbo/conditional/truncated.hpp"
#include "names.hpp"
#include "objects.hpp"
#include "query_map.hpp"
#include "records.hpp"

namespace iqbo::python {
namespace {

constexpr Names<Truncation, 2> kTruncations{{{Truncation::kClip, "clip"}, {Truncation::kRenormalise, "renormalise"}}};

struct Window {
  QueryMapObject mean, width;
  py::tuple args() const { return py::make_tuple(py::cast(mean), py::cast(width)); }
};

void require_dimension(const char* name, std::optional<Index> given, Index found) {
  if (given && *given != found) refuse(name, std::to_string(*given), std::to_string(found) + ", that of the mean");
}

// Without a centre, the query is the centre and has as many coordinates as the width.
Window window_from(const py::object& mean, const py::object& width, const char* width_name, std::optional<Index> in,
                   std::optional<Index> out) {
  const QueryMapObject wide = query_map_from(width, width_name, in.value_or(kAny));
  if (mean.is_none()) {
    if (in && out && *in != *out)
      refuse("input_dimension", std::to_string(*out),
             std::to_string(*in) + ", the query_dimension: without a mean the query is the centre");
    const Index d = in.value_or(out.value_or(wide.map.output_dimension()));
    return {{QueryMap::identity(d), py::make_tuple("identity", d)}, wide};
  }
  QueryMapObject centre = query_map_from(mean, "mean", in.value_or(kAny), out.value_or(kAny));
  require_dimension("input_dimension", out, centre.map.output_dimension());
  if (centre.map.query_dimension() > 0) require_dimension("query_dimension", in, centre.map.query_dimension());
  return {std::move(centre), wide};
}

template <class Model>
void bind_window(py::module_& m, const char* name, const char* width_name, const char* doc) {
  py::class_<Of<Model>, ConditionalObject>(m, name, doc)
      .def(py::init([width_name](const py::object& mean, const py::object& width, std::optional<Index> query_dimension,
                                 std::optional<Index> input_dimension) {
             const Window window = window_from(mean, width, width_name, query_dimension, input_dimension);
             return made(Model(window.mean.map, window.width.map), window.args());
           }),
           "mean"_a = py::none(), py::arg(width_name), py::kw_only(), "query_dimension"_a = py::none(),
           "input_dimension"_a = py::none());
}

}  // namespace

void bind_windows(py::module_& m) {
  bind_window<GaussianConditional>(m, "GaussianConditional", "sd",
                                   R"(X is normal around mean(a), with deviation sd(a), coordinates independent.

mean and sd: a function of a batch, (n, d) to (n, k); a number or vector; or a `QueryMap`. Without a mean the query is the
centre. To find how many columns a function reads, it is called on zeros of one column, two, ...; where that is not
clear, as for lambda a: a, the fewest are assumed unless query_dimension is given.

>>> cond = iqbo.GaussianConditional(mean=lambda a: 2.0 * a, sd=0.5)
>>> round(float(cond.q(iqbo.Rbf(1.0, 1.0), [0.3])[0, 0]), 4)   # 1 / sqrt(1 + 2 sd^2)
0.8165
)");
  bind_window<UniformConditional>(m, "UniformConditional", "half_width",
                                  R"(X is uniform on the box mean(a) +- half_width(a).

mean and half_width as for `GaussianConditional`.

>>> iqbo.UniformConditional(half_width=0.1)
UniformConditional(QueryMap.identity(1), 0.1)
)");
  py::class_<Of<SpreadConditional>, ConditionalObject>(
      m, "SpreadConditional", R"(A box seen through a Gaussian blur: X = mean(a) + sd(a) N + half_width(a) U.

>>> iqbo.conditionals.SpreadConditional(lambda a: a, 0.1, 0.2).input_dimension
1
)")
      .def(py::init([](const py::object& mean, const py::object& sd, const py::object& half_width,
                       std::optional<Index> in, std::optional<Index> out) {
             const Window window = window_from(mean, sd, "sd", in, out);
             const QueryMapObject box = query_map_from(half_width, "half_width", in.value_or(kAny));
             return made(SpreadConditional(window.mean.map, window.width.map, box.map),
                         window.args() + py::make_tuple(py::cast(box)));
           }),
           "mean"_a, "sd"_a, "half_width"_a, py::kw_only(), "query_dimension"_a = py::none(),
           "input_dimension"_a = py::none());
  py::class_<Of<TruncatedConditional>, ConditionalObject>(m, "TruncatedConditional",
                                                          R"(A Gaussian or uniform window confined to a box.

truncation "clip": what falls outside is put on the nearest face; "renormalise": p(x|a) is cut off and scaled up.

nodes: of the Gauss rule that integrates each coordinate, exact for polynomials of degree 2 nodes - 1. Error of q and c relative
to the variance with 10 nodes, for lengthscales in units of the window's sd (or half width): Rbf 1e-9 from 2, 2e-5 at 1, 6e-2 at
0.3; Matern52 2e-3 and Matern12 4e-2 at 1. Narrow kernels need more. Beyond 25,000 points of the grid, (nodes + 2)^d, means
that are not affine and kernels of your own are refused.

>>> window = iqbo.GaussianConditional(sd=0.5)
>>> cond = iqbo.conditionals.TruncatedConditional(window, iqbo.InputBox([0.0], [1.0]), "renormalise")
>>> bool(cond.nu(iqbo.kernels.LinearMean(0.0, [1.0]), [0.0])[0] > 0.0)    # nothing is left of 0
True
)")
      .def(py::init([](const py::object& window, const InputBox& domain, const std::string& truncation, int nodes) {
             const Truncation how = value_of(kTruncations, truncation, "truncation");
             const py::tuple args = py::make_tuple(window, domain, truncation, nodes);
             const Conditional* inner =
                 object_from<ConditionalObject>(window, "window", "a GaussianConditional or a UniformConditional")
                     .model.get();
             if (const auto* g = dynamic_cast<const GaussianConditional*>(inner))
               return made(TruncatedConditional(*g, domain, how, nodes), args);
             if (const auto* u = dynamic_cast<const UniformConditional*>(inner))
               return made(TruncatedConditional(*u, domain, how, nodes), args);
             refuse("window", brief(window), "a GaussianConditional or a UniformConditional");
           }),
           "window"_a, "domain"_a, "truncation"_a = "clip", "nodes"_a = TruncatedConditional::kNodes);
}

}  // namespace iqbo::python
