// A real field, as ./dev fields wrote it, and random parts of it.
#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "iqbo/core/points.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/record/csv.hpp"
#include "iqbo/record/text_file.hpp"

namespace iqbo::study {

struct RealField {
  Rows places;    // x and y of each
  Vector value;   // of f there
  Vector weight;  // in an average; 1 unless the file says otherwise

  Index size() const { return value.size(); }

  RealField part(const std::vector<Index>& rows) const { return {places(rows, Eigen::all), value(rows), weight(rows)}; }
};

// Columns x, y, value and perhaps weight.
inline RealField read_field(const std::string& file) {
  const CsvTable table = parse_csv(read_text(file), file);
  const auto column = [&](const char* name) {
    const std::size_t at = table.position(name);
    Vector out(static_cast<Index>(table.size()));
    for (std::size_t i = 0; i < table.size(); ++i) out[static_cast<Index>(i)] = table.number(i, at);
    return out;
  };
  RealField out{Rows(static_cast<Index>(table.size()), 2), column("value"), Vector()};
  out.places << column("x"), column("y");
  out.weight = table.has("weight") ? column("weight") : Vector(Vector::Ones(out.size()));
  return out;
}

// Of a raster: a random window of about side x side of its cells.
inline RealField some_window(const RealField& raster, Index side, Rng& rng) {
  std::vector<double> from(2);
  std::vector<double> to(2);
  for (Index axis = 0; axis < 2; ++axis) {
    std::vector<double> lines(raster.places.col(axis).begin(), raster.places.col(axis).end());
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    const auto all = static_cast<Index>(lines.size());
    const Index wide = std::min(side, all);
    const Index first = rng.below(all - wide + 1);
    from[static_cast<std::size_t>(axis)] = lines[static_cast<std::size_t>(first)];
    to[static_cast<std::size_t>(axis)] = lines[static_cast<std::size_t>(first + wide - 1)];
  }
  std::vector<Index> inside;
  for (Index i = 0; i < raster.size(); ++i) {
    const auto place = raster.places.row(i);
    if (place[0] >= from[0] && place[0] <= to[0] && place[1] >= from[1] && place[1] <= to[1]) inside.push_back(i);
  }
  return raster.part(inside);
}

// A random subset of this share of the places.
inline RealField some_places(const RealField& field, double share, Rng& rng) {
  std::vector<Index> order(static_cast<std::size_t>(field.size()));
  std::iota(order.begin(), order.end(), Index{0});
  for (Index i = field.size() - 1; i > 0; --i)
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(rng.below(i + 1))]);
  order.resize(static_cast<std::size_t>(std::max(2.0, share * static_cast<double>(field.size()))));
  std::sort(order.begin(), order.end());
  return field.part(order);
}

}  // namespace iqbo::study
