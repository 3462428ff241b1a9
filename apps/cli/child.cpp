#include "child.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <utility>

#include "iqbo/core/check.hpp"
#include "limits.hpp"

extern char** environ;

namespace iqbo::cli {
namespace {

constexpr std::size_t kMostOutput = 1 << 20;  // the last bytes of a longer output are kept

void shut(int& end) {
  if (end >= 0) close(end);
  end = -1;
}

[[noreturn]] void refuse_more() {
  refuse("workers", std::string("no further measurement can be started: ") + std::strerror(errno),
         "fewer at once, or higher limits (ulimit -n, ulimit -u)");
}

// Both ends of a pipe; closes those that nobody has taken over.
class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) refuse_more();
  }
  ~Pipe() {
    for (int& end : ends_) shut(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int& from() { return ends_[0]; }
  int& to() { return ends_[1]; }

 private:
  std::array<int, 2> ends_{-1, -1};
};

// Reads what is available; closes the pipe at its end.
void drain(int& from, std::string& into) {
  std::array<char, 4096> piece{};
  while (from >= 0) {
    const ssize_t got = ::read(from, piece.data(), piece.size());
    if (got > 0) {
      into.append(piece.data(), static_cast<std::size_t>(got));
      if (into.size() > 2 * kMostOutput) into.erase(0, into.size() - kMostOutput);
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
      shut(from);
    } else if (errno == EAGAIN) {
      return;
    }
  }
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

std::vector<std::string> environment_with(const std::map<std::string, std::string>& more) {
  std::vector<std::string> out;
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (!more.contains(std::string(*entry).substr(0, std::string(*entry).find('=')))) out.emplace_back(*entry);
  for (const auto& [name, value] : more) out.push_back(name + "=" + value);
  return out;
}

std::string cannot_start(const std::string& word, int reason) {
  const bool there = reason == ENOENT && word.find('/') != std::string::npos && access(word.c_str(), F_OK) == 0;
  return "cannot start " + word + ": " +
         (there ? "the interpreter that its first line names is missing" : std::strerror(reason));
}

// 0, or the errno that exec would give for this file.
int obstacle(const std::string& file) {
  struct stat about {};
  if (stat(file.c_str(), &about) != 0) return errno;
  return S_ISREG(about.st_mode) && access(file.c_str(), X_OK) == 0 ? 0 : EACCES;
}

}  // namespace

void require_program(const std::string& word) {
  int reason = ENOENT;
  if (word.find('/') != std::string::npos) {
    reason = obstacle(word);
  } else {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path == nullptr ? "/bin:/usr/bin" : path);
    for (std::string folder; reason != 0 && std::getline(folders, folder, ':');)
      if (const int here = obstacle((folder.empty() ? "." : folder) + "/" + word); here == 0 || here == EACCES)
        reason = here;
  }
  if (reason != 0) refuse("command", cannot_start(word, reason), "a program that can be run");
}

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return {};
  const std::size_t before = text.find_last_of("\r\n", end);  // progress displays end their lines with \r
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  return text.substr(begin, end + 1 - begin);
}

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Child::Child(const Order& order) : started_(steady_seconds()) {
  std::vector<std::string> words = order.words;
  std::vector<std::string> settings = environment_with(order.environment);
  const std::vector<char*> argv = pointers(words);
  const std::vector<char*> envp = pointers(settings);
  Pipe in, out, err;
  Pipe trouble;  // receives the errno of an exec that failed; a successful exec closes it
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ < 0) refuse_more();
  if (pid_ == 0) {  // only async-signal-safe calls between fork and exec
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    dup2(in.from(), 0);
    dup2(out.to(), 1);
    dup2(err.to(), 2);
    for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGXFSZ}) std::signal(signal, SIG_DFL);
    lift_memory_limit();
    execvpe(argv[0], argv.data(), envp.data());
    const int reason = errno;
    [[maybe_unused]] const ssize_t told = write(trouble.to(), &reason, sizeof reason);
    _exit(127);
  }
  setpgid(pid_, pid_);
  for (int* end : {&in.from(), &out.to(), &err.to(), &trouble.to()}) shut(*end);
  int reason = 0;
  if (::read(trouble.from(), &reason, sizeof reason) > 0) {
    waitpid(pid_, &status_, 0);
    ended_ = true;
    throw CannotStart(cannot_start(order.words[0], reason));
  }
  // A query is far smaller than a pipe's buffer, so this does not block; the program need not read it.
  fcntl(in.to(), F_SETFL, O_NONBLOCK);
  [[maybe_unused]] const ssize_t written = write(in.to(), order.input.data(), order.input.size());
  out_ = std::exchange(out.from(), -1);
  err_ = std::exchange(err.from(), -1);
  fcntl(out_, F_SETFL, O_NONBLOCK);
  fcntl(err_, F_SETFL, O_NONBLOCK);
}

Child::~Child() {
  if (!ended_) {
    kill();
    waitpid(pid_, &status_, 0);
  }
  shut(out_);
  shut(err_);
}

void Child::read() {
  drain(out_, output_);
  drain(err_, errors_);
}

bool Child::finished() {
  if (!ended_ && waitpid(pid_, &status_, WNOHANG) == pid_) {
    ended_ = true;
    ::kill(-pid_, SIGKILL);  // processes that it left behind would keep the pipes open
  }
  if (ended_) read();
  return ended_;
}

void Child::kill() {
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);
}

double Child::seconds() const { return steady_seconds() - started_; }
bool Child::succeeded() const { return ended_ && WIFEXITED(status_) && WEXITSTATUS(status_) == 0; }

std::string Child::failure() const {
  std::string out = WIFSIGNALED(status_) ? "killed by signal " + std::to_string(WTERMSIG(status_)) + " (" +
                                               strsignal(WTERMSIG(status_)) + ")"
                                         : "exit code " + std::to_string(WEXITSTATUS(status_));
  const std::string words = last_line(errors_);
  return words.empty() ? out : out + ": " + words;
}

std::vector<std::string> split_words(const std::string& command) {
  std::vector<std::string> out;
  std::string word;
  bool inside = false;
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    const bool escapes =
        quote == 0 || (quote == '"' && i + 1 < command.size() && std::strchr("$`\"\\", command[i + 1]));
    if (c == '\\' && escapes && i + 1 < command.size()) {
      word += command[++i];
      inside = true;
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      inside = true;
    } else if (std::strchr(" \t\n", c) != nullptr) {
      if (inside) out.push_back(word);
      word.clear();
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (quote != 0) refuse("command", "a quote is not closed", std::string("a second ") + quote);
  if (inside) out.push_back(word);
  if (out.empty()) refuse("command", "is empty", "a program and its arguments");
  return out;
}

}  // namespace iqbo::cli
