// Which rare spots a budget could find, before there is any answer.
//
// A Gaussian spot of sd u and height A changes the average over a window of width w, one per axis, that holds it by
//
//   A prod_axes (u / w) sqrt(2 pi) (Phi((w - p) / u) - Phi(-p / u)),      p its place in the window, in [0, w]
//
// and shows if that is kShift times what is left unexplained of such an answer once all others of that size are known: its
// noise, and the background that they do not tell. How large that is shows only with the answers, so heights are in units of
// it. Windows of a size can be looked through everywhere if the budget pays for as many as cover X; on a tree the larger ones
// have to be asked first.
#pragma once

#include <optional>
#include <vector>

#include "iqbo/core/matrix.hpp"

namespace iqbo {

// The queries of one size.
struct WindowSize {
  double width;  // geometric mean of the sides
  double share;  // of X that one of them covers
  double cost;   // of one
};

struct SpotReach {
  WindowSize window;
  double covered;      // share of X that can be looked at through such windows
  double height;       // of a spot whose sd is half their width, so that it shows at three places out of four
  double half_height;  // of one half as wide
};

// The smallest windows with which the budget covers most of X; none if these are larger than a quarter of X. `in_turn`: larger ones come first.
std::optional<SpotReach> spot_reach(std::vector<WindowSize> sizes, int axes, double budget, bool in_turn);

// The height, in units of what is left unexplained, at which a spot of this sd shows in a window of width 1 at three places
// out of four.
double visible_height(double sd, int axes);

}  // namespace iqbo
