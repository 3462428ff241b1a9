// A map from queries to vectors as Python may give it.
#pragma once

#include <string_view>

#include "arrays.hpp"
#include "iqbo/conditional/query_map.hpp"

namespace iqbo::python {

struct QueryMapObject {
  QueryMap map;
  py::tuple made;  // (kind, arguments...): QueryMap(*made) is another
};

// A QueryMap; a function of a batch, (n, d) to (n, k); or a number or vector, the same for every query. Numbers of columns that
// are not given (kAny) are found by asking the function about zeros, of one column, then two, ...: see columns_of().
QueryMapObject query_map_from(const py::object& map, std::string_view name, Index query_dimension = kAny,
                              Index output_dimension = kAny);

}  // namespace iqbo::python
