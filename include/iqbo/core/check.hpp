// Checks on what a user passes in. Each throws std::invalid_argument in one form:
//
//   "z: row 3 is nan, expected a finite number"
//   "a: 2 columns, expected 3"
//
// `name` is the argument's name as the caller wrote it; rows count from 0, as in C++ and Python.
#pragma once

#include <string>
#include <string_view>

#include "iqbo/core/matrix.hpp"

namespace iqbo {

// Throws std::invalid_argument("<name>: <found>, expected <expected>").
[[noreturn]] void refuse(std::string_view name, std::string_view found, std::string_view expected);

// A number as a person would write it: "0.1", "-3", "nan".
std::string readable(double value);

void require_finite(double value, std::string_view name);
void require_finite(const Vector& values, std::string_view name);
void require_finite(const Rows& values, std::string_view name);

void require_positive(double value, std::string_view name);          // finite and > 0
void require_positive(const Vector& values, std::string_view name);  // each of them
void require_non_negative(const Vector& values, std::string_view name);
void require_non_negative(const Rows& values, std::string_view name);

void require_rows(Index found, Index expected, std::string_view name);
void require_columns(Index found, Index expected, std::string_view name);
void require_not_empty(Index size, std::string_view name);

}  // namespace iqbo
