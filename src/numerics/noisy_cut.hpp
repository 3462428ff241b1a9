// What a noisy measurement w of a normal N tells about N <= t: the entropy of w minus that of w given N <= t, where
//
//   w = rho N + s e,   N and e independent standard normals,   rho^2 + s^2 = 1
//
//   drop(t, rho) = h(t) - s lam(t) E[kappa(s t + rho e)]           h, lam, kappa as in numerics/normal.hpp
//
// in nats. It rises from 0 at rho = 0 to h(t) at rho = 1, and is even in rho; rho >= 0 is expected here. Derived in
// docs/theory/acquisition.md. The average is over a smooth function under a normal weight: 33 equidistant nodes.
//
// Any finite t, rho in [0, 1]. Error for t in [-30, 30]: 1e-11 absolute against quadrature of -p log p, and 1e-8
// relative, however small the drop is.
#pragma once

namespace iqbo::internal {

struct NoisyDrop {
  double log_drop;  // -infinity at rho = 0
  double t_slope;   // d log_drop / d t at fixed rho
  double s_slope;   // d log_drop / d s at fixed t: finite at rho = 1, where d / d rho is not
};

// Both rho and s are given, because computing a small one from the other loses digits.
NoisyDrop noisy_drop(double t, double rho, double s);

}  // namespace iqbo::internal
