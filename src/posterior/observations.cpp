#include "observations.hpp"

#include <numeric>
#include <utility>

#include "iqbo/conditional/expectation.hpp"

namespace iqbo {
namespace {

Vector stacked(const Vector& top, const Vector& bottom) {
  Vector out(top.size() + bottom.size());
  out << top, bottom;
  return out;
}

}  // namespace

Observations Observations::with(const Inputs& x, const Vector& z, const Vector& noise_var) const {
  Observations out = *this;
  out.inputs_ = inputs_.joined(x);
  out.append(x, z, noise_var);
  return out;
}

Observations Observations::with(const Queries& a, const Laws& laws, const Vector& z, const Vector& noise_var) const {
  Observations out = *this;
  out.queries_ = queries_.joined(a);
  out.append(laws, z, noise_var);
  return out;
}

void Observations::append(const Laws& laws, const Vector& z, const Vector& noise_var) {
  std::vector<Index> rows(static_cast<std::size_t>(laws.size()));
  std::iota(rows.begin(), rows.end(), size());
  z_ = stacked(z_, z);
  noise_var_ = stacked(noise_var_, noise_var);
  for (auto& part : parts_)
    if (part.laws.kind().index() == laws.kind().index()) {
      part.laws = part.laws.joined(laws);
      part.rows.insert(part.rows.end(), rows.begin(), rows.end());
      return;
    }
  parts_.push_back({laws, std::move(rows)});
}

Vector Observations::prior_mean(const Mean& mean) const {
  Vector out(size());
  for (const auto& part : parts_) out(part.rows) = expect(mean, part.laws);
  return out;
}

Matrix Observations::mean_jacobian(const Mean& mean) const {
  Matrix out(size(), mean.parameters().size());
  for (const auto& part : parts_) out(part.rows, Eigen::all) = expect_jacobian(mean, part.laws);
  return out;
}

Matrix Observations::covariance(const Kernel& kernel) const {
  if (parts_.size() == 1) return expect(kernel, parts_.front().laws, parts_.front().laws);
  Matrix out(size(), size());
  for (const auto& part : parts_) out(Eigen::all, part.rows) = covariance(kernel, part.laws);
  return out;
}

Matrix Observations::covariance(const Kernel& kernel, const Laws& others) const {
  if (parts_.size() == 1) return expect(kernel, parts_.front().laws, others);
  Matrix out(size(), others.size());
  for (const auto& part : parts_) out(part.rows, Eigen::all) = expect(kernel, part.laws, others);
  return out;
}

Vector Observations::pull_back(const Kernel& kernel, const Matrix& weight) const {
  Vector out = Vector::Zero(kernel.log_parameters().size());
  for (const auto& left : parts_)
    for (const auto& right : parts_)
      out += expect_pull_back(kernel, left.laws, right.laws, weight(left.rows, right.rows));
  return out;
}

}  // namespace iqbo
