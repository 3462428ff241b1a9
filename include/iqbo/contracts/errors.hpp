// Checks of the text of an error.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

namespace iqbo::contracts {

// `call` must throw an Error whose text contains every piece.
template <class Error>
void expect_error(const std::function<void()>& call, std::initializer_list<std::string_view> pieces) {
  try {
    call();
  } catch (const Error& error) {
    const std::string text = error.what();
    for (const std::string_view piece : pieces)
      EXPECT_NE(text.find(piece), std::string::npos) << "no \"" << piece << "\" in: " << text;
    return;
  } catch (const std::exception& other) {
    ADD_FAILURE() << "another error: " << other.what();
    return;
  }
  ADD_FAILURE() << "not refused";
}

// The same for a caller's mistake: expect_refusal([&] { fit(z); }, {"z", "row 3", "nan", "finite"}).
inline void expect_refusal(const std::function<void()>& call, std::initializer_list<std::string_view> pieces) {
  expect_error<std::invalid_argument>(call, pieces);
}

}  // namespace iqbo::contracts
