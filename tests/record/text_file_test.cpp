#include "iqbo/record/text_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "support/errors.hpp"
#include "support/scratch.hpp"

namespace iqbo {
namespace {

namespace fs = std::filesystem;
using test::expect_refusal;

TEST(TextFile, ReadsWhatItWrote) {
  const test::Scratch scratch;
  const std::string text("line\r\n\0 zero", 13);
  for (const std::string& each : {text, std::string(), std::string(200000, 'x')}) {
    write_text(scratch.file("a"), each);
    EXPECT_EQ(read_text(scratch.file("a")), each);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(scratch.path()), fs::directory_iterator()), 1)
      << "nothing else is left";
}

TEST(TextFile, ReadsNoMoreThanItMay) {
  const test::Scratch scratch;
  write_text(scratch.file("a"), "12345");
  EXPECT_EQ(read_text(scratch.file("a"), 5), "12345");
  expect_refusal([&] { read_text(scratch.file("a"), 4); }, {"has more than 4 bytes"});
  expect_refusal([&] { read_text("/dev/zero"); }, {"/dev/zero: is a device"});
  expect_refusal([&] { read_text(scratch.path()); }, {"is a folder"});
  expect_refusal([&] { read_text(scratch.file("none")); }, {"cannot be read"});
}

TEST(TextFile, ReadsPipes) {
  const test::Scratch scratch;
  const std::string pipe = scratch.file("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread other([&] { std::ofstream(pipe) << "from a pipe"; });
  EXPECT_EQ(read_text(pipe), "from a pipe");
  other.join();
}

TEST(TextFile, ReplacesRegularFilesOnly) {
  const test::Scratch scratch;
  const std::string pipe = scratch.file("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  expect_refusal([&] { write_text(pipe, "x"); }, {"is a pipe or a device"});
  expect_refusal([&] { write_text("/dev/null", "x"); }, {"is a pipe or a device"});
  expect_refusal([&] { write_text(scratch.path(), "x"); }, {"is a folder"});
  expect_refusal([&] { write_text("/", "x"); }, {"is a folder"});
  expect_refusal([&] { write_text("", "x"); }, {"has no name"});
  expect_refusal([&] { write_text(scratch.file("no/folder"), "x"); }, {"no/folder", "No such file"});
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST(TextFile, ALinkStaysOne) {
  const test::Scratch scratch;
  write_text(scratch.file("file"), "old");
  fs::create_symlink("file", scratch.file("link"));
  write_text(scratch.file("link"), "new");
  EXPECT_TRUE(fs::is_symlink(scratch.file("link")));
  EXPECT_EQ(read_text(scratch.file("file")), "new");
}

}  // namespace
}  // namespace iqbo
