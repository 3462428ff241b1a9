// Hyperparameters as plain numbers: a fit finds them, policies compute with them, trials and studies store them.
//
// They live in this room because `posterior` and `record` both need them and do not see each other. Members that were
// not fitted are empty. Names such as "lengthscale[1]" serve storage and people (parameters()); programs use members.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "iqbo/core/matrix.hpp"

namespace iqbo {

// A number and its 95 % interval, which is the number itself where it was given rather than fitted.
struct FittedNumber {
  FittedNumber() = default;
  FittedNumber(double given) : FittedNumber(given, given, given) {}  // NOLINT(google-explicit-constructor): it is one
  FittedNumber(double fitted, double lower, double upper) : value(fitted), low(lower), high(upper) {}

  double value = 0;
  double low = 0;
  double high = 0;
  bool operator==(const FittedNumber&) const = default;
};

struct FittedParameter {
  std::string name;
  double value = 0;
  double low = 0;
  double high = 0;
  bool operator==(const FittedParameter&) const = default;
};

struct Hyperparameters {
  std::int64_t observations = 0;                     // how many, counted from the first, the fit used
  std::string family = {};                           // "rbf", "matern32", ...; "" for a kernel of another structure
  std::optional<FittedNumber> variance = {};         // of f, without the nugget
  std::vector<FittedNumber> lengthscale = {};        // one per column of x
  bool isotropic = false;                            // one lengthscale is shared by all columns
  std::vector<FittedParameter> others = {};          // of the kernel, by the kernel's own names
  std::optional<FittedNumber> nugget = {};           // variance of the white part of f
  std::optional<FittedNumber> noise_var = {};        // of an observation
  std::vector<FittedNumber> mean = {};               // the constant, then one slope per column if the mean is linear
  std::optional<FittedNumber> discrepancy_var = {};  // tau^2, where p(x|a) was learned
  std::string link = {};                             // "log" or "logit": all of these are of eta, f = h(eta); "": of f
  std::optional<FittedNumber> dispersion = {};       // of counts: 1 / k of a negative binomial
  double log_evidence = 0;                           // log p(z | hyperparameters), mean integrated out
  std::vector<std::string> notes = {};               // plain sentences for a user

  // Other values that the data do not rule out, drawn from their posterior: what is not known about the numbers above.
  // Empty: this is a point estimate and nothing else. Members have no members of their own.
  std::vector<Hyperparameters> members = {};
  double weight = 1;  // of a member among the others

  // The numbers by name: variance, lengthscale[0], ..., nugget, noise_var, mean, slope[0], ..., discrepancy_var,
  // dispersion. With the names of the columns of x, "lengthscale of north" instead of "lengthscale[1]".
  std::vector<FittedParameter> parameters(const std::vector<std::string>& columns = {}) const;
  std::vector<std::string> named_notes(const std::vector<std::string>& columns) const;  // with the same names

  // Sets the members from numbers named as parameters() names them when called without columns.
  void set_parameters(const std::vector<FittedParameter>& named);

  bool operator==(const Hyperparameters&) const = default;
};

Vector values_of(const std::vector<FittedNumber>& numbers);

}  // namespace iqbo
