// A map from queries to vectors, in the forms that Python may give.
#pragma once

#include <string_view>

#include "arrays.hpp"
#include "iqbo/conditional/query_map.hpp"

namespace iqbo::python {

struct QueryMapObject {
  QueryMap map;
  py::tuple made;  // (kind, arguments...): QueryMap(*made) makes an equal map
};

// A QueryMap; a function of a batch, (n, d) to (n, k); or a number or vector, the same for every query. If a number of
// columns is not given (kAny), the function is called on zeros of one column, then two, ... to find it: columns_of().
QueryMapObject query_map_from(const py::object& map, std::string_view name, Index query_dimension = kAny,
                              Index output_dimension = kAny);

}  // namespace iqbo::python
