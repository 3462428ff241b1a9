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
  expect_refusal(read("a,b\n\n1,2\n"),
                 {"row 3 has data below an empty row (row 2), expected no empty rows", "delete them"});
  expect_refusal(read("a,b\n1,x\"y\"\n"), {"row 2 has a quote within a plain cell"});
  expect_refusal(read("a,b\n1,\"y\"z\n"), {"row 2 goes on after a closing quote"});
  expect_refusal(read("a,b\n1,\"y\n"), {"row 2 opens a quote that is never closed"});
  expect_refusal(read("a,b\r1,2\r"), {"row 1 has a carriage return", "LF or CRLF"});
  expect_refusal(read("a,b\n1,\x81\n"), {"line 2 is neither UTF-8 nor Windows-1252", "saved as UTF-8"});
  expect_refusal(read("a,b\n\xC3\xBC,2\n1,\xFC\n"), {"line 3 is not UTF-8, and others are"});
  expect_refusal(read("\xFF\xFEhello"), {"is UTF-16", "CSV UTF-8"});
  expect_refusal([] { parse_csv(std::string_view("a\n\0\n", 4), "t"); }, {"line 2 has a zero byte"});
  const CsvTable table = parse_csv("east,north\n1,2\n3,abc\n", "targets.points (pixels.csv)");
  expect_refusal([&] { table.number(1, 1); },
                 {"targets.points (pixels.csv): row 3, column \"north\" is \"abc\", expected a finite number"});
  expect_refusal(
      [&] { table.position("nroth", "targets.coordinates"); },
      {"targets.points (pixels.csv): the table has no column \"nroth\", which targets.coordinates names; the nearest "
       "is \"north\""});
  expect_refusal([&] { table.position("dose", "targets.coordinates"); },
                 {"which targets.coordinates names; it has columns east, north"});
  expect_refusal([] { csv_number(std::nan("")); }, {"csv", "nan"});
}

TEST(Csv, RecognisesSeparatorsAndDecimalCommas) {
  const CsvTable german = parse_csv("id;rate\nd1;3,5\nd2; -0,25e1 \nd3;7\n", "t");
  EXPECT_EQ(german.style, (CsvStyle{';', ',', false}));
  EXPECT_EQ(german.number(0, 1), 3.5);
  EXPECT_EQ(german.number(1, 1), -2.5);
  EXPECT_EQ(german.number(2, 1), 7.0);
  const CsvTable quoted = parse_csv("\"id\";\"rate, per 1000\"\n\"d1\";\"3,5\"\n", "t");
  EXPECT_EQ(quoted.columns[1], "rate, per 1000");
  EXPECT_EQ(quoted.number(0, 1), 3.5);
  const CsvTable tabs = parse_csv("id\trate\nd1\t0.5\nd2\t1,5 km\n", "t");
  EXPECT_EQ(tabs.style, (CsvStyle{'\t', '.', false}));
  EXPECT_EQ(tabs.number(0, 1), 0.5);
  EXPECT_EQ(parse_csv("id\trate\nd1\t0,5\n", "t").number(0, 1), 0.5);
  EXPECT_EQ(parse_csv("sep=;\r\nid;x\r\n1;2,25\r\n", "t").number(0, 1), 2.25) << "as Excel writes";
  EXPECT_EQ(parse_csv("id;rate, per 1000;n\nd1;3,5;7\n", "t").columns.size(), 3U);
  EXPECT_EQ(parse_csv("a;b,c\n1;2,3\n", "t").columns, (std::vector<std::string>{"a;b", "c"})) << "commas first";
  EXPECT_EQ(parse_csv("only\nx\n", "t").style, CsvStyle{});
}

TEST(Csv, RefusesNumbersThatCouldBeTwo) {
  const CsvTable mixed = parse_csv("id;rate;people\nd1;3,5;1.204\n", "t");
  expect_refusal([&] { mixed.number(0, 2); }, {"row 2, column \"people\" is \"1.204\"", "decimal comma"});
  expect_refusal([] { parse_csv("id\tpeople\nd1\t1,204\nd2\t12,000\n", "t"); },
                 {"row 2, column \"people\" is \"1,204\", which may be two numbers", "1204 or 1.204"});
  EXPECT_EQ(parse_csv("id\tpeople\nd1\t1,204\nd2\t12,5\n", "t").number(0, 1), 1.204) << "12,5 decides";
  const CsvTable thousands = parse_csv("id,people\nd1,\"1,204\"\n", "t");
  expect_refusal([&] { thousands.number(0, 1); }, {"without separators of thousands"});
}

TEST(Csv, ReadsWindows1252AndSaysSo) {
  const CsvTable table = parse_csv("id;name;price\n1;K\xF6ln;5 \x80\n", "t");
  EXPECT_TRUE(table.style.windows_1252);
  EXPECT_EQ(table.rows[0][1], "K\xC3\xB6ln");
  EXPECT_EQ(table.rows[0][2], "5 \xE2\x82\xAC");
  EXPECT_FALSE(parse_csv("id\nK\xC3\xB6ln\n", "t").style.windows_1252);
}

TEST(Csv, ListsAllMistakesOfATable) {
  expect_refusal([] { parse_csv("a,b\n1,2,3\n1,2\n1\n1,\"y\n", "t.csv"); },
                 {"t.csv: 3 mistakes\n  row 2 has 3 cells, expected 2\n  row 4 has 1 cells, expected 2\n"
                  "  row 5 opens a quote that is never closed, expected a closing quote"});
  std::string many = "a,b\n";
  for (int i = 0; i < 100; ++i) many += "1\n";
  expect_refusal([&] { parse_csv(many, "t.csv"); }, {"t.csv: the first 20 mistakes", "row 21 has 1 cells"});
}

// As spreadsheets end tables that were longer once.
TEST(Csv, RowsOfSeparatorsAloneAreEmptyLines) {
  for (const char* end : {",\n", ",,,\n,\n", "\n\n,,\n", ",", "\r\n,\r\n"})
    EXPECT_EQ(parse_csv(std::string("a,b\n1,2\n") + end, "t.csv").size(), 1U) << end;
  EXPECT_EQ(parse_csv("a;b\n1;2\n;;\n", "t.csv").size(), 1U);
  for (const char* between : {"\n", ",\n", "\n\n,,\n"})
    expect_refusal([&] { parse_csv(std::string("a,b\n1,2\n") + between + "3,4\n", "t.csv"); },
                   {"has data below an empty row (row 3)", "delete them, or what stands below them"});
  EXPECT_EQ(parse_csv("a,b\n\"\",\n", "t.csv").size(), 1U) << "an empty text is a cell";
  const CsvTable empty{"t", {"a", "b"}, {{"", ""}, {"", "1"}, {"", ""}}};
  EXPECT_EQ(parse_csv(to_csv(empty), "t"), empty);
}

TEST(Csv, RowsAreAsTheyWerePut) {
  CsvRows rows{{"a", "", "ccc"}, {}, {"x"}};
  rows.add_cell("dropped");
  rows.drop_row();
  rows.add_cell("on");
  rows.append("e");
  rows.add_cell("two");
  rows.end_row();
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(std::vector<std::string>(rows[0].begin(), rows[0].end()), (std::vector<std::string>{"a", "", "ccc"}));
  EXPECT_EQ(rows[1].size(), 0U);
  EXPECT_EQ(rows[2][0], "x");
  EXPECT_EQ(rows[3][0], "one");
  EXPECT_EQ(rows[3].at(1), "two");
  EXPECT_THROW(rows[3].at(2), std::out_of_range);
  EXPECT_THROW(rows.at(4), std::out_of_range);
  EXPECT_EQ(rows, (CsvRows{{"a", "", "ccc"}, {}, {"x"}, {"one", "two"}}));
  EXPECT_NE(rows, (CsvRows{{"a", "", "ccc"}, {}, {"x"}, {"on", "etwo"}}));
}

TEST(Csv, FindsBytesThatAreNoTextInLongTables) {
  const std::string good(1000, 'x');
  for (const std::size_t at : {0U, 7U, 8U, 500U, 999U}) {
    std::string bad = "a\n" + good;
    bad[2 + at] = '\0';
    expect_refusal([&] { parse_csv(bad, "t.csv"); }, {"t.csv: line 2 has a zero byte"});
    bad[2 + at] = '\xE9';
    EXPECT_FALSE(is_utf8(bad));
    EXPECT_EQ(parse_csv(bad, "t.csv").rows[0][0].substr(at, 2), "\xC3\xA9");
  }
}

TEST(Csv, KnowsMissingCells) {
  for (const char* cell : {"", " ", "NA", "n/a", "#N/A", "NaN", "null", "None", "-", "#NV"})
    EXPECT_TRUE(is_missing(cell)) << cell;
  for (const char* cell : {"0", "Nan Province", "--", "nab", "."}) EXPECT_FALSE(is_missing(cell)) << cell;
}

RC_GTEST_PROP(Csv, TablesComeBack, (std::vector<std::vector<std::string>> cells)) {
  CsvTable table{"t", {"a", "b", "\xEF\xBB\xBF"}, {}};
  for (auto row : cells) {
    row.resize(3);
    for (auto& cell : row)
      for (char& c : cell) c = static_cast<char>("ab,\"\r\n x;\t"[static_cast<unsigned char>(c) % 10]);
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
