// At which numbers of answers hyperparameters are fitted: 2, 3, 4, 5, 7, 9, 12, ... (each Policy::kRefitGrowth times the
// last), and where equal answers first differ. If `always` is set, at every one from 2 on.
#pragma once

#include <vector>

#include "answers.hpp"

namespace iqbo {

// The largest of them that is not above t; 0 if there is none.
std::size_t fitted_size(const Answers& answers, std::size_t t, bool always = false);

// All of them, up to the number of answers.
std::vector<Index> fit_sizes(const Answers& answers, bool always = false);

}  // namespace iqbo
