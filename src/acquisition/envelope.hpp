// The upper envelope of the lines m_i + b_i Z, relative to the line with the largest m, the top.
//
// Relative to the top a line has a drop d = m_top - m >= 0 and a tilt b = c - c_top; it overtakes at Z = d sd / b. To
// the right of Z = 0 only b > 0 matters, to the left only b < 0, and the two sides are the same problem: the lower
// convex hull of the points (|b|, d), from the origin up to the slope that Z can reach.
#pragma once

#include <span>
#include <vector>

#include "iqbo/core/matrix.hpp"

namespace iqbo {

struct Line {
  double tilt;  // |b|, in units of c
  double drop;
  Index index;
};

class Envelope {
 public:
  explicit Envelope(const Vector& mean);

  Index top() const { return top_; }

  // The lines on the envelope for sd = sqrt(q + noise_var), from the top outwards on either side, starting with the
  // top. Valid until the next trace. Returns false if no line ever overtakes.
  bool trace(const Eigen::Ref<const Vector>& c, double sd);
  const std::vector<Line>& right() const { return right_; }
  const std::vector<Line>& left() const { return left_; }

 private:
  struct Side {
    std::span<Line> lines;
    Index farthest = 0;
  };
  double first_corner(const Eigen::Ref<const Vector>& c, double sd);
  void collect(double steepest);
  void hull(const Side& side, std::vector<Line>& chain);
  void between(const Line& from, const Line& to, const Side& side, std::vector<Line>& chain);

  Index top_ = 0;
  Eigen::ArrayXd drop_;
  Eigen::ArrayXd tilt_;
  std::vector<Line> pool_;   // lines that matter: right side from the front, left side from the back
  std::vector<Line> spare_;  // for partitions
  Side sides_[2];
  std::vector<Line> right_, left_;
};

}  // namespace iqbo
