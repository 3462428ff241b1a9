// Plain data as a Python class: attributes that cannot be set, a repr worth reading, equality, pickle and copy.
//
//   Record<Answer>(m, "Answer", "The answer of a query.")
//       .field("value", &Answer::value)
//       .field("noise_sd", &Answer::noise_sd);
//
// Lists of numbers and points become arrays.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "casts.hpp"
#include "names.hpp"

namespace iqbo::python {

// A Python object whose type signatures, and with them the type stubs, name as that of As.
template <class As>
class Typed : public py::object {
 public:
  explicit Typed(py::object value) : py::object(std::move(value)) {}
};

// Converts a member to Python and back.
template <class Member>
struct Shown {
  using As = Member;
  static py::object of(const Member& value) { return py::cast(value); }
  static Member from(py::handle value, std::string_view name) { return value_from<Member>(value, name); }
};
template <class Space>
struct Shown<Points<Space>> {
  using As = Rows;
  static py::object of(const Points<Space>& value) { return to_array(value); }
  static Points<Space> from(py::handle value, std::string_view name) {
    return Points<Space>(value_from<Rows>(value, name));
  }
};
template <>
struct Shown<std::vector<double>> {
  using As = Vector;
  static py::object of(const std::vector<double>& value) { return to_array(value); }
  static std::vector<double> from(py::handle value, std::string_view name) {
    return value_from<std::vector<double>>(value, name);
  }
};
template <>
struct Shown<std::vector<std::vector<double>>> {
  using As = Rows;
  static py::object of(const std::vector<std::vector<double>>& value) { return to_array(value); }
  static std::vector<std::vector<double>> from(py::handle value, std::string_view name) {
    return value_from<std::vector<std::vector<double>>>(value, name);
  }
};

template <class T>
class Record {
 public:
  Record(py::handle scope, const char* name, const char* doc)
      : class_(scope, name, doc),
        fields_(std::make_shared<std::vector<Field>>()),
        shown_(std::make_shared<std::function<std::string(const T&)>>()) {
    class_.def("__repr__", [fields = fields_, shown = shown_, title = std::string(name)](const T& self) {
      if (*shown) return (*shown)(self);
      std::string out;
      for (const Field& field : *fields) {
        const py::object value = field.get(self);
        if (value.is_none() || (py::isinstance<py::str>(value) && py::len(value) == 0)) continue;
        out += (out.empty() ? "" : ", ") + field.name + "=" + brief(value);
      }
      return title + "(" + out + ")";
    });
    class_.def(py::pickle([fields = fields_](const T& self) { return values(*fields, self); },
                          [fields = fields_](const py::tuple& state) {
                            auto out = std::make_unique<T>(T{});
                            // Fields are only ever added at the end; an older pickle does not have the last ones.
                            const std::size_t count = std::min(fields->size(), state.size());
                            for (std::size_t i = 0; i < count; ++i) (*fields)[i].set(*out, state[i]);
                            return out;
                          }));
    class_.def("__copy__", [](py::object self) { return self; });  // it is immutable
    class_.def(
        "__deepcopy__", [](py::object self, const py::dict&) { return self; }, "memo"_a);
    if constexpr (requires(const T& a, const T& b) { a == b; }) {
      class_.def(
          "__eq__", [](const T& self, const T& other) { return self == other; }, py::is_operator());
      class_.attr("__hash__") = py::none();
    }
  }

  template <class Member>
  Record& field(const char* name, Member T::*member, const char* doc = "") {
    return add<typename Shown<Member>::As>(
        name, doc, [member](const T& self) { return Shown<Member>::of(self.*member); },
        [member, title = std::string(name)](T& self, py::handle value) {
          self.*member = Shown<Member>::from(value, title);
        });
  }

  // A member of an enumeration, seen by name.
  template <class Enum, std::size_t N>
  Record& field(const char* name, Enum T::*member, const Names<Enum, N>& names, const char* doc = "") {
    return add<std::string>(
        name, doc, [member, names](const T& self) { return py::str(name_of(names, self.*member)); },
        [member, names, title = std::string(name)](T& self, py::handle value) {
          self.*member = value_of(names, value_from<std::string>(value, title), title);
        });
  }

  // A member that Python sees as another type.
  template <class As, class Get, class Set>
  Record& field_as(const char* name, Get get, Set set, const char* doc = "") {
    return add<As>(
        name, doc, [get](const T& self) { return py::cast(As(get(self))); },
        [set, title = std::string(name)](T& self, py::handle value) { set(self, value_from<As>(value, title)); });
  }

  Record& repr(std::function<std::string(const T&)> shown) {
    *shown_ = std::move(shown);
    return *this;
  }

  // mean, var = posterior.f(x)
  Record& unpacks() {
    class_.def("__iter__", [fields = fields_](const T& self) { return py::iter(values(*fields, self)); });
    class_.def("__len__", [fields = fields_](const T&) { return fields->size(); });
    class_.def("__getitem__", [fields = fields_](const T& self, const py::object& i) -> py::object {
      return values(*fields, self)[i];  // not the accessor, which would refer to a destroyed tuple
    });
    return *this;
  }

  // A constructor from keywords; members that are not given are those of `start`.
  Record& made(const T& start = {}) {
    class_.def(py::init([fields = fields_, start](const py::kwargs& given) {
      auto out = std::make_unique<T>(start);
      std::vector<std::string> known;
      for (const Field& field : *fields) {
        known.push_back(field.name);
        if (given.contains(field.name)) field.set(*out, given[field.name.c_str()]);
      }
      for (const auto& [key, value] : given) {
        const auto text = key.template cast<std::string>();
        if (std::find(known.begin(), known.end(), text) == known.end())
          throw py::type_error("unexpected keyword " + internal::in_quotes(text) + ", expected " +
                               internal::expected_names(text, known));
      }
      return out;
    }));
    return *this;
  }

  py::class_<T>& type() { return class_; }

 private:
  struct Field {
    std::string name;
    std::function<py::object(const T&)> get;
    std::function<void(T&, py::handle)> set;
  };

  static py::tuple values(const std::vector<Field>& fields, const T& self) {
    py::tuple out(fields.size());
    for (std::size_t i = 0; i < fields.size(); ++i) out[i] = fields[i].get(self);
    return out;
  }

  template <class As>
  Record& add(const char* name, const char* doc, std::function<py::object(const T&)> get,
              std::function<void(T&, py::handle)> set) {
    class_.def_property_readonly(
        name, [get](const T& self) { return Typed<As>(get(self)); }, doc);
    fields_->push_back({name, std::move(get), std::move(set)});
    return *this;
  }

  py::class_<T> class_;
  std::shared_ptr<std::vector<Field>> fields_;
  std::shared_ptr<std::function<std::string(const T&)>> shown_;
};

}  // namespace iqbo::python

template <class As>
struct pybind11::detail::handle_type_name<iqbo::python::Typed<As>> {
  static constexpr auto name = make_caster<As>::name;
};
