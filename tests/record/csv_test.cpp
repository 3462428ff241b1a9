#include "iqbo/record/csv.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <clocale>
#include <cmath>
#include <limits>

#include "iqbo/record/result_table.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

using test::expect_refusal;

TEST(Csv, ReadsQuotesLineEndsAndTheByteOrderMark) {
  const CsvTable table =
      parse_csv("\xEF\xBB\xBFid,\"na,me\"\r\n1,\"say \"\"hi\"\"\"\n2,\"two\nlines\"\n\n\r\n", "t.csv");
  EXPECT_EQ(table.columns, (std::vector<std::string>{"id", "na,me"}));
  ASSERT_EQ(table.size(), 2U);
  EXPECT_EQ(table.rows[0][1], "say \"hi\"");
  EXPECT_EQ(table.rows[1][1], "two\nlines");
  EXPECT_EQ(table.number(1, 0), 2.0);
}

TEST(Csv, NumbersAreDecimalWhateverTheLocale) {
  const char* before = std::setlocale(LC_ALL, "de_DE.UTF-8");  // has a decimal comma, where it is installed
  double value = 0;
  EXPECT_TRUE(parse_number(" +1.5e3 ", value));
  EXPECT_EQ(value, 1500.0);
  EXPECT_EQ(csv_number(0.1), "0.1");
  if (before != nullptr) std::setlocale(LC_ALL, "C");
  EXPECT_TRUE(parse_number("-1e-999", value) && value == 0.0) << "too small to be told from 0";
  for (const char* bad : {"", "1,5", "nan", "inf", "-inf", "1e999", "0x10", "1 2", "+-1", "1.5km"})
    EXPECT_FALSE(parse_number(bad, value)) << bad;
}

TEST(Csv, RefusesWithRowAndColumn) {
  const auto read = [](const char* text) { return [text] { parse_csv(text, "pairs.csv"); }; };
  expect_refusal(read(""), {"pairs.csv: is empty"});
  expect_refusal(read("a,b\n1,2\n1,2,3\n"), {"pairs.csv: row 3 has 3 cells, expected 2"});
  expect_refusal(read("a,b\n1\n"), {"row 2 has 1 cells, expected 2"});
  expect_refusal(read("a,a\n"), {"row 1 names two columns \"a\"", "different names"});
  expect_refusal(read("a,\n"), {"row 1 has no name for column 2"});
  expect_refusal(read("a;b\n1;2\n"), {"row 1 is \"a;b\"", "separated by commas"});
  expect_refusal(read("a,b\n\n1,2\n"), {"row 3 follows an empty line"});
  expect_refusal(read("a,b\n1,x\"y\"\n"), {"row 2 has a quote within a plain cell"});
  expect_refusal(read("a,b\n1,\"y\"z\n"), {"row 2 goes on after a closing quote"});
  expect_refusal(read("a,b\n1,\"y\n"), {"row 2 opens a quote that is never closed"});
  expect_refusal(read("a,b\r1,2\r"), {"row 1 has a carriage return", "LF or CRLF"});
  expect_refusal(read("a,b\n1,\xFF\n"), {"line 2 is not UTF-8", "saved as UTF-8"});
  expect_refusal([] { parse_csv(std::string_view("a\n\0\n", 4), "t"); }, {"line 2 has a zero byte"});
  const CsvTable table = parse_csv("east,north\n1,2\n3,abc\n", "target.points (pixels.csv)");
  expect_refusal([&] { table.number(1, 1); },
                 {"target.points (pixels.csv): row 3, column \"north\" is \"abc\", expected a finite number"});
  expect_refusal([&] { table.position("nroth", "target.coordinates"); },
                 {"no column \"nroth\", which target.coordinates names", "expected \"north\" (one of east, north)"});
  expect_refusal([] { csv_number(std::nan("")); }, {"csv", "nan"});
}

RC_GTEST_PROP(Csv, TablesComeBack, (std::vector<std::vector<std::string>> cells)) {
  CsvTable table{"t", {"a", "b", "\xEF\xBB\xBF"}, {}};
  for (auto row : cells) {
    row.resize(3);
    for (auto& cell : row)
      for (char& c : cell) c = static_cast<char>("ab,\"\r\n x"[static_cast<unsigned char>(c) % 8]);
    table.rows.push_back(row);
  }
  RC_ASSERT(parse_csv(to_csv(table), "t") == table);
  CsvTable one{"t", {"only"}, {{""}, {"x"}, {""}}};
  RC_ASSERT(parse_csv(to_csv(one), "t") == one);
}

RC_GTEST_PROP(Csv, DoublesComeBackBitForBit, (std::uint64_t bits)) {
  const auto value = std::bit_cast<double>(bits);
  RC_PRE(std::isfinite(value));
  double back = 0;
  RC_ASSERT(parse_number(csv_number(value), back));
  RC_ASSERT(std::bit_cast<std::uint64_t>(back) == bits);
}

TEST(Csv, ExtremeDoublesComeBack) {
  for (const double value : {5e-324, -0.0, 1.7976931348623157e308, 2.2250738585072014e-308, 0.1, 1.0 / 3}) {
    double back = 1;
    ASSERT_TRUE(parse_number(csv_number(value), back));
    EXPECT_EQ(std::bit_cast<std::uint64_t>(back), std::bit_cast<std::uint64_t>(value));
  }
}

TEST(ResultTable, ComesBackAndRefusesOtherTables) {
  const ResultTable rows{{"branin, linear", "cmes", 18446744073709551615U, 0, {0.1, -5e-324}, 1.0 / 3, 2.5, 0, 1},
                         {"two peaks", "ei", 2, 99, {0.5}, -1e300, 0, 0, 2}};
  EXPECT_EQ(results_from_csv(results_to_csv(rows), "r.csv"), rows);
  EXPECT_EQ(result_header() + result_line(rows[0]) + result_line(rows[1]), results_to_csv(rows));
  expect_refusal([] { results_from_csv("a,b\n1,2\n", "r.csv"); }, {"r.csv: has other columns", "instant_regret"});
  expect_refusal([] { results_from_csv(result_header() + "p,q,-1,0,0,0,0,0,0\n", "r.csv"); },
                 {"row 2, column \"seed\" is \"-1\"", "a whole number"});
  expect_refusal([] { results_from_csv(result_header() + "p,q,1,0,0  1,0,0,0,0\n", "r.csv"); },
                 {"column \"query\"", "blanks between"});
}

}  // namespace
}  // namespace iqbo
