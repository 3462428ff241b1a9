#include "iqbo/kernel/sum.hpp"

#include <utility>

namespace iqbo {
namespace {

// Concatenates the terms' vectors.
template <class Part>
Vector concatenated(const Sum::Terms& terms, Part part) {
  std::vector<Vector> parts;
  Index size = 0;
  for (const auto& term : terms) size += parts.emplace_back(part(*term)).size();
  Vector out(size);
  Index at = 0;
  for (const auto& values : parts) {
    out.segment(at, values.size()) = values;
    at += values.size();
  }
  return out;
}

}  // namespace

Sum::Sum(Terms terms) : terms_(std::move(terms)) {
  require_not_empty(static_cast<Index>(terms_.size()), "terms");
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const std::string row = "row " + std::to_string(i);
    if (!terms_[i]) refuse("terms", row + " is a null pointer", "a kernel");
    if (terms_[i]->dimension() != dimension())
      refuse("terms", row + " has " + std::to_string(terms_[i]->dimension()) + " columns", std::to_string(dimension()));
  }
}

std::shared_ptr<const Kernel> Sum::clone() const { return std::make_shared<Sum>(*this); }

std::string Sum::description() const {
  std::string out;
  for (const auto& term : terms_) out += (out.empty() ? "" : " + ") + term->description();
  return out;
}

std::vector<std::string> Sum::parameter_names() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < terms_.size(); ++i)
    for (const auto& name : terms_[i]->parameter_names()) names.push_back(std::to_string(i) + "." + name);
  return names;
}

Vector Sum::log_parameters() const {
  return concatenated(terms_, [](const Kernel& term) { return term.log_parameters(); });
}

std::shared_ptr<const Kernel> Sum::with_log_parameters(const Vector& theta) const {
  positive_parameters(theta);
  Terms terms;
  Index at = 0;
  for (const auto& term : terms_) {
    const Index count = term->log_parameters().size();
    terms.push_back(term->with_log_parameters(theta.segment(at, count)));
    at += count;
  }
  return std::make_shared<Sum>(std::move(terms));
}

std::vector<KernelTerm> Sum::stationary_terms() const {
  std::vector<KernelTerm> out;
  for (const auto& term : terms_)
    for (KernelTerm& each : term->stationary_terms()) out.push_back(std::move(each));
  return out;
}

Matrix Sum::evaluate(const Rows& x, const Rows& y) const {
  Matrix out = Matrix::Zero(x.rows(), y.rows());
  for (const auto& term : terms_) out += term->evaluate(x, y);
  return out;
}

Vector Sum::evaluate_diagonal(const Rows& x) const {
  Vector out = Vector::Zero(x.rows());
  for (const auto& term : terms_) out += term->evaluate_diagonal(x);
  return out;
}

Vector Sum::parameter_gradient(const Rows& x, const Rows& y, const Matrix& weight) const {
  return concatenated(terms_, [&](const Kernel& term) { return term.parameter_gradient(x, y, weight); });
}

Rows Sum::input_gradient(const Rows& x, const Rows& y, const Matrix& weight) const {
  Rows out = Rows::Zero(x.rows(), dimension());
  for (const auto& term : terms_) out += term->input_gradient(x, y, weight);
  return out;
}

}  // namespace iqbo
