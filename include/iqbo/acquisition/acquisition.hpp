// What a query is worth: the interface between beliefs, which say what is known, and search for the best query.
//
// A score knows a batch of n queries by
//
//   nu(a_j), q(a_j, a_j)         the belief about g; noise is never included
//   noise_var_j                  sigma^2 of the answer z = g(a_j) + noise
//   c(i, j) = Cov(f(r_i), g(a_j))   for the inputs r_i that the score asks for: its references, usually none
//
// and nothing else. Anything else it needs (samples of f*, an incumbent) is passed to its constructor as data: a score
// never samples and never calls a belief. To add one, derive and implement score().
#pragma once

#include "iqbo/core/points.hpp"

namespace iqbo {

struct Outlook {
  Vector nu;
  Vector q;
  Vector noise_var;

  Index size() const { return nu.size(); }
};

// d score_j / d nu_j, d score_j / d q_j, d score_j / d c(i, j).
struct OutlookGradient {
  Vector nu;
  Vector q;
  Matrix c;
};

class Acquisition {
 public:
  virtual ~Acquisition() = default;

  // The inputs whose covariance with g the score needs: the rows of c, in this order.
  virtual const Inputs& references() const;

  // Whether score() is the logarithm of a positive worth. Then worths that underflow can still be compared, and a cost
  // is divided out by subtracting its logarithm. A worth of zero has the score -infinity.
  virtual bool logarithmic() const = 0;

  // One number per query, the larger the better. If a gradient is given, its members are resized and filled; a score
  // without derivatives then throws std::logic_error (see has_gradient()).
  virtual Vector score(const Outlook& outlook, const Eigen::Ref<const Matrix>& c,
                       OutlookGradient* gradient = nullptr) const = 0;
  virtual bool has_gradient() const { return true; }

 protected:
  Acquisition() = default;
  Acquisition(const Acquisition&) = default;
  Acquisition(Acquisition&&) = default;
  Acquisition& operator=(const Acquisition&) = default;
  Acquisition& operator=(Acquisition&&) = default;
};

}  // namespace iqbo
