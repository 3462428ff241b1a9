// Starting points: a commented spec and small files that go with it, each of which parses, loads and can be run.
//
//   districts   surveys of districts; the hottest pixel is sought. Bags.
//   counts      cases in districts; the cell with the highest incidence is sought. Bags, and answers that are counts.
//   tiles       tiles of a satellite, coarse and cheap or fine and expensive, with one budget. A tree.
//   trial       clinics, each with its own doses; the best dose is sought. p(x given a) learned from logged pairs.
//   map         regions with shapes (GeoJSON), weights and costs. Bags by coordinates.
//   carolina    real data: sudden infant deaths in the counties of North Carolina. Bags, counts, shapes.
//   tokyo       real data: deaths around Tokyo, observed and expected. Bags, counts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace iqbo {

struct TemplateFile {
  std::string name;
  std::string text;
};

const std::vector<std::string>& template_names();

// The spec, study.json, first; refuses an unknown name with the nearest.
std::vector<TemplateFile> spec_template(std::string_view name);

}  // namespace iqbo
