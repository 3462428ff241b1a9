// How close does the search over a box come to the best of a 300 x 300 grid?
//
// Random posteriors of two-dimensional queries (3 to 17 answers, random lengthscales and windows), the scores of CMES, CJES, CKG,
// EI and UCB in turn. Shortfall: (best of the grid - found) / (range over the grid); negative where the search did better.
//
//   search_quality [--draws 50] [--seed 1]
#include "../tests/support/random_search.hpp"

#include <cstdio>

#include "study.hpp"

int main(int argc, char** argv) {
  using namespace iqbo;
  const study::Arguments options = study::parse(argc, argv, 50);
  std::vector<double> shortfall(static_cast<std::size_t>(options.draws));
  study::parallel(options.draws, "search",
                  [&](int d) { shortfall[static_cast<std::size_t>(d)] = test::shortfall(d, 300, options.seed); });
  const auto within = std::count_if(shortfall.begin(), shortfall.end(), [](double share) { return share <= 1e-3; });
  std::printf("| posteriors | within 0.1 %% of the range | largest shortfall |\n|---|---|---|\n");
  std::printf("| %d | %ld | %.2g |\n", options.draws, static_cast<long>(within),
              *std::max_element(shortfall.begin(), shortfall.end()));
}
