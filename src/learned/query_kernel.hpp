// variance * exp(-|a - a'|^2 / (2 l^2)) of encoded queries, with fixed l: the kernel of the smooth discrepancy.
#pragma once

#include <memory>

#include "iqbo/kernel/kernel.hpp"
#include "query_encoding.hpp"

namespace iqbo {

class QueryKernel final : public Kernel {
 public:
  QueryKernel(std::shared_ptr<const internal::QueryEncoding> encoding, double variance, double lengthscale);

  std::shared_ptr<const Kernel> clone() const override { return std::make_shared<QueryKernel>(*this); }
  Index dimension() const override { return encoding_->query_dimension(); }
  std::vector<std::string> parameter_names() const override { return {"variance"}; }
  Vector log_parameters() const override;
  std::shared_ptr<const Kernel> with_log_parameters(const Vector& theta) const override;

  Matrix evaluate(const Rows& x, const Rows& y) const override;
  Vector evaluate_diagonal(const Rows& x) const override { return Vector::Constant(x.rows(), variance_); }
  Vector parameter_gradient(const Rows& x, const Rows& y, const Matrix& weight) const override;
  Rows input_gradient(const Rows& x, const Rows& y, const Matrix& weight) const override;

 private:
  Matrix encoded(const Rows& a) const;

  std::shared_ptr<const internal::QueryEncoding> encoding_;
  double variance_;
  double lengthscale_;
};

}  // namespace iqbo
