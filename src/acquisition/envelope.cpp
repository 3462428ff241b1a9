#include "envelope.hpp"

#include <algorithm>
#include <cmath>

namespace iqbo {
namespace {

// Lines that overtake only for |Z| > sqrt(kReach2 + z_1^2) are left out; see knowledge_gradient.hpp.
constexpr double kReach2 = 81.0;

// A corner beyond this is worth nothing, even in logarithms, and its square would overflow.
constexpr double kBeyond = 1e150;

constexpr double kTiny = 1e-300;  // 0 / kTiny = 0: ties with the top that have its tilt never overtake

// How far a point lies below the chord from -> to, times the chord's run: positive if the chord is not on the hull.
// Rounding can put a chord's own ends below it, so ends are recognised by their tilt; tilts then rise strictly along a
// chain, which also ends the recursion.
struct Chord {
  double tilt, drop, run, rise;

  Chord(const Line& from, const Line& to)
      : tilt(from.tilt), drop(from.drop), run(to.tilt - from.tilt), rise(to.drop - from.drop) {}
  double below(const Line& p) const { return rise * (p.tilt - tilt) - run * (p.drop - drop); }
};

}  // namespace

Envelope::Envelope(const Vector& mean) : tilt_(mean.size()), pool_(static_cast<std::size_t>(mean.size()) + 2) {
  const double best = mean.maxCoeff(&top_);
  drop_ = best - mean.array();
  spare_.resize(pool_.size());
}

double Envelope::first_corner(const Eigen::Ref<const Vector>& c, double sd) {
  tilt_ = c.array() - c[top_];
  return sd / (tilt_.abs() / (drop_ + kTiny)).maxCoeff();
}

// Keeps the lines that `steepest` reaches, without a branch: each is written at the end, which then advances or not.
void Envelope::collect(double steepest) {
  Line* const first = pool_.data();
  Line* const last = first + pool_.size() - 1;
  std::ptrdiff_t count[2] = {0, 0};
  std::ptrdiff_t farthest[2] = {0, 0};
  double most[2] = {0, 0};
  for (Index i = 0; i < drop_.size(); ++i) {
    const double tilt = tilt_[i];
    const Line line{std::abs(tilt), drop_[i], i};
    const double reach = steepest * line.tilt - line.drop;
    const int side = tilt < 0 ? 1 : 0;
    *(side == 0 ? first + count[0] : last - count[1]) = line;
    if (reach > most[side]) {
      most[side] = reach;
      farthest[side] = count[side];
    }
    count[side] += reach > 0 ? 1 : 0;
  }
  sides_[0] = {{first, first + count[0]}, farthest[0]};
  sides_[1] = {{last + 1 - count[1], last + 1}, count[1] - 1 - farthest[1]};
}

// `side.lines` are all below the chord from -> to, and the farthest is known; appends the corners strictly in between.
void Envelope::between(const Line& from, const Line& to, const Side& side, std::vector<Line>& chain) {
  if (side.lines.empty()) return;
  const Line corner = side.lines[static_cast<std::size_t>(side.farthest)];
  const Chord chord[2] = {{from, corner}, {corner, to}};
  Line* const kept = side.lines.data();
  Line* const target[2] = {kept, spare_.data()};
  std::ptrdiff_t count[2] = {0, 0};
  Index farthest[2] = {0, 0};
  double most[2] = {0, 0};
  for (const Line line : side.lines) {
    const int part = line.tilt > corner.tilt ? 1 : 0;
    const double below = line.tilt == corner.tilt ? 0 : chord[part].below(line);
    target[part][count[part]] = line;
    if (below > most[part]) {
      most[part] = below;
      farthest[part] = count[part];
    }
    count[part] += below > 0 ? 1 : 0;
  }
  std::copy_n(spare_.data(), count[1], kept + count[0]);
  between(from, corner, {{kept, kept + count[0]}, farthest[0]}, chain);
  chain.push_back(corner);
  between(corner, to, {{kept + count[0], kept + count[0] + count[1]}, farthest[1]}, chain);
}

void Envelope::hull(const Side& side, std::vector<Line>& chain) {
  const Line origin{0, 0, top_};
  chain.assign(1, origin);
  if (side.lines.empty()) return;
  const Line end = side.lines[static_cast<std::size_t>(side.farthest)];
  const Chord chord(origin, end);
  std::size_t count = 0;
  Side under;
  double most = 0;
  for (const Line line : side.lines) {
    const double below = line.tilt < end.tilt ? chord.below(line) : 0;
    side.lines[count] = line;
    if (below > most) {
      most = below;
      under.farthest = static_cast<Index>(count);
    }
    count += below > 0 ? 1 : 0;
  }
  under.lines = side.lines.first(count);
  between(origin, end, under, chain);
  chain.push_back(end);
}

bool Envelope::trace(const Eigen::Ref<const Vector>& c, double sd) {
  const double corner = first_corner(c, sd);
  if (!(corner < kBeyond)) return false;
  collect(std::sqrt(kReach2 + corner * corner) / sd);
  hull(sides_[0], right_);
  hull(sides_[1], left_);
  return true;
}

}  // namespace iqbo
