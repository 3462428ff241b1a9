#include "iqbo/acquisition/acquisition.hpp"

namespace iqbo {

const Inputs& Acquisition::references() const {
  static const Inputs none;
  return none;
}

}  // namespace iqbo
