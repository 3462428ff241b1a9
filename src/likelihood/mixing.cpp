#include "mixing.hpp"

#include <Eigen/QR>

namespace iqbo::internal {

Vector Mixing::next(const Vector& x, const Vector& image) {
  constexpr std::size_t kMostPast = 4;
  constexpr double kAlike = 1e-9;  // residuals that differ by less, relatively, say nothing new
  const Vector residual = (image - x).head(leading_);
  Vector out = image;
  if (!past_.empty()) {
    const auto count = static_cast<Index>(past_.size());
    Matrix by_residual(leading_, count), by_image(image.size(), count);
    for (Index k = 0; k < count; ++k) {
      by_residual.col(k) = residual - past_[static_cast<std::size_t>(k)].residual;
      by_image.col(k) = image - past_[static_cast<std::size_t>(k)].image;
    }
    Eigen::ColPivHouseholderQR<Matrix> qr(by_residual);
    qr.setThreshold(kAlike);
    out -= by_image * qr.solve(residual);
  }
  past_.push_back({residual, image});
  if (past_.size() > kMostPast) past_.pop_front();
  return out;
}

}  // namespace iqbo::internal
