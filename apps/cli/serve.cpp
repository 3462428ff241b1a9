// iqbo serve: the page of a running study, live, and a JSON API.
#include <malloc.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <future>
#include <iostream>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <type_traits>

#include "commands.hpp"
#include "common_options.hpp"
#include "core/nearest.hpp"
#include "interrupt.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/core/errors.hpp"
#include "iqbo/record/text_file.hpp"
#include "report/page.hpp"
#include "report/study_document.hpp"
#include "server/listener.hpp"
#include "show.hpp"
#include "version.hpp"

namespace iqbo::cli {

using namespace internal;

namespace {

constexpr const char* kServeExample =
    "Examples:\n"
    "  iqbo serve -s campaign.db                               # then open http://127.0.0.1:8080/\n"
    "  iqbo serve -s campaign.db --token-file secret           # may also ask and tell over HTTP, with the token\n"
    "  iqbo serve -s campaign.db --address 0.0.0.0 --name lab.example:8080 --token-file secret\n"
    "Ctrl-C ends the server. Reading never blocks writers. docs/serve.md describes the API and who may use it.";

struct ServeCommand {
  CommonOptions common;
  server::ListenOptions listen;
  std::string token_file;
  std::vector<std::string> names;
};

constexpr std::size_t kMostToken = 4096;

// The token must be valid in a header, a cookie and a URL.
std::string read_token(const std::string& file) {
  const char* environment = std::getenv("IQBO_TOKEN");
  std::string token = file.empty() ? (environment != nullptr ? environment : "") : read_text(file, kMostToken);
  while (!token.empty() && std::isspace(static_cast<unsigned char>(token.back())) != 0) token.pop_back();
  const bool plain = std::all_of(token.begin(), token.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '~';
  });
  const bool given = !file.empty() || environment != nullptr;
  if (given && (!plain || token.size() < 16 || token.size() > 256))
    refuse("token", std::to_string(token.size()) + (plain ? " characters" : " characters, some of them not allowed"),
           "16 to 256 letters, digits, '-', '_', '.' or '~', as `openssl rand -hex 16` makes them");
  return token;
}

// What one look frees, the next needs again, but in between it should not be held: the C library would keep it, one
// heap for each of the threads that ask for memory at once.
void keep_memory_small() { mallopt(M_ARENA_MAX, 2); }
struct GiveMemoryBack {  // declared first, so that everything else in the scope has been freed
  GiveMemoryBack() = default;
  ~GiveMemoryBack() { malloc_trim(0); }
  GiveMemoryBack(const GiveMemoryBack&) = delete;
  GiveMemoryBack& operator=(const GiveMemoryBack&) = delete;
};

// Of a study whose answers contradict each other: what was asked and told is known all the same.
server::View view_without_model(Study& study, const std::string& trouble) {
  server::View out;
  const StudyStatus status = study.status();
  out.last_event = status.last_event;
  out.status = status_json(study.names(), status, study.storage().location(), study.storage().pending());
  out.trials = trials_json(study.names(), study.storage().trials());
  out.trouble = trouble;
  return out;
}

server::View view_of(Study& study) try {
  const History history = study.history();
  const SpecData& data = study.data();
  server::View out;
  out.last_event = history.status.last_event;
  out.report = study_document(data, history, colophon());
  out.status = status_json(data, history.status, study.storage().location(), study.storage().pending());
  std::vector<Trial> trials;
  for (const PastTrial& one : history.trials) trials.push_back(one.trial);
  out.trials = trials_json(data, trials);
  out.posterior = posterior_json(history.now).dump();
  out.acquisition = acquisition_json(history.now).dump();
  return out;
} catch (const NumericalError& error) {
  return view_without_model(study, error.what());
}

// The study that is shown. After trouble it is opened anew: a file of that name may be another one by then, such as a
// backup that was put in its place.
class ShownStudy {
 public:
  explicit ShownStudy(CommonOptions common) : common_(std::move(common)) { study_ = common_.open(Access::kReadOnly); }

  std::int64_t last_event() {
    return read([](Study& study) { return study.storage().last_event(); });
  }
  server::View look() {
    const GiveMemoryBack after;
    return read(view_of);
  }

 private:
  template <class Work>
  std::invoke_result_t<Work, Study&> read(const Work& work) {
    try {
      if (!study_) study_ = common_.open(Access::kReadOnly);
      return work(*study_);
    } catch (const StorageError&) {
      study_.reset();
      throw;
    }
  }

  CommonOptions common_;
  std::optional<Study> study_;
};

// Serves one order at a time, each with a study opened for it, as the commands do.
class StudyDesk final : public server::Desk {
 public:
  explicit StudyDesk(CommonOptions common) : common_(std::move(common)) {}

  std::string ask(const server::AskOrder& order) override {
    const std::lock_guard lock(mutex_);
    return available([&] {
      Study study = open(order.worker);
      const AskResult asking = study.ask({order.count});
      return Json{{"trials", Json::parse(trials_json(study.names(), asking.trials))}, {"why", asking.why}}.dump();
    });
  }

  std::string tell(const server::TellOrder& order) override {
    const Answer told{order.value, order.noise_sd, order.replicates, order.count, order.exposure};
    if (!order.query.empty()) {
      const std::lock_guard lock(mutex_);
      return available([&] {
        Study study = open(order.worker);
        return verdict_of(study, study.tell_query(order.query, told));
      });
    }
    return settle(order.trial, order.worker, [&](Study& study) {
      return order.amend ? study.amend(order.trial, told) : study.tell(order.trial, told);
    });
  }

  std::string fail(const server::FailOrder& order) override {
    return settle(order.trial, order.worker,
                  [&](Study& study) { return study.fail(order.trial, clean_text(order.reason)); });
  }

 private:
  Study open(const std::string& worker) const {
    constexpr double kLease = 30 * 86400.0;
    CommonOptions common = common_;
    common.worker = worker;
    return common.open(Access::kReadWrite, kLease);
  }

  // A study that was removed, a disk that is full: no defect of the server, and no mistake of who asks. Each order has a
  // thread of its own: the listener has more than a hundred, and each that computed would keep its stack and the C
  // library's cache of small pieces.
  template <class Work>
  static std::string available(const Work& work) {
    const GiveMemoryBack after;
    try {
      return std::async(std::launch::async, work).get();
    } catch (const StorageError& error) {
      throw server::Unavailable(error.what());
    }
  }

  static std::string verdict_of(const Study& study, const Settled& settled) {
    const bool stored = settled.verdict == Settled::Verdict::kStored;
    return Json{{"verdict", stored ? "stored" : "repeated"},
                {"trial", Json::parse(trial_json(study.names(), settled.trial))}}
        .dump();
  }

  template <class Settle>
  std::string settle(std::int64_t number, const std::string& worker, Settle settle) {
    const std::lock_guard lock(mutex_);
    return available([&] {
      Study study = open(worker);
      const bool settled_before = study.storage().trial(number).state != TrialState::kPending;
      try {
        return verdict_of(study, settle(study));
      } catch (const std::invalid_argument& error) {
        if (settled_before) throw server::Conflict(error.what());
        throw;
      }
    });
  }

  CommonOptions common_;
  std::mutex mutex_;
};

bool is_port(std::string_view text) {
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  return error == std::errc() && end == text.data() + text.size() && port > 0 && port < 65536;
}

bool is_host(std::string_view text) {
  constexpr std::size_t kLongest = 253;  // of a name in the DNS
  const bool address = text.size() > 2 && text.front() == '[' && text.back() == ']';
  if (address) text = text.substr(1, text.size() - 2);
  const bool plain = std::all_of(text.begin(), text.end(), [&](unsigned char c) {
    return address ? std::isxdigit(c) != 0 || c == ':' || c == '.'
                   : std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
  });
  const bool some = std::any_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
  return plain && (some || address) && text.size() <= kLongest;
}

// host, host:port, or https://host[:port] for a proxy that encrypts.
void require_host(const std::string& name) {
  constexpr std::string_view kEncrypted = "https://";
  std::string_view host = name;
  if (host.starts_with(kEncrypted)) host.remove_prefix(kEncrypted.size());
  const std::size_t bracket = host.rfind(']');
  const std::size_t colon = host.find(':', bracket == std::string_view::npos ? 0 : bracket);
  const bool good =
      is_host(host.substr(0, colon)) && (colon == std::string_view::npos || is_port(host.substr(colon + 1)));
  if (!good)
    refuse("name", in_quotes(name),
           "host, host:port (a port from 1 to 65535), or https://host if a proxy encrypts for this server");
}

std::vector<std::string> host_names(const ServeCommand& options, int port) {
  const std::string& address = options.listen.address;
  std::vector<std::string> out = options.names;
  const std::string own = address.find(':') == std::string::npos ? address : "[" + address + "]";
  for (const std::string& name : {std::string("localhost"), std::string("127.0.0.1"), std::string("[::1]"), own}) {
    out.push_back(name + ":" + std::to_string(port));
    if (port == 80) out.push_back(name);
  }
  for (std::string& name : out)
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

void announce(const ServeCommand& options, int port, bool local, bool writes) {
  const std::string& address = options.listen.address;
  const std::string url = "http://" + (address.find(':') == std::string::npos ? address : "[" + address + "]") + ":" +
                          std::to_string(port) + "/";
  if (options.common.json) {
    std::cout << Json{{"url", url}, {"port", port}, {"writes", writes}}.dump() << std::endl;
    return;
  }
  std::cout << url << std::endl;
  if (options.common.quiet) return;
  if (!local)
    std::cout << "  in a browser: " << url << "?token=<token>, unencrypted: use it behind a proxy or a tunnel"
              << std::endl;
  if (writes) std::cout << "  POST /api/ask, /api/tell and /api/fail need the token" << std::endl;
  if (!page_missing().empty()) std::cout << "  " << page_missing() << std::endl;
  std::cout << "  Ctrl-C ends the server" << std::endl;
}

void run_serve(const ServeCommand& options) {
  keep_memory_small();
  const std::string token = read_token(options.token_file);
  const bool local = server::is_loopback(options.listen.address);
  if (!local && token.empty())
    refuse("address", options.listen.address, "a token as well (--token-file FILE): others could read the study");
  for (const std::string& name : options.names) require_host(name);
  ShownStudy study(options.common);
  server::Live live({[&] { return study.last_event(); }, [&] { return study.look(); },
                     [](const std::string& why) { std::cerr << "iqbo: " << why << "; trying again\n"; }});
  server::Listener listener(options.listen);
  const std::shared_ptr<server::Desk> desk = token.empty() ? nullptr : std::make_shared<StudyDesk>(options.common);
  const server::Site site({host_names(options, listener.port()), token, !local},
                          page_missing().empty() ? page() : std::string(), desk);
  std::thread serving([&] { listener.run(site, live); });
  announce(options, listener.port(), local, desk != nullptr);
  while (!interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  live.close();
  listener.stop();
  serving.join();
}

}  // namespace

void add_serve(CLI::App& app) {
  auto options = std::make_shared<ServeCommand>();
  CLI::App* command = app.add_subcommand("serve", "Show a study live in the browser, and serve a JSON API");
  command
      ->add_option("--address", options->listen.address,
                   "The address to listen on; any other than loopback needs a token")
      ->capture_default_str();
  command->add_option("--port,-p", options->listen.port, "The port to listen on; 0: any free port")
      ->capture_default_str()
      ->check(CLI::Range(0, 65535));
  command->add_option("--token-file", options->token_file, "A file with a token (or IQBO_TOKEN): allows ask and tell");
  command->add_option(
      "--name", options->names,
      "host:port by which others call this server, or https://host if a proxy encrypts; may be repeated");
  command->add_option("--streams", options->listen.streams, "How many browsers may watch at the same time")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  add_common_options(*command, options->common);
  command->footer(kServeExample);
  command->callback([options] { run_serve(*options); });
}

}  // namespace iqbo::cli
