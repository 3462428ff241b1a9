#include "sample.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <utility>

#include "average/thinned.hpp"
#include "iqbo/average/expectation.hpp"

namespace iqbo {

using namespace internal;

namespace {

// The observations of each different query or input, in order of appearance.
std::vector<std::vector<Index>> groups_of(const Observations& observations) {
  std::vector<std::pair<bool, std::vector<double>>> key(static_cast<std::size_t>(observations.size()));
  for (const bool averaged : {false, true}) {
    const auto rows = observations.rows_of(averaged);
    const Rows& at = averaged ? observations.queries().coordinates() : observations.inputs().coordinates();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto row = at.row(static_cast<Index>(i));
      key[static_cast<std::size_t>(rows[i])] = {averaged, {row.begin(), row.end()}};
    }
  }
  std::map<std::pair<bool, std::vector<double>>, std::size_t> known;
  std::vector<std::vector<Index>> out;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const auto [found, is_new] = known.try_emplace(std::move(key[i]), out.size());
    if (is_new) out.emplace_back();
    out[found->second].push_back(static_cast<Index>(i));
  }
  return out;
}

struct Merged {
  double z, noise;
};

Merged merge(const std::vector<Index>& group, const Vector& z, const Vector& noise, WithinRepeats& within) {
  if (group.size() == 1) return {z[group.front()], noise[group.front()]};
  double precision = 0.0, sum = 0.0, exact_sum = 0.0;
  int exact = 0;
  for (const Index i : group) {
    if (noise[i] == 0.0) {
      ++exact;
      exact_sum += z[i];
      continue;
    }
    precision += 1.0 / noise[i];
    sum += z[i] / noise[i];
  }
  if (exact > 0) return {exact_sum / exact, 0.0};
  const double mean = sum / precision;
  for (const Index i : group) {
    within.quadratic += (z[i] - mean) * (z[i] - mean) / noise[i];
    within.log_var += std::log(2.0 * std::numbers::pi * noise[i]);
  }
  within.log_var -= std::log(2.0 * std::numbers::pi / precision);
  within.count += static_cast<double>(group.size() - 1);
  return {mean, 1.0 / precision};
}

template <class Space>
Points<Space> rows_of(const Points<Space>& points, const std::vector<Index>& rows) {
  return Points<Space>(Rows(points.coordinates()(rows, Eigen::all)));
}

}  // namespace

FitSample::FitSample(const Observations& observations, const Conditional& conditional, const Vector& noise_var)
    : conditional_(conditional) {
  const auto groups = groups_of(observations);
  residual.resize(static_cast<Index>(groups.size()));
  noise.resize(residual.size());
  std::vector<Index> position(static_cast<std::size_t>(observations.size()));  // among inputs or queries
  std::vector<bool> averaged(position.size());
  for (const bool each : {false, true}) {
    const auto rows = observations.rows_of(each);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      position[static_cast<std::size_t>(rows[i])] = static_cast<Index>(i);
      averaged[static_cast<std::size_t>(rows[i])] = each;
    }
  }
  std::vector<Index> x, x_rows, a, a_rows;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto row = static_cast<Index>(g);
    const auto first = static_cast<std::size_t>(groups[g].front());
    (averaged[first] ? a : x).push_back(position[first]);
    (averaged[first] ? a_rows : x_rows).push_back(row);
    const Merged merged = merge(groups[g], observations.z(), noise_var, within);
    residual[row] = merged.z;
    noise[row] = merged.noise;
  }
  set_parts(rows_of(observations.inputs(), x), x_rows, rows_of(observations.queries(), a), a_rows, 0);
}

// Under the identity link a row is an average that was asked, and each answer reads one of them.
FitSample::FitSample(const NodeReadings& data, const Conditional& conditional, LikelihoodPtr likelihood, Link link)
    : linked(std::make_shared<FitReadings>()), conditional_(conditional) {
  *linked = {data.readings, std::move(likelihood), link};
  if (link != Link::kIdentity) {
    std::vector<Index> rows(static_cast<std::size_t>(data.points->size()));
    std::iota(rows.begin(), rows.end(), 0);
    set_parts(*data.points, rows, {}, {}, 0);
    linked->mean_rise = data.mean_rise(link);
  } else {
    Rows x, a;
    std::vector<Index> x_rows, a_rows;
    for (std::size_t i = 0; i < data.asked.size(); ++i) {
      const bool averaged = std::holds_alternative<Queries>(data.asked[i].at);
      Rows& to = averaged ? a : x;
      std::visit([&](const auto& at) { to = stacked(to, at.coordinates()); }, data.asked[i].at);
      (averaged ? a_rows : x_rows).push_back(static_cast<Index>(i));
    }
    set_parts(Inputs(std::move(x)), x_rows, Queries(std::move(a)), a_rows, 0);
    linked->readings.weight.resize(data.readings.size(), data.readings.size());
    linked->readings.weight.setIdentity();
  }
  residual = Vector::Zero(linked->readings.weight.cols());
  noise = Vector::Ones(residual.size());
}

void FitSample::set_parts(const Inputs& x, const std::vector<Index>& x_rows, const Queries& a,
                          const std::vector<Index>& a_rows, Index most_points) {
  if (!x_rows.empty()) parts_.push_back({looks(x), x_rows, nullptr});
  if (!a_rows.empty()) {
    Functionals averaged = averages(conditional_, a);
    if (most_points > 0) averaged.laws = thinned(averaged.laws, most_points);
    parts_.push_back({std::move(averaged), a_rows, nullptr});
  }
  for (Part& part : parts_) part.gram = LawGram::of(part.functionals.laws);
}

FitSample FitSample::chosen(const std::vector<Index>& rows, Index most_points) const {
  FitSample out(conditional_);
  std::vector<Index> new_row(static_cast<std::size_t>(size()), -1);
  for (std::size_t i = 0; i < rows.size(); ++i) new_row[static_cast<std::size_t>(rows[i])] = static_cast<Index>(i);
  Inputs x;
  Queries a;
  std::vector<Index> x_rows, a_rows;
  for (const Part& part : parts_) {
    std::vector<Index> kept;
    std::vector<Index>& to = part.functionals.averaged() ? a_rows : x_rows;
    for (std::size_t i = 0; i < part.rows.size(); ++i) {
      const Index row = new_row[static_cast<std::size_t>(part.rows[i])];
      if (row < 0) continue;
      kept.push_back(static_cast<Index>(i));
      to.push_back(row);
    }
    if (part.functionals.averaged())
      a = rows_of(part.functionals.queries, kept);
    else
      x = rows_of(std::get<Inputs>(part.functionals.laws.parts().front().kind), kept);
  }
  out.set_parts(x, x_rows, a, a_rows, most_points);
  out.residual = residual(rows);
  out.noise = noise(rows);
  out.within = within;
  if (white.size() > 0) out.white = white(rows, rows);
  if (discrepancy.size() > 0) out.discrepancy = discrepancy(rows, rows);
  out.mean_basis = mean_basis(rows, Eigen::all);
  return out;
}

LawGram::Under FitSample::under(const Kernel& kernel, bool with_gradient) const {
  if (parts_.size() == 1) return parts_.front().gram->under(kernel, with_gradient);
  LawGram::Under out{Matrix(size(), size()), {}};
  std::vector<LawGram::Under> own;
  for (const Part& part : parts_) {
    own.push_back(part.gram->under(kernel, with_gradient));
    out.covariance(part.rows, part.rows) = own.back().covariance;
  }
  const Part& left = parts_[0];
  const Part& right = parts_[1];
  const Matrix cross = expect(kernel, left.functionals.laws, right.functionals.laws);
  out.covariance(left.rows, right.rows) = cross;
  out.covariance(right.rows, left.rows) = cross.transpose();
  if (with_gradient)
    out.pull_back = [this, own, k = kernel.clone()](const Matrix& weight) {
      const Part& one = parts_[0];
      const Part& other = parts_[1];
      Vector gradient =
          expect_pull_back(*k, one.functionals.laws, other.functionals.laws, 2.0 * weight(one.rows, other.rows));
      for (std::size_t p = 0; p < parts_.size(); ++p)
        gradient += own[p].pull_back(weight(parts_[p].rows, parts_[p].rows));
      return gradient;
    };
  return out;
}

double FitSample::points_per_row() const {
  double out = 0.0;
  for (const Part& part : parts_) out = std::max(out, points_per_law(part.functionals.laws));
  return out;
}

bool FitSample::is_quick(const Kernel& kernel) const {
  return std::all_of(parts_.begin(), parts_.end(), [&](const Part& part) { return part.gram->is_quick(kernel); });
}

Matrix FitSample::gram_of_queries(const Kernel& l) const {
  Matrix out = Matrix::Zero(size(), size());
  for (const Part& part : parts_)
    if (part.functionals.averaged()) out(part.rows, part.rows) = l.gram(part.functionals.queries);
  return out;
}

Matrix FitSample::mean_jacobian(const Mean& mean) const {
  Matrix out(size(), mean.parameters().size());
  for (const Part& part : parts_) out(part.rows, Eigen::all) = expect_jacobian(mean, part.functionals.laws);
  return out;
}

Vector FitSample::mean_of(const Mean& mean) const {
  Vector out(size());
  for (const Part& part : parts_) out(part.rows) = expect(mean, part.functionals.laws);
  return out;
}

}  // namespace iqbo
