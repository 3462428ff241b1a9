// Specs of every kind, small enough to run in tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "iqbo/record/spec_bundle.hpp"
#include "iqbo/record/spec_template.hpp"

namespace iqbo::test {

inline SpecBundle template_bundle(const std::string& name) {
  SpecBundle out;
  const auto files = spec_template(name);
  out.text = files.front().text;
  for (std::size_t i = 1; i < files.size(); ++i) out.files[files[i].name] = files[i].text;
  return out;
}

// `rest` follows "targets" and "queries" in a one-dimensional spec.
inline SpecBundle line_bundle(const std::string& query, const std::string& rest, const std::string& grid = "21") {
  return {R"({"version": 2, "seed": 5,
              "targets": {"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1, "grid": )" +
              grid + "}]}, \"queries\": " + query + ", " + rest + "}",
          {{"q.csv", "q,u,m,w,price\nleft,1,0.2,0.1,1\nmiddle,2,0.5,0.05,2\nright,3,0.8,0.1,1\n"},
           {"bags.csv", "q,x,n\nleft,0.1,1\nleft,0.3,1\nmiddle,0.5,2\nright,0.8,1\nright,0.9,3\n"},
           {"pairs.csv", "x,u\n0.2,1\n0.22,1\n0.25,1\n0.5,2\n0.55,2\n0.45,2\n0.8,3\n0.83,3\n0.77,3\n"}}};
}

inline const std::string kGivenPrior =
    R"("kernel": {"family": "rbf", "lengthscale": 0.2, "variance": 1}, "noise_sd": 0.05)";

// Names and runnable specs, one for each kind of query and conditional.
inline std::vector<std::pair<std::string, SpecBundle>> every_kind() {
  const std::string points = R"({"kind": "points", "points": "q.csv", "id": "q")";
  const std::string box = R"({"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1)";
  const std::string window = R"("conditional": {"kind": "gaussian", "width": 0.1}, )";
  const std::string follows = R"("conditional": {"kind": "uniform", "width": "resolution"}, )";
  SpecBundle cells{R"({"version": 2, "targets": {"kind": "points", "points": "p.csv", "coordinates": ["x"]},
                       "queries": {"kind": "cells", "tree": {"levels": 3, "weight": "n"}},
                       "conditional": {"kind": "cells"}, )" +
                       kGivenPrior + "}",
                   {{"p.csv", "x,n\n0,1\n0.1,2\n0.3,1\n0.4,1\n0.7,3\n0.8,1\n0.9,1\n1,1\n"}}};
  return {
      {"box", line_bundle(box + "}]}", window + kGivenPrior)},
      {"grid", line_bundle(box + R"(, "grid": 9}]})", window + kGivenPrior)},
      {"box and box", line_bundle(box + "}]}", window + kGivenPrior, "0")},
      {"clipped",
       line_bundle(box + R"(, "grid": 9}]})",
                   R"("conditional": {"kind": "uniform", "width": 0.1, "truncate": "clip"}, )" + kGivenPrior)},
      {"affine", line_bundle(R"({"kind": "box", "axes": [{"name": "u", "from": 0, "to": 4, "grid": 9}]})",
                             R"("conditional": {"kind": "gaussian", "mu": {"slope": [[0.25]], "offset": [0.05]},
                                "width": {"slope": [[0.01]], "offset": [0.02]}}, )" +
                                 kGivenPrior)},
      {"columns", line_bundle(points + "}", R"("conditional": {"kind": "gaussian", "mu": {"columns": ["m"]},
                                                "width": {"columns": ["w"]}}, )" +
                                                kGivenPrior)},
      {"bags", line_bundle(points + R"(, "cost": "price"})",
                           R"("conditional": {"kind": "bags", "bags": "bags.csv", "weight": "n"}, "budget": 9, )" +
                               kGivenPrior)},
      {"learned",
       line_bundle(points + R"(, "coordinates": ["u"]})",
                   R"("conditional": {"kind": "learned", "pairs": "pairs.csv", "model": "nw"}, )" + kGivenPrior)},
      {"resolutions", line_bundle(box + R"(}], "resolutions": [0.2, 0.05], "costs": [1, 2]})", follows + kGivenPrior)},
      {"grid of resolutions",
       line_bundle(box + R"(, "grid": 5}], "resolutions": [0.2, 0.05], "costs": [1, 2]})", follows + kGivenPrior)},
      {"tree", line_bundle(box + R"(}], "tree": {"levels": 4, "resolutions": [0.5, 0.25, 0.12, 0.06],
                                   "noise_sds": [0.05, 0.05, 0.1, 0.1]}})",
                           follows + R"("budget": 20, )" + kGivenPrior)},
      {"cells", cells},
      {"own noise",
       line_bundle(points + R"(, "cost": "price", "noise_sd": "w"})",
                   R"("conditional": {"kind": "gaussian", "mu": {"columns": ["m"]}, "width": 0.1}, )" + kGivenPrior)},
  };
}

}  // namespace iqbo::test
