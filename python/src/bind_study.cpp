#include "iqbo/study/study.hpp"

#include <unistd.h>

#include "core/activity.hpp"
#include "custom.hpp"
#include "iqbo/record/json.hpp"
#include "map/study_map.hpp"
#include "objects.hpp"
#include "record/mistakes.hpp"
#include "records.hpp"
#include "setup/footprints.hpp"
#include "setup/study_setup.hpp"
#include "snapshots.hpp"

namespace iqbo::python {

using namespace internal;

namespace {

// A study belongs to the process that opened it: database connections do not survive a fork.
class StudyObject {
 public:
  StudyObject(Study study, std::string location) : study_(std::move(study)), location_(std::move(location)) {}

  template <class Work>
  auto use(Work&& work) {
    if (getpid() != process_)
      throw std::runtime_error("this study was opened by another process, before a fork; open it again here");
    return study_.use(std::forward<Work>(work));
  }
  const std::string& location() const { return location_; }

 private:
  Guarded<Study> study_;
  std::string location_;
  pid_t process_ = getpid();
};

StudyOptions options_from(const std::string& worker, double lease_seconds, const py::object& acquisition) {
  StudyOptions out{worker, lease_seconds, {}, {}};
  if (!acquisition.is_none()) out.score = custom_score(acquisition, "acquisition");
  return out;
}

std::unique_ptr<StudyObject> create(const std::string& location, const std::string& text,
                                    const std::map<std::string, std::string>& files, const std::string& worker,
                                    double lease_seconds, const py::object& acquisition) {
  const StudyOptions options = options_from(worker, lease_seconds, acquisition);
  return std::make_unique<StudyObject>(without_gil([&] {
                                         return Study::create(location, {text, files}, options);
                                       }),
                                       location);
}

std::unique_ptr<StudyObject> open(const std::string& location, bool read_only, const std::string& worker,
                                  double lease_seconds, const py::object& acquisition) {
  const StudyOptions options = options_from(worker, lease_seconds, acquisition);
  const Access access = read_only ? Access::kReadOnly : Access::kReadWrite;
  return std::make_unique<StudyObject>(without_gil([&] { return Study::open(location, access, options); }), location);
}

// A method of Study without arguments.
template <class Pick>
auto asked(Pick pick) {
  return [pick](StudyObject& self) { return self.use([&](Study& study) { return pick(study); }); };
}

using Import = std::size_t (Study::*)(const CsvTable&, const std::string&);
auto imported(Import method) {
  return [method](StudyObject& self, const std::string& csv, const std::string& source) {
    return self.use([&](Study& study) { return (study.*method)(internal::parse_rows(csv, source), source); });
  };
}

void bind_campaign(py::class_<StudyObject>& type) {
  type.def(
          "ask",
          [](StudyObject& self, Index count, const std::vector<std::int64_t>& holding, std::optional<std::int64_t> most,
             bool beyond) {
            const AskResult out = self.use([&](Study& study) { return study.ask({count, holding, most, beyond}); });
            return py::make_tuple(out.trials, out.why);
          },
          "count"_a, "holding"_a, "most"_a, "beyond"_a)
      .def(
          "tell",
          [](StudyObject& self, std::int64_t number, const Answer& answer) {
            return self.use([&](Study& study) { return study.tell(number, answer).trial; });
          },
          "number"_a, "answer"_a)
      .def(
          "amend",
          [](StudyObject& self, std::int64_t number, const Answer& answer) {
            return self.use([&](Study& study) { return study.amend(number, answer).trial; });
          },
          "number"_a, "answer"_a)
      .def(
          "fail",
          [](StudyObject& self, std::int64_t number, const std::string& reason) {
            return self.use([&](Study& study) { return study.fail(number, reason).trial; });
          },
          "number"_a, "reason"_a)
      .def(
          "heartbeat",
          [](StudyObject& self, std::int64_t number) {
            return self.use([&](Study& study) { return study.heartbeat(number); });
          },
          "number"_a)
      .def("import_observations", imported(&Study::import_observations), "csv"_a, "source"_a)
      .def("import_values", imported(&Study::import_values), "csv"_a, "source"_a)
      .def("import_pairs", imported(&Study::import_pairs), "csv"_a, "source"_a);
}

void bind_looking(py::class_<StudyObject>& type) {
  type.def("recommend", asked([](Study& study) { return study.best(); }))
      .def(
          "predict_f",
          [](StudyObject& self, const ArrayLike& x) {
            const auto d = static_cast<Index>(
                self.use([](Study& study) { return coordinate_names(study.names().spec.targets).size(); }));
            const Rows at = rows(x, "x", d);
            return self.use([&](Study& study) { return study.predict_f(at); });
          },
          "x"_a)
      .def(
          "predict_g",
          [](StudyObject& self, const ArrayLike& a) {
            const auto d = static_cast<Index>(self.use([](Study& study) {
              const Spec& spec = study.names().spec;
              return coordinate_names(spec.queries, spec.targets).size();
            }));
            const Rows at = rows(a, "a", d);
            return self.use([&](Study& study) { return study.predict_g(at); });
          },
          "a"_a)
      .def(
          "chances",
          [](StudyObject& self, const ArrayLike& at, bool queries, std::optional<double> above, Index among,
             double holds, Index draws) {
            const Rows points = rows(at, queries ? "a" : "x");
            const ChanceOptions options{above, among, holds, draws};
            return self.use([&](Study& study) {
              return queries ? study.chances_g(points, options) : study.chances_f(points, options);
            });
          },
          "at"_a, "queries"_a, "above"_a, "among"_a, "holds"_a, "draws"_a)
      .def("stopping", asked([](Study& study) { return study.stopping(); }))
      .def(
          "tell_query",
          [](StudyObject& self, const std::string& name, const Answer& answer) {
            return self.use([&](Study& study) { return study.tell_query(name, answer).trial; });
          },
          "name"_a, "answer"_a)
      .def(
          "predict_counts",
          [](StudyObject& self, const ArrayLike& a, const OptionalArray& exposure) {
            const Rows at = rows(a, "a");
            const Vector among = exposure ? vector_or_number(*exposure, "exposure", at.rows()) : Vector();
            return self.use([&](Study& study) { return study.predict_counts(at, among); });
          },
          "a"_a, "exposure"_a = py::none())
      .def(
          "conditional",
          [](StudyObject& self, const ArrayLike& a) {
            const Rows given = rows(a, "a");
            const auto [setup, at] = self.use([&](Study& study) {
              const StudySetup& made = study.setup();
              return std::make_pair(made.setting().conditional, made.policy_query(given));
            });
            return py::make_tuple(to_python(setup, py::make_tuple(py::none(), py::none())), to_array(at));
          },
          "a"_a, "p(x given a), and queries as it reads them: for pictures.")
      .def("status", asked([](Study& study) { return study.status(); }))
      .def("fit", asked([](Study& study) { return study.fit(); }))
      .def("link", asked([](Study& study) { return to_string(study.link()); }))
      .def("learned", asked([](Study& study) { return study.learned(); }))
      .def("pairs",
           [](StudyObject& self) {
             const PairTable pairs = self.use([](Study& study) { return study.pairs(); });
             return py::make_tuple(pairs.x, pairs.a);
           })
      .def("snapshot", asked([](Study& study) {
             const Spec& spec = study.names().spec;
             return named(study.snapshot(), coordinate_names(spec.targets),
                          coordinate_names(spec.queries, spec.targets));
           }))
      .def("trials", asked([](Study& study) { return study.storage().trials(); }))
      .def(
          "events",
          [](StudyObject& self, std::int64_t after) {
            return self.use([&](Study& study) {
              std::vector<std::string> out;
              for (const Event& event : study.storage().events(after)) out.push_back(to_json(event));
              return out;
            });
          },
          "after"_a);
}

// --- maps ---

py::list rings_of(const std::vector<MapRing>& rings) {
  py::list out;
  for (const MapRing& ring : rings) out.append(py::make_tuple(Rows(ring.points), ring.hole));
  return out;
}

// (system, polygons as lists of (points, hole), points): of inputs or queries, by the boundaries and rasters that the study keeps.
py::tuple map_shapes(StudyObject& self, const ArrayLike& at, const std::vector<std::string>& names, bool of_g,
                     const std::string& system) {
  const Rows points = rows(at, of_g ? "a" : "x");
  const auto [found, shapes] = self.use([&](Study& study) {
    std::vector<TileRecord> tiled;
    if (of_g) {
      const StudySetup& setup = study.setup();
      tiled = tiles(setup, setup.policy_query(points)).value_or(std::vector<TileRecord>{});
    }
    const StudyMap map(study.data(), study.storage().bundle(), system);
    return std::make_pair(map.system(), of_g ? map.queries(points, names, tiled) : map.inputs(points, names));
  });
  py::list polygons;
  for (const std::vector<MapRing>& rings : shapes.polygons) polygons.append(rings_of(rings));
  return py::make_tuple(found, polygons, Rows(shapes.points));
}

// areas: [(name, [(points, hole), ...], attributes)].
py::tuple bundle_of_map(const py::list& areas, const std::vector<std::string>& fields, const Rows& weights,
                        const GeoTransform& transform, const py::dict& about) {
  MapData data;
  data.fields = fields;
  data.raster = {weights, transform, about["block"].cast<Index>()};
  for (const py::handle& each : areas) {
    const auto area = each.cast<py::tuple>();
    MapArea one{area[0].cast<std::string>(), {}, area[2].cast<std::vector<std::string>>()};
    for (const py::handle& ring : area[1]) {
      const auto part = ring.cast<py::tuple>();
      one.rings.push_back({part[0].cast<Rows>(), part[1].cast<bool>()});
    }
    data.areas.push_back(std::move(one));
  }
  data.system = about["system"].cast<std::string>();
  data.degrees = about["degrees"].cast<bool>();
  data.unit_km = about["unit_km"].cast<double>();
  data.source = about["source"].cast<std::string>();
  const MapOptions options{about["name"].cast<std::string>(), about["minimize"].cast<bool>(),
                           about["counts"].cast<bool>(), about["value"].cast<std::string>()};
  const SpecBundle out = without_gil([&] { return study_of_map(data, options); });
  return py::make_tuple(out.text, out.files, out.notes);
}

// Fits are announced to Python's logging, by the thread that asked for them: threads of the library have no part in Python. None: no more.
void announce_activities(const py::object& call) {
  if (call.is_none()) return on_every_activity({});
  on_every_activity([call = Callable(call.cast<py::function>())](const std::string& what, double seconds) {
    const bool told = what.starts_with("fitting") || what.starts_with("learning");
    if (!told || PyGILState_GetThisThreadState() == nullptr) return;
    const py::gil_scoped_acquire lock;
    const py::error_scope before;  // of Python, if there is one: it is no concern of the announcement
    try {
      call(what, seconds);
    } catch (py::error_already_set& error) {
      error.discard_as_unraisable("iqbo");
    }
  });
}

void bind_data(py::class_<StudyObject>& type) {
  type.def_property_readonly("location", &StudyObject::location)
      .def_property_readonly("shown", asked([](Study& study) { return study.storage().location(); }))
      .def_property_readonly("text", asked([](Study& study) { return study.storage().bundle().text; }))
      .def_property_readonly("files", asked([](Study& study) { return study.storage().bundle().files; }))
      .def_property_readonly("spec", asked([](Study& study) { return to_json(study.names().spec); }))
      .def_property_readonly("x_names",
                             asked([](Study& study) { return coordinate_names(study.names().spec.targets); }))
      .def_property_readonly("a_names", asked([](Study& study) {
                               const Spec& spec = study.names().spec;
                               return coordinate_names(spec.queries, spec.targets);
                             }))
      .def_property_readonly("query_ids", asked([](Study& study) { return study.data().queries.ids; }))
      .def_property_readonly("target_ids", asked([](Study& study) { return study.data().targets.ids; }))
      .def_property_readonly("queries", asked([](Study& study) { return Rows(study.data().queries.coordinates); }))
      .def_property_readonly("targets", asked([](Study& study) { return Rows(study.data().targets.coordinates); }));
}

}  // namespace

void bind_study(py::module_& m) {
  py::class_<StudyObject> type(m, "_Study", "A campaign that survives; `iqbo.Study` is what people use.");
  type.def_static("create", &create, "location"_a, "text"_a, "files"_a, "worker"_a, "lease_seconds"_a, "acquisition"_a)
      .def_static("open", &open, "location"_a, "read_only"_a, "worker"_a, "lease_seconds"_a, "acquisition"_a);
  bind_campaign(type);
  bind_looking(type);
  bind_data(type);
  type.def("map_shapes", &map_shapes, "at"_a, "names"_a, "queries"_a, "system"_a);
  m.def("_study_of_map", &bundle_of_map, "areas"_a, "fields"_a, "weights"_a, "transform"_a, "about"_a);
  m.def("_announce", &announce_activities, "call"_a);
  m.def("study_exists", &study_exists, "location"_a, py::call_guard<py::gil_scoped_release>(),
        R"(Whether there is a study at a file, a postgresql:// address or memory:name.

>>> iqbo.studies.study_exists("memory:nobody")
False
)");
}

}  // namespace iqbo::python
