// Expectations of an RBF kernel under uniform boxes, in units of the lengthscale:
//
//   D = delta + w U + v V,   U, V independent and uniform on [-1, 1],   half-widths w, v >= 0
//
//   box_rbf            E[exp(-D^2/2)]
//   box_rbf_moments    E[D^k exp(-D^2/2)],  k = 0, 1, 2, which the gradients in delta and the lengthscale need
//   box_rbf_slope      d box_rbf / dv; that in w is box_rbf_slope(delta, v, w)
//
// Any finite delta and any finite w, v >= 0, equal or not, zero included; not checked, because callers ask for millions
// of pairs. Even in delta (first is odd) and symmetric in w and v.
//
// Error, against 100 digits, for widths 0 and 1e-8 to 1e3 and boxes overlapping or up to 37 apart edge to edge:
//   zeroth          1e-12 relative while it exceeds 1e-300; exactly zero for boxes more than 37.5 apart
//   first, second   1e-11 relative to E[|D|^k exp(-D^2/2)]
//   slope           1e-11 relative to E[(1 + D^2) exp(-D^2/2)] min(v, 1/v): exactly zero at v = 0
// The textbook second difference of t int exp(-t^2/2) + exp(-t^2/2) has no digit left for widths of 1e-8 or boxes 30
// apart; the source says what is done instead, and where each rule is used.
//
// Cost on an AVX2 core (Intel Xeon 2.5 GHz shared with other work, gcc 12 -O3): 70 ns for boxes that overlap and are wider than 0.2,
// whose slope costs as much; 40 ns for a point and a box wider than 0.05; otherwise 130 to 250 ns, the slope 800 to 1,400.
#pragma once

namespace iqbo::internal {

struct BoxRbfMoments {
  double zeroth, first, second;
};

double box_rbf(double delta, double w, double v);
BoxRbfMoments box_rbf_moments(double delta, double w, double v);
double box_rbf_slope(double delta, double w, double v);

}  // namespace iqbo::internal
