#include <iostream>
#include <stdexcept>

#include "iqbo/core/points.hpp"
#include "iqbo/core/rng.hpp"

int main() {
  const iqbo::Inputs x{{0.25, 1.0}, {0.75, 2.0}};
  std::cout << x.size() << " points of dimension " << x.dimension() << "\n";
  iqbo::Rng first(7);
  iqbo::Rng again(7);
  std::cout << (first.normals(5) == again.normals(5) ? "same" : "different") << " numbers from the same seed\n";
  try {
    x.joined(iqbo::Inputs{{0.5}});
  } catch (const std::invalid_argument& error) {
    std::cout << error.what() << "\n";
  }
}
