// Classical test functions, with the sign such that they are maximised.
#pragma once

#include <string>
#include <vector>

#include "expansion.hpp"
#include "iqbo/space/box.hpp"

namespace iqbo {

struct TestFunction {
  std::string name;
  std::string title;
  InputBox box;
  Inputs argmax;  // to the digits of the literature
  Expansion f;
  std::string text;             // formula, source, choice of the box
  double relative_noise = 0.1;  // suggested
  bool smooth = true;           // false: averages under truncated windows are not exact
};

const std::vector<TestFunction>& test_functions();

// Gaussian hills: sum_i height_i exp(-(x - centre_i)^2 / (2 width_i^2)) on the line.
struct Hill {
  double height, centre, width;
};
Expansion hills(const std::vector<Hill>& list);

}  // namespace iqbo
