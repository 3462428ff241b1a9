// Laws of X: p(x|a) for each query of a batch, in a form in which kernels can be averaged.
//
// There are four kinds, and every conditional, known or learned, returns one of them:
//
//   Inputs         X = x_i with certainty: a direct measurement of f
//   SpreadLaws     X = centre + sd N + half_width U, coordinates independent, N standard normal, U uniform on [-1, 1]:
//                  Gaussian windows, boxes, boxes seen through a blurring instrument
//   DiscreteLaws   X = s_j with weight W_ij: bags, samples, quadrature rules, learned embeddings (whose weights may be
//                  negative and need not sum to one)
//   AxisLaws       an independent discrete law for each coordinate: windows cut off by a box. The grid they span is
//                  never formed if the kernel is a product over coordinates, or a mixture of such products
//
// or a mixture of these. So q(a, a'), c(x, a) and k(x, x') are one bilinear form of two batches: see expectation.hpp.
#pragma once

#include <Eigen/SparseCore>
#include <memory>
#include <variant>
#include <vector>

#include "iqbo/core/points.hpp"

namespace iqbo {

using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor, Index>;

struct SpreadLaws {
  Rows centre;      // n x d
  Rows sd;          // n x d, >= 0
  Rows half_width;  // n x d, >= 0
};

struct DiscreteLaws {
  std::shared_ptr<const Inputs> support;  // s points
  SparseRows weight;                      // n x s
  bool of_density = false;                // the points represent a density, under which a nugget averages out
  bool exact_constant = true;             // the constant part of a mean passes unchanged, whatever the weights sum to
};

struct AxisLaws {
  std::vector<Rows> node;  // one matrix per coordinate, n x nodes: X_c = node[c](i, k) with probability weight[c](i, k)
  std::vector<Rows> weight;  // likewise, >= 0; rows sum to one, with zeros where a law has fewer nodes than others
};

class Laws {  // NOLINT(bugprone-exception-escape): Eigen 3.4 copies a sparse matrix where it could move
 public:
  using Kind = std::variant<Inputs, SpreadLaws, DiscreteLaws, AxisLaws>;
  struct Part {
    double weight;
    Kind kind;
  };

  Laws(Inputs x);           // NOLINT(google-explicit-constructor): an input is a law
  Laws(SpreadLaws laws);    // NOLINT(google-explicit-constructor)
  Laws(DiscreteLaws laws);  // NOLINT(google-explicit-constructor)
  Laws(AxisLaws laws);      // NOLINT(google-explicit-constructor)

  // Law i is sum_p weight[p] (law i of laws[p]); all must have the same size and dimension.
  static Laws mixture(const Vector& weight, const std::vector<Laws>& laws);

  Index size() const;
  Index dimension() const;

  // Averages are linear: compute one for each part and add them up. There is one part unless this is a mixture.
  const std::vector<Part>& parts() const { return parts_; }

  Laws slice(Index begin, Index count) const;

  // These laws followed by `more`, which must have the same dimension, and parts of the same kinds and weights.
  Laws joined(const Laws& more) const;

 private:
  Laws() = default;

  std::vector<Part> parts_;
};

}  // namespace iqbo
