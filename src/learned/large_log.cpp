#include "large_log.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "iqbo/core/stop.hpp"
#include "jackknife.hpp"
#include "mixture.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr Index kCellFolds = 5;

bool needs_mean(LearnedKind kind) { return kind == LearnedKind::kShift || kind == LearnedKind::kPlugIn; }

bool any_needs_mean(const LearnedChoice& choice) {
  for (std::size_t i = 0; i < choice.kinds.size(); ++i)
    if (choice.weight[static_cast<Index>(i)] != 0.0 && needs_mean(choice.kinds[i])) return true;
  return false;
}

CellResiduals some_cells(const CellResiduals& all, const std::vector<Index>& cells) {
  return {all.centre, all.share(cells, Eigen::all), all.square(cells, Eigen::all), {}};
}

Matrix averages(const PairCells& cells, const TrialFunctions& functions) {
  return functions.average(Laws(DiscreteLaws{cells.bins, cells.share}));
}

// The part of a score that even the truth has: the variance of trial functions within cells. Each has squares that add up to
// one at every x.
double within(const PairCells& cells, const Matrix& y) {
  return 1.0 - (cells.size.array() * y.rowwise().squaredNorm().array()).sum() / cells.size.sum();
}

}  // namespace

LargeLog::LargeLog(const Inputs& x, const Queries& a, const LearnedOptions& options)
    : options_(options),
      encoding_(std::make_shared<const QueryEncoding>(a, options.categories)),
      notes_(encoding_->notes()),
      x_sd_(sd_of_columns(x, notes_)),
      pairs_(binned(x, a, *encoding_, x_sd_, options.domain)),
      cells_(table_of(pairs_, encoding_, x_sd_, options.domain)),
      repeats_(cells_.count() < kChoiceCells && x.size() >= kRepeats * cells_.count()) {}

// Every fifth cell as a whole.
LargeLog::Test LargeLog::left_out_cells(Index fold, const Matrix& y) const {
  Test out;
  std::vector<Index> test;
  for (Index k = 0; k < cells_.count(); ++k) (k % kCellFolds == fold ? test : out.train).push_back(k);
  out.known = cells_.subset(out.train);
  out.a = Queries(Rows(cells_.a.coordinates()(test, Eigen::all)));
  out.size = cells_.size(test);
  out.wanted = y(test, Eigen::all);
  return out;
}

// A fifth of the pairs of every cell.
LargeLog::Test LargeLog::left_out_pairs(Index fold, const Matrix& y, const TrialFunctions& functions) const {
  Test out;
  for (Index k = 0; k < cells_.count(); ++k) out.train.push_back(k);
  out.known = table_of(pairs_, encoding_, x_sd_, options_.domain, {fold, kCellFolds});
  out.a = cells_.a;
  out.size = (cells_.size - out.known.size).cwiseMax(0.0);
  const Matrix known = averages(out.known, functions);
  out.wanted = (cells_.size.asDiagonal() * y - out.known.size.asDiagonal() * known).eval();
  out.wanted.array().colwise() /= out.size.array().max(1.0);
  return out;
}

HeldOut LargeLog::hold_out(const std::vector<LearnedKind>& kinds, const ModelSettings& settings,
                           const TrialFunctions& functions) const {
  const Matrix y = averages(cells_, functions);
  CellResiduals residuals;
  if (std::any_of(kinds.begin(), kinds.end(), needs_mean))
    residuals = residuals_of(pairs_, cells_, CellMean(cells_, settings.mean), functions, settings.shift_points);
  const auto m = static_cast<Index>(kinds.size());
  HeldOut out{Vector::Zero(m), Matrix::Zero(m, m)};
  Matrix products = Matrix::Zero(m, m);
  for (Index fold = 0; fold < kCellFolds; ++fold) {
    const Test test = repeats_ ? left_out_pairs(fold, y, functions) : left_out_cells(fold, y);
    if (test.known.count() == 0 || test.a.empty()) continue;
    const CellResiduals own = residuals.centre.rows() > 0 ? some_cells(residuals, test.train) : CellResiduals();
    const Vector root = test.size.array().sqrt();
    std::vector<Matrix> residual;
    for (const LearnedKind kind : kinds) {
      stop_point();
      const Laws laws = train_cells(kind, test.known, settings, options_.domain, &own)->laws(test.a);
      residual.push_back(root.asDiagonal() * (test.wanted - functions.average(laws)));
    }
    for (Index i = 0; i < m; ++i)
      for (Index j = 0; j <= i; ++j)
        products(i, j) +=
            residual[static_cast<std::size_t>(i)].cwiseProduct(residual[static_cast<std::size_t>(j)]).sum();
    const Eigen::RowVectorXd mean = test.known.size.transpose() * y(test.train, Eigen::all) / test.known.size.sum();
    out.ignore += (root.asDiagonal() * (test.wanted.rowwise() - mean)).squaredNorm();
  }
  products.triangularView<Eigen::StrictlyUpper>() = products.transpose();
  const double pairs = cells_.size.sum(), least = within(cells_, y);
  products = (products / pairs).array() + least;
  out.ignore = out.ignore / pairs + least;
  out.scores = products.diagonal();
  out.distance = -2.0 * products;
  out.distance.colwise() += out.scores;
  out.distance.rowwise() += out.scores.transpose();
  out.distance = out.distance.cwiseMax(0.0);
  return out;
}

LearnedChoice LargeLog::learn(const TrialFunctions& functions) const {
  const bool chooses = options_.model == LearnedKind::kAuto || options_.model == LearnedKind::kStack;
  LearnedChoice out;
  out.cells = true;
  out.kinds =
      chooses ? std::vector<LearnedKind>{LearnedKind::kShift, LearnedKind::kCme, LearnedKind::kNw, LearnedKind::kPlugIn}
              : std::vector<LearnedKind>{options_.model};
  BinnedPairs coarse = pairs_;
  coarse.cell = divided(encoding_->encoded(*pairs_.a, Vector::Ones(encoding_->groups())), kChoiceCells);
  const auto table = [&](const LeftOut& left_out) {
    return table_of(coarse, encoding_, x_sd_, options_.domain, left_out);
  };
  ChoiceTables tables{coarse, table(repeats_ ? LeftOut{1, 2} : LeftOut()), {}, cells_};
  if (repeats_) tables.others = table({0, 2});
  out.settings = choose_cell_settings(tables, out.kinds, functions, options_.shift_points);
  out.settings.exact_constant = options_.exact_constant;
  const HeldOut held_out = hold_out(out.kinds, out.settings, functions);
  const auto count = static_cast<Index>(out.kinds.size());
  Index best = 0;
  held_out.scores.minCoeff(&best);
  out.weight = options_.model == LearnedKind::kStack ? stacking_weights(held_out) : Vector(Vector::Unit(count, best));
  out.report = report_on(out, held_out, options_.model, encoding_->groups() > 0);
  out.report.pairs = size();
  out.report.error = jackknife(out, functions);
  return out;
}

PointsModel LargeLog::train_one(LearnedKind kind, const LearnedChoice& choice, const PairCells& cells,
                                const CellResiduals* residuals, bool in_mixture) const {
  auto model = train_cells(kind, cells, choice.settings, options_.domain, residuals);
  if (kind == LearnedKind::kCme || kind == LearnedKind::kNw) return {std::move(model), cells.bins};
  const auto* set = std::get_if<InputSet>(&options_.domain);
  const auto listed = set != nullptr ? std::make_shared<const Inputs>(set->points()) : nullptr;
  if (kind == LearnedKind::kShift) return {std::move(model), listed};
  if (!in_mixture) return {std::move(model), nullptr};
  return {as_points(std::move(model), cells.x.cols(), options_.domain), listed};
}

PointsModel LargeLog::trained(const LearnedChoice& choice, const TrialFunctions& functions) const {
  CellResiduals residuals;
  if (any_needs_mean(choice))
    residuals =
        residuals_of(pairs_, cells_, CellMean(cells_, choice.settings.mean), functions, choice.settings.shift_points);
  const auto used = (choice.weight.array() != 0.0).count();
  std::vector<Mixed> parts;
  for (std::size_t i = 0; i < choice.kinds.size(); ++i)
    if (const double share = choice.weight[static_cast<Index>(i)]; share != 0.0)
      parts.push_back({share, train_one(choice.kinds[i], choice, cells_, &residuals, used > 1)});
  if (used == 1) return parts[0].of;
  auto mixture = std::make_shared<Mixture>(std::move(parts), options_.exact_constant);
  auto support = mixture->support();
  return {std::move(mixture), std::move(support)};
}

// The cells stay what they are: only how many pairs they have, and where, depends on chance.
double LargeLog::jackknife(const LearnedChoice& choice, const TrialFunctions& functions) const {
  std::vector<Index> some;
  const Index queries = std::min(kRefitQueries, cells_.count());
  for (Index i = 0; i < queries; ++i) some.push_back((2 * i + 1) * cells_.count() / (2 * queries));
  const Queries common(Rows(cells_.a.coordinates()(some, Eigen::all)));
  std::vector<Laws> laws;
  for (Index fold = 0; fold < kCellFolds; ++fold) {
    const LeftOut left_out{fold, kCellFolds};
    const PairCells known = table_of(pairs_, encoding_, x_sd_, options_.domain, left_out);
    CellResiduals residuals;
    if (any_needs_mean(choice))
      residuals = residuals_of(pairs_, known, CellMean(known, choice.settings.mean), functions,
                               choice.settings.shift_points, left_out);
    std::vector<Laws> of_models;
    std::vector<double> shares;
    for (std::size_t i = 0; i < choice.kinds.size(); ++i)
      if (const double share = choice.weight[static_cast<Index>(i)]; share != 0.0) {
        of_models.push_back(
            train_cells(choice.kinds[i], known, choice.settings, options_.domain, &residuals)->laws(common));
        shares.push_back(share);
      }
    laws.push_back(Laws::mixture(Eigen::Map<Vector>(shares.data(), static_cast<Index>(shares.size())), of_models));
  }
  const Sum::Terms& all = functions.of_x().terms();
  return jackknife_error(laws,
                         Sum(Sum::Terms(all.begin() + 1, all.end())));  // as for single pairs: all but the longest
}

}  // namespace iqbo
