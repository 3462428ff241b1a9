#include "pairs_advice.hpp"

#include <algorithm>
#include <cmath>

#include "core/chance.hpp"
#include "iqbo/policy/pairs_value.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr Index kAdviceInputs = 2048, kAdviceQueries = 256, kAdviceDraws = 2048;
constexpr double kAdviceShare = 0.02;  // of the spread of the answers: a smaller discrepancy is not worth a pair

// Some points of X, spread over all of it.
Inputs some_inputs(const TargetSpace& targets) {
  if (const auto* box = std::get_if<InputBox>(&targets)) {
    const auto d = static_cast<std::size_t>(box->dimension());
    const double each = std::pow(static_cast<double>(kAdviceInputs), 1.0 / static_cast<double>(d));
    return box->grid(std::vector<Index>(d, std::max(Index{2}, static_cast<Index>(each))));
  }
  const Inputs& all = std::get<InputSet>(targets).points();
  const Index step = 1 + (all.size() - 1) / kAdviceInputs;
  std::vector<Index> rows;
  for (Index i = 0; i < all.size(); i += step) rows.push_back(i);
  return Inputs(Rows(all.coordinates()(rows, Eigen::all)));
}

std::string coordinates_of(const Queries& a, Index row) {
  std::string out;
  for (const double each : a.row(row)) out += (out.empty() ? "" : ", ") + two_digits(each);
  return "(" + out + ")";
}

}  // namespace

std::string pairs_advice(Model& model, Rng& rng) {
  if (model.is_linked() || model.discrepancy_share() < kAdviceShare) return "";
  const Queries a = model.setting().queries->overview(kAdviceQueries);
  const PairsValue value =
      value_of_pairs(model.posterior(), some_inputs(model.setting().targets), a, model.noise_var(), rng, kAdviceDraws);
  if (value.doubling <= value.query) return "";
  return "further logged pairs are worth more than further answers: twice as many pairs are expected to raise f at the "
         "recommended point by " +
         two_digits(value.doubling) + ", the best next answer by " + two_digits(value.query) +
         "; pairs for queries near " + coordinates_of(a, value.best_place) + " help most";
}

}  // namespace iqbo
