// Laws of X: what p(x|a) is for each query of a batch, in a form that kernels can be averaged under.
//
// There are three kinds, and every conditional model, known or learned, speaks one of them:
//
//   Inputs         X = x_i, certainly: a direct look at f
//   SpreadLaws     X = centre + sd N + half_width U, coordinates independent, N standard normal, U uniform on [-1, 1]:
//                  Gaussian windows, boxes, boxes seen through a blurring instrument
//   DiscreteLaws   X = s_j with weight W_ij: bags, samples, quadrature rules, learned embeddings (whose weights may be
//                  negative and need not sum to one)
//
// So q(a, a'), c(x, a) and k(x, x') are one bilinear form of two batches of laws: see expectation.hpp.
#pragma once

#include <Eigen/SparseCore>
#include <memory>
#include <variant>

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
};

class Laws {  // NOLINT(bugprone-exception-escape): Eigen 3.4 copies a sparse matrix where it could move
 public:
  using Kind = std::variant<Inputs, SpreadLaws, DiscreteLaws>;

  Laws(Inputs x) : kind_(std::move(x)) {}  // NOLINT(google-explicit-constructor): an input is a law
  Laws(SpreadLaws laws);                   // NOLINT(google-explicit-constructor)
  Laws(DiscreteLaws laws);                 // NOLINT(google-explicit-constructor)

  Index size() const;
  Index dimension() const;
  const Kind& kind() const { return kind_; }

  Laws slice(Index begin, Index count) const;

  // These laws followed by `more`, which must be of the same kind and dimension.
  Laws joined(const Laws& more) const;

 private:
  Kind kind_;
};

}  // namespace iqbo
