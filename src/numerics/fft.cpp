#include "fft.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "iqbo/core/check.hpp"

namespace iqbo::internal {
namespace {

constexpr Index kLanes = 8;  // lines at once

using Root = std::complex<double>;
using Roots = std::vector<Root>;

// Real and imaginary parts of kLanes lines, position by position.
struct Lanes {
  explicit Lanes(Index n) : re(static_cast<std::size_t>(n * kLanes)), im(re.size()), re2(re.size()), im2(re.size()) {}
  std::vector<double> re, im, re2, im2;
};

struct Source {
  const double *re, *im;
};
struct Target {
  double *re, *im;
};

// y_j = w^j sum_k x_k exp(-2 pi i j k / R), for `count` numbers that lie side by side.
template <std::size_t R>
struct Butterfly;

template <>
struct Butterfly<2> {
  static void run(const std::array<Source, 2>& x, const std::array<Target, 2>& y, const std::array<Root, 2>& w,
                  Index count) {
    const double wr = w[1].real(), wi = w[1].imag();
    for (Index q = 0; q < count; ++q) {
      const double ar = x[0].re[q], ai = x[0].im[q], br = x[1].re[q], bi = x[1].im[q];
      const double dr = ar - br, di = ai - bi;
      y[0].re[q] = ar + br;
      y[0].im[q] = ai + bi;
      y[1].re[q] = dr * wr - di * wi;
      y[1].im[q] = dr * wi + di * wr;
    }
  }
};

template <>
struct Butterfly<3> {
  static void run(const std::array<Source, 3>& x, const std::array<Target, 3>& y, const std::array<Root, 3>& w,
                  Index count) {
    constexpr double kSin = 0.86602540378443864676;
    for (Index q = 0; q < count; ++q) {
      const double ar = x[0].re[q], ai = x[0].im[q];
      const double sr = x[1].re[q] + x[2].re[q], si = x[1].im[q] + x[2].im[q];
      const double dr = kSin * (x[1].re[q] - x[2].re[q]), di = kSin * (x[1].im[q] - x[2].im[q]);
      const double mr = ar - 0.5 * sr, mi = ai - 0.5 * si;
      const double br = mr + di, bi = mi - dr, cr = mr - di, ci = mi + dr;
      y[0].re[q] = ar + sr;
      y[0].im[q] = ai + si;
      y[1].re[q] = br * w[1].real() - bi * w[1].imag();
      y[1].im[q] = br * w[1].imag() + bi * w[1].real();
      y[2].re[q] = cr * w[2].real() - ci * w[2].imag();
      y[2].im[q] = cr * w[2].imag() + ci * w[2].real();
    }
  }
};

template <>
struct Butterfly<4> {
  static void run(const std::array<Source, 4>& x, const std::array<Target, 4>& y, const std::array<Root, 4>& w,
                  Index count) {
    const double w1r = w[1].real(), w1i = w[1].imag(), w2r = w[2].real(), w2i = w[2].imag(), w3r = w[3].real(),
                 w3i = w[3].imag();
    for (Index q = 0; q < count; ++q) {
      const double pr = x[0].re[q] + x[2].re[q], pi = x[0].im[q] + x[2].im[q];
      const double mr = x[0].re[q] - x[2].re[q], mi = x[0].im[q] - x[2].im[q];
      const double sr = x[1].re[q] + x[3].re[q], si = x[1].im[q] + x[3].im[q];
      const double dr = x[1].re[q] - x[3].re[q], di = x[1].im[q] - x[3].im[q];
      const double br = mr + di, bi = mi - dr, cr = pr - sr, ci = pi - si, er = mr - di, ei = mi + dr;
      y[0].re[q] = pr + sr;
      y[0].im[q] = pi + si;
      y[1].re[q] = br * w1r - bi * w1i;
      y[1].im[q] = br * w1i + bi * w1r;
      y[2].re[q] = cr * w2r - ci * w2i;
      y[2].im[q] = cr * w2i + ci * w2r;
      y[3].re[q] = er * w3r - ei * w3i;
      y[3].im[q] = er * w3i + ei * w3r;
    }
  }
};

template <>
struct Butterfly<5> {
  static void run(const std::array<Source, 5>& x, const std::array<Target, 5>& y, const std::array<Root, 5>& w,
                  Index count) {
    constexpr double kCos1 = 0.30901699437494742410, kCos2 = -0.80901699437494742410;
    constexpr double kSin1 = 0.95105651629515357212, kSin2 = 0.58778525229247312917;
    for (Index q = 0; q < count; ++q) {
      const double ar = x[0].re[q], ai = x[0].im[q];
      const double s1r = x[1].re[q] + x[4].re[q], s1i = x[1].im[q] + x[4].im[q];
      const double d1r = x[1].re[q] - x[4].re[q], d1i = x[1].im[q] - x[4].im[q];
      const double s2r = x[2].re[q] + x[3].re[q], s2i = x[2].im[q] + x[3].im[q];
      const double d2r = x[2].re[q] - x[3].re[q], d2i = x[2].im[q] - x[3].im[q];
      const double m1r = ar + kCos1 * s1r + kCos2 * s2r, m1i = ai + kCos1 * s1i + kCos2 * s2i;
      const double m2r = ar + kCos2 * s1r + kCos1 * s2r, m2i = ai + kCos2 * s1i + kCos1 * s2i;
      const double n1r = kSin1 * d1r + kSin2 * d2r, n1i = kSin1 * d1i + kSin2 * d2i;
      const double n2r = kSin2 * d1r - kSin1 * d2r, n2i = kSin2 * d1i - kSin1 * d2i;
      const std::array<double, 5> re{ar + s1r + s2r, m1r + n1i, m2r + n2i, m2r - n2i, m1r - n1i};
      const std::array<double, 5> im{ai + s1i + s2i, m1i - n1r, m2i - n2r, m2i + n2r, m1i + n1r};
      y[0].re[q] = re[0];
      y[0].im[q] = im[0];
      for (std::size_t j = 1; j < 5; ++j) {
        y[j].re[q] = re[j] * w[j].real() - im[j] * w[j].imag();
        y[j].im[q] = re[j] * w[j].imag() + im[j] * w[j].real();
      }
    }
  }
};

// One factor R of lines of length n, of which `left` is still to be done, in blocks of `done` lines' worth of results.
template <std::size_t R>
void pass(const Roots& roots, Index left, Index done, Lanes& at) {
  const auto n = static_cast<Index>(roots.size());
  constexpr auto kFactor = static_cast<Index>(R);
  const Index part = left / kFactor, count = done * kLanes, step = n / left;
  for (Index p = 0; p < part; ++p) {
    std::array<Source, R> x;
    std::array<Target, R> y;
    std::array<Root, R> w;
    for (Index k = 0; k < kFactor; ++k) {
      const auto i = static_cast<std::size_t>(k);
      const Index from = count * (p + part * k), to = count * (kFactor * p + k);
      x[i] = {at.re.data() + from, at.im.data() + from};
      y[i] = {at.re2.data() + to, at.im2.data() + to};
      w[i] = roots[static_cast<std::size_t>(p * k * step % n)];
    }
    Butterfly<R>::run(x, y, w, count);
  }
  std::swap(at.re, at.re2);
  std::swap(at.im, at.im2);
}

void transform(const Roots& roots, Lanes& at) {
  const auto n = static_cast<Index>(roots.size());
  for (Index left = n, done = 1; left > 1;) {
    if (left % 4 == 0) {
      pass<4>(roots, left, done, at);
      left /= 4, done *= 4;
    } else if (left % 2 == 0) {
      pass<2>(roots, left, done, at);
      left /= 2, done *= 2;
    } else if (left % 3 == 0) {
      pass<3>(roots, left, done, at);
      left /= 3, done *= 3;
    } else {
      pass<5>(roots, left, done, at);
      left /= 5, done *= 5;
    }
  }
}

bool is_zero(const Root* line, Index n) {
  return std::all_of(line, line + n, [](const Root& each) { return each == Root(); });
}

}  // namespace

Index smooth_size(Index n) {
  for (;; ++n) {
    Index rest = n;
    for (const Index factor : {2, 3, 5})
      while (rest % factor == 0) rest /= factor;
    if (rest == 1) return n;
  }
}

Fft::Fft(std::vector<Index> sizes) : sizes_(std::move(sizes)) {
  for (const Index n : sizes_) {
    if (n < 1 || smooth_size(n) != n) refuse("sizes", std::to_string(n), "numbers without a prime factor above 5");
    size_ *= n;
    Roots roots;
    for (Index k = 0; k < n; ++k)
      roots.push_back(std::polar(1.0, -2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n)));
    roots_.push_back(std::move(roots));
  }
}

// The inverse transform is the forward one with real and imaginary parts exchanged.
void Fft::along(std::size_t axis, Root* values, bool backward) const {
  const Index n = sizes_[axis];
  if (n == 1) return;
  Index inner = 1;
  for (std::size_t c = axis + 1; c < sizes_.size(); ++c) inner *= sizes_[c];
  Lanes at(n);
  for (Index outer = 0; outer < size_; outer += inner * n)
    for (Index begin = 0; begin < inner; begin += kLanes) {
      const Index lanes = std::min(kLanes, inner - begin);
      for (Index j = 0; j < n; ++j) {
        const Root* from = values + outer + j * inner + begin;
        for (Index b = 0; b < lanes; ++b) {
          const auto to = static_cast<std::size_t>(j * kLanes + b);
          at.re[to] = backward ? from[b].imag() : from[b].real();
          at.im[to] = backward ? from[b].real() : from[b].imag();
        }
      }
      transform(roots_[axis], at);
      for (Index j = 0; j < n; ++j) {
        Root* to = values + outer + j * inner + begin;
        for (Index b = 0; b < lanes; ++b) {
          const auto from = static_cast<std::size_t>(j * kLanes + b);
          to[b] = backward ? Root(at.im[from], at.re[from]) : Root(at.re[from], at.im[from]);
        }
      }
    }
}

void Fft::last_axis(Root* values, const std::vector<bool>& wanted, bool backward) const {
  const Index n = sizes_.back(), lines = size_ / n;
  if (n == 1) return;
  Lanes at(n);
  std::vector<Index> some;
  const auto run = [&] {
    for (std::size_t b = 0; b < some.size(); ++b) {
      const Root* from = values + some[b] * n;
      for (Index j = 0; j < n; ++j) {
        const auto to = static_cast<std::size_t>(j * kLanes) + b;
        at.re[to] = backward ? from[j].imag() : from[j].real();
        at.im[to] = backward ? from[j].real() : from[j].imag();
      }
    }
    transform(roots_.back(), at);
    for (std::size_t b = 0; b < some.size(); ++b) {
      Root* to = values + some[b] * n;
      for (Index j = 0; j < n; ++j) {
        const auto from = static_cast<std::size_t>(j * kLanes) + b;
        to[j] = backward ? Root(at.im[from], at.re[from]) : Root(at.re[from], at.im[from]);
      }
    }
    some.clear();
  };
  for (Index line = 0; line < lines; ++line) {
    if (!wanted.empty() && !wanted[static_cast<std::size_t>(line)]) continue;
    if (!backward && is_zero(values + line * n, n)) continue;
    some.push_back(line);
    if (some.size() == kLanes) run();
  }
  if (!some.empty()) run();
}

void Fft::forward(Root* values) const {
  last_axis(values, {}, false);
  for (std::size_t axis = sizes_.size() - 1; axis-- > 0;) along(axis, values, false);
}

void Fft::inverse(Root* values, const std::vector<bool>& wanted) const {
  for (std::size_t axis = 0; axis + 1 < sizes_.size(); ++axis) along(axis, values, true);
  last_axis(values, wanted, true);
}

}  // namespace iqbo::internal
