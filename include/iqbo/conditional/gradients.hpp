// Gradients in a of what a conditional, or a belief built on it, returns: whether they exist and how they are computed.
//
//   kNone         none: queries are listed (bags), or every query has its own random draws
//   kDifferences  central differences in a of the averages (never of the posterior, whose solves are exact): six to nine
//                 digits for averages that vary over lengths of order max(1, |a|), and 2 dim(A) evaluations
//   kAnalytic     closed form, as exact as the averages themselves
#pragma once

namespace iqbo {

enum class Gradients { kNone, kDifferences, kAnalytic };

}  // namespace iqbo
