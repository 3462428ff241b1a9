// What studies share: their two options, a line of progress on a terminal, means with standard errors.
#pragma once

#include <unistd.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace iqbo::study {

struct Arguments {
  int draws;
  std::uint64_t seed = 1;
  std::string only = {};  // run the rows whose name contains this

  bool wants(const std::string& name) const { return name.find(only) != std::string::npos; }
};

// --draws N, --seed N, and --only TEXT in a study with named rows. Ends the program on --help or a mistake.
inline Arguments parse(int argc, char** argv, int default_draws, bool named_rows = false) {
  Arguments out{default_draws};
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    char* end = nullptr;
    const long value = i + 1 < argc ? std::strtol(argv[i + 1], &end, 10) : -1;
    const bool number = end != nullptr && end != argv[i + 1] && *end == '\0' && value >= 0;
    if (option == "--draws" && number && value > 0) {
      out.draws = static_cast<int>(value);
    } else if (option == "--seed" && number) {
      out.seed = static_cast<std::uint64_t>(value);
    } else if (option == "--only" && named_rows && i + 1 < argc) {
      out.only = argv[i + 1];
    } else {
      const bool help = option == "--help";
      std::fprintf(help ? stdout : stderr, "usage: %s [--draws %d] [--seed 1]%s\n", argv[0], default_draws,
                   named_rows ? " [--only TEXT]" : "");
      std::exit(help ? 0 : 2);
    }
    ++i;
  }
  return out;
}

// Overwrites itself; silent where nobody watches.
inline void progress(const std::string& what, int done, int all) {
  if (isatty(STDERR_FILENO) == 0) return;
  std::fprintf(stderr, "\r%s: %d of %d   ", what.c_str(), done, all);
  if (done == all) std::fprintf(stderr, "\r%*s\r", 60, "");
}

struct Summary {
  double mean;
  double se;
};

inline Summary summarise(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0.0;
  for (const double value : values) sum += value;
  const double mean = sum / n;
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, n > 1 ? std::sqrt(squares / (n - 1) / n) : 0.0};
}

// job(0) .. job(jobs - 1) on all cores. Each must write to a place of its own; what one throws ends the program.
inline void parallel(int jobs, const std::string& what, const std::function<void(int)>& job) {
  std::atomic<int> next = 0;
  std::atomic<int> done = 0;
  std::vector<std::jthread> workers;
  for (unsigned w = 0; w < std::max(1U, std::thread::hardware_concurrency()); ++w)
    workers.emplace_back([&] {
      for (int i = next++; i < jobs; i = next++) {
        job(i);
        progress(what, ++done, jobs);
      }
    });
}

// "89.4 +- 1.2"
inline std::string percent(const std::vector<double>& shares) {
  const auto [mean, se] = summarise(shares);
  char text[64];
  std::snprintf(text, sizeof text, "%.1f +- %.1f", 100.0 * mean, 100.0 * se);
  return text;
}

}  // namespace iqbo::study
