// iqbo run: a whole campaign against a program that measures.
#include <poll.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <deque>
#include <iostream>
#include <memory>
#include <optional>

#include "commands.hpp"
#include "common_options.hpp"
#include "interrupt.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/core/stop.hpp"
#include "limits.hpp"
#include "measure.hpp"
#include "setup/study_setup.hpp"
#include "show.hpp"
#include "told.hpp"
#include "worker_slot.hpp"

namespace iqbo::cli {

using namespace internal;

namespace {

constexpr const char* kRunExample =
    "Example:\n"
    "  iqbo run -s campaign.db --command './measure {a}' --trials 30 --workers 4\n"
    "The program gets the query as {a} (name or coordinates), {trial}, {query}, {<coordinate>}, or of a tile its "
    "bounds\n"
    "as {<coordinate>_from} and {<coordinate>_to}; as IQBO_NAME, "
    "IQBO_QUERY,\n"
    "IQBO_TRIAL in its environment; and as JSON on stdin. It prints the value on its last line: 4.2, or 4.2 0.3 with "
    "the noise\n"
    "sd, or {\"value\": 4.2}; where answers are counts 12/2000, or {\"count\": 12, \"exposure\": 2000}. No shell is "
    "involved unless --shell. A program that fails marks its trial as failed, and "
    "the\n"
    "campaign goes on. Ctrl-C stops; the same command continues. It may run on several hosts at once.";

constexpr double kLeastLease = 2;  // seconds; heartbeats are sent every third of a lease

struct RunCommand {
  CommonOptions common;
  std::string command;
  std::int64_t trials = 0;
  std::int64_t workers = 1;
  double timeout = 0;
  int retries = 0;
  int give_up = 5;
  double lease = 300;
  bool shell = false;
};

struct Job {
  Trial trial;
  int attempt = 0;
  std::unique_ptr<Child> child = {};
};

// How long to retry, in seconds: a server that restarts is soon back, and repeating is safe.
constexpr double kRetrySeconds = 120;

template <class Work>
auto patiently(const Work& work) {
  const double until = steady_seconds() + kRetrySeconds;
  for (bool said = false;; said = true) {
    try {
      return work();
    } catch (const StorageError& error) {
      if (error.kind() != StorageError::Kind::kConnection || steady_seconds() > until || interrupted()) throw;
      if (!said)
        std::cerr << "iqbo: " << error.what() << "\niqbo: trying again for " << short_number(kRetrySeconds) << " s"
                  << std::endl;
    }
    constexpr int kPause = 500;
    poll(nullptr, 0, kPause);
  }
}

class Campaign {
 public:
  Campaign(const RunCommand& options, Study study, WorkerSlot& slot)
      : options_(options), study_(std::move(study)), slot_(slot) {}

  void run() {
    beat_ = started_ = steady_seconds();
    told_before_ = told_ = patiently([&] { return study_.status().told; });
    try {
      while (step()) {
      }
    } catch (const Stopped&) {  // Ctrl-C in the middle of an ask
    }
    if (interrupted()) {
      const StopShield shield;
      collect();
      throw Interrupted();  // our programs end with us; we keep their trials
    }
    if (given_up_)
      throw std::invalid_argument(*given_up_ +
                                  ". Fix the program and repeat the same command (--give-up N tolerates more)");
    finish();
  }

 private:
  // False at the end of the campaign.
  bool step() {
    const bool more = hand_out();
    if (jobs_.empty() && !more && nobody_else()) return false;
    wait();
    heartbeat();
    collect();
    return !interrupted() && !given_up_;
  }

  std::optional<std::int64_t> most() const {
    return options_.trials > 0 ? std::optional(options_.trials) : std::nullopt;
  }

  // Starts as many measurements as --workers allows; false: there is nothing to ask at the moment.
  bool hand_out() {
    const auto free = options_.workers - static_cast<std::int64_t>(jobs_.size());
    if (free <= 0) return true;
    if (steady_seconds() < ask_again_) return false;
    keep_name();
    AskOptions ask;
    ask.count = free;
    ask.most = most();
    for (const Job& job : jobs_) ask.holding.push_back(job.trial.number);
    const AskResult asking = patiently([&] { return study_.ask(ask); });
    why_ = asking.why;
    for (const Trial& trial : asking.trials)
      if (!given_up_) start({trial});
    constexpr double kPause = 0.5;  // seconds for others to finish, or their leases to expire
    if (asking.trials.empty()) ask_again_ = steady_seconds() + kPause;
    return !asking.trials.empty();
  }

  // Checks once a second that no other process has taken our name, and with it our trials.
  void keep_name() {
    if (steady_seconds() < named_ + 1) return;
    patiently([&] { slot_.keep(); });
    named_ = steady_seconds();
  }

  void start(Job job) {
    ++job.attempt;
    try {
      job.child = std::make_unique<Child>(
          order_for(study_.data(), job.trial, study_.tile(job.trial.query), options_.command, options_.shell));
    } catch (const CannotStart& error) {
      return fail(job, error.what());
    }
    jobs_.push_back(std::move(job));
  }

  // Whether waiting is pointless: enough is told, or pending trials have longer leases than ours (people hold them).
  bool nobody_else() {
    return patiently([&] {
      if (options_.trials > 0 && study_.status().told >= options_.trials) return true;
      const auto pending = study_.storage().pending();
      const double now = study_.storage().now();
      return std::none_of(pending.begin(), pending.end(),
                          [&](const Trial& trial) { return trial.lease_until - now <= options_.lease; });
    });
  }

  void wait() {
    constexpr int kMilliseconds = 200;  // also the delay with which a time-out or Ctrl-C is noticed
    std::vector<pollfd> ends;
    for (const Job& job : jobs_)
      for (const int end : {job.child->out(), job.child->err()})
        if (end >= 0) ends.push_back({end, POLLIN, 0});
    const bool closed = ends.empty() && !jobs_.empty();  // all pipes are closed: the programs are about to end
    poll(ends.data(), ends.size(), closed ? 1 : kMilliseconds);
    for (Job& job : jobs_) job.child->read();
  }

  void heartbeat() {
    keep_name();
    if (steady_seconds() < beat_ + options_.lease / 3) return;
    beat_ = steady_seconds();
    for (const Job& job : jobs_) patiently([&] { return study_.heartbeat(job.trial.number); });
  }

  void collect() {
    for (std::size_t i = 0; i < jobs_.size();) {
      Job& job = jobs_[i];
      const bool late = options_.timeout > 0 && job.child->seconds() > options_.timeout && !job.child->finished();
      if (late) job.child->kill();
      if (!late && !job.child->finished()) {
        ++i;
        continue;
      }
      Job done = std::move(job);
      jobs_.erase(jobs_.begin() + static_cast<std::ptrdiff_t>(i));
      settle(std::move(done), late);
    }
  }

  void settle(Job job, bool late) {
    std::string reason;
    if (late) {
      reason = "no answer within " + short_number(options_.timeout) + " s";
    } else if (!job.child->succeeded()) {
      reason = job.child->failure();
    } else {
      try {
        return tell(job, answer_from(job.child->output(), study_.names().spec));
      } catch (const std::invalid_argument& error) {
        reason = error.what();
      }
    }
    if (interrupted()) return;  // Ctrl-C may have ended the program
    const bool ours = patiently([&] { return study_.heartbeat(job.trial.number); });
    if (ours && job.attempt <= options_.retries && !given_up_) return start(std::move(job));
    fail(job, reason);
  }

  // An answer that the study refuses, such as an implausible number, counts as a failure of the program. A trial that
  // was told or failed in the meantime, by hand or by the worker that held the lease then, stays as it is.
  void tell(Job& job, const Answer& answer) {
    Settled settled;
    try {
      settled = patiently([&] { return study_.tell(job.trial.number, answer); });
    } catch (const std::invalid_argument& error) {
      if (patiently([&] { return study_.storage().trial(job.trial.number).state; }) == TrialState::kPending)
        return fail(job, error.what());
      std::cerr << "iqbo: trial " << job.trial.number << " gave " << answer_text(answer, study_.names().spec)
                << ", which was not stored: " << clean_text(error.what()) << std::endl;
      return;
    } catch (const StorageError&) {
      std::cerr << "iqbo: not stored: trial " << job.trial.number << " gave "
                << (answer.count ? answer_text(answer, study_.names().spec) : readable(answer.value))
                << "; iqbo tell stores it later" << std::endl;
      throw;
    }
    failures_ = 0;
    say(settled.trial);
  }

  void fail(Job& job, const std::string& why) {
    const std::string reason = clean_text(why);
    try {
      patiently([&] { return study_.fail(job.trial.number, reason); });
    } catch (const std::invalid_argument&) {
      return;  // another worker has it by now, or has told it
    }
    job.trial.reason = reason;
    job.trial.state = TrialState::kFailed;
    say(job.trial);
    if (++failures_ >= options_.give_up)
      given_up_ = (failures_ == 1 ? "a trial failed: "
                                  : std::to_string(failures_) + " trials in a row failed, the last with: ") +
                  reason;
  }

  // --- output ---

  void say(const Trial& trial) {
    if (options_.common.quiet) return;
    if (options_.common.json) {
      std::cout << trial_json(study_.data(), trial) << '\n' << std::flush;  // a reader may be waiting for this line
      return;
    }
    std::cout << "trial " << trial.number << ": " << describe_query(study_.data(), trial, study_.tile(trial.query))
              << ": " << (trial.answer ? answer_text(*trial.answer, study_.data().spec) : "failed: " + trial.reason);
    if (trial.answer && !interrupted()) say_best();
    std::cout << std::endl;
  }

  // A line that was begun is ended even if Ctrl-C stops the estimate.
  void say_best() {
    told_ = patiently([&] { return study_.status().told; });  // before the estimate, while others go on telling
    try {
      const std::string best = best_text(study_.data(), patiently([&] { return study_.best(); }));
      std::cout << "   best so far " << best << "   " << progress();
    } catch (const Stopped&) {
      std::cout << std::endl;
      throw;
    }
  }

  std::string progress() const {
    if (options_.trials == 0) return std::to_string(told_) + " told";
    std::string out = std::to_string(told_) + " of " + std::to_string(options_.trials);
    const double each =
        (steady_seconds() - started_) / static_cast<double>(std::max<std::int64_t>(1, told_ - told_before_));
    const double left = each * static_cast<double>(options_.trials - told_);
    if (left > 0)
      out += left < 90 ? ", " + short_number(std::ceil(left)) + " s left"
                       : ", " + short_number(std::ceil(left / 60)) + " min left";
    return out;
  }

  // Why the campaign ends although fewer are told than --trials says: other trials are pending, and count.
  void explain_shortage() {
    const std::int64_t told = patiently([&] { return study_.status().told; });
    const std::vector<Trial> pending = patiently([&] { return study_.storage().pending(); });
    const auto live = told + static_cast<std::int64_t>(pending.size());
    if (told >= options_.trials || live < options_.trials) return;  // enough; or it ends for another reason
    constexpr std::size_t kNamed = 5;
    std::string held;
    for (std::size_t i = 0; i < std::min(kNamed, pending.size()); ++i)
      held += (i == 0 ? "" : ", ") + ("trial " + std::to_string(pending[i].number)) + " (" +
              describe_query(study_.data(), pending[i]) + ") with " + clean_text(pending[i].worker);
    if (pending.size() > kNamed) held += " and " + std::to_string(pending.size() - kNamed) + " more";
    const std::string first = options_.common.option() + ' ' + std::to_string(pending[0].number);
    std::cerr << "iqbo: note: " << told << " of " << options_.trials
              << " trials are told; pending ones count too: " << held << ". Tell the answer (iqbo tell" << first
              << " VALUE), or give the trial up (iqbo fail" << first
              << " REASON), and repeat this command; or raise --trials" << std::endl;
  }

  void finish() {
    explain_shortage();
    if (options_.common.json) {
      std::cout << line_of(Json{{"best", best_json(study_.data(), patiently([&] { return study_.best(); }))}});
      return;
    }
    if (!options_.common.quiet) std::cout << "finished: " << (why_.empty() ? std::string() : why_.front()) << '\n';
    for (const Trial& trial : patiently([&] { return study_.storage().pending(); }))
      if (!options_.common.quiet)
        std::cout << "pending: trial " << trial.number << ", "
                  << describe_query(study_.data(), trial, study_.tile(trial.query)) << ", with " << trial.worker
                  << '\n';
    if (patiently([&] { return study_.status().told; }) == 0) return;
    const std::string best = best_text(study_.data(), patiently([&] { return study_.best(); }));
    std::cout << "best: " << best << '\n';
  }

  const RunCommand& options_;
  Study study_;
  WorkerSlot& slot_;
  std::deque<Job> jobs_;
  std::vector<std::string> why_;
  double started_ = 0;
  double beat_ = 0;
  double ask_again_ = 0;
  double named_ = steady_seconds();
  std::int64_t told_ = 0;
  std::int64_t told_before_ = 0;
  int failures_ = 0;
  std::optional<std::string> given_up_;
};

// Each worker needs two pipes. The limit is raised only if necessary, because the programs that measure inherit it.
void require_files(std::int64_t workers) {
  constexpr rlim_t kOthers = 64;
  const rlim_t wanted = kOthers + 2 * static_cast<rlim_t>(workers);
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= wanted) return;
  const rlim_t most = files.rlim_max;
  files.rlim_cur = std::min(wanted, most);
  if (most < wanted || setrlimit(RLIMIT_NOFILE, &files) != 0)
    refuse("workers", std::to_string(workers),
           "at most " + std::to_string(most > kOthers + 2 ? (most - kOthers) / 2 : 1) +
               " with this limit of open files (ulimit -n)");
}

// Of any query, so that a command may be checked for placeholders of bounds.
std::optional<TileRecord> some_tile(Study& study) {
  const internal::StudySetup& setup = study.setup();
  const Rows any = setup.user_query(setup.setting().queries->any());
  return study.tile(std::vector<double>(any.row(0).begin(), any.row(0).end()));
}

void run_run(const RunCommand& options) {
  std::signal(SIGPIPE, SIG_IGN);  // a program may end without reading its query
  require_kept(options.common.study);
  RunCommand own = options;
  require_files(own.workers);
  WorkerSlot slot(own.common.study, own.common.worker);
  own.common.worker = slot.name();
  Study study = own.common.open(Access::kReadWrite, own.lease);
  const Spec& spec = study.data().spec;
  if (own.trials == 0 && !spec.budget && !spec.stop && spec.policy.repeats)
    refuse("trials", "not given", "--trials N, as the spec has neither a budget nor a stop rule");
  // Finds mistakes in the command before anything is asked.
  Trial probe;
  probe.query.assign(coordinate_names(spec.queries, spec.targets).size(), 0.0);
  order_for(study.data(), probe, some_tile(study), own.command, own.shell);
  if (const std::string program = own.shell ? "/bin/sh" : split_words(own.command)[0];
      program.find('{') == std::string::npos)
    require_program(program);
  Campaign(own, std::move(study), slot).run();
}

}  // namespace

void add_run(CLI::App& app) {
  auto options = std::make_shared<RunCommand>();
  CLI::App* command = app.add_subcommand("run", "Run a campaign against a program that measures");
  command->add_option("--command,-c", options->command, "The program and its arguments; {a} is the query")->required();
  command
      ->add_option(
          "--trials,-n", options->trials,
          "Stop when all workers together have told this many; trials that are pending with anyone count until they "
          "fail (default: when the budget is spent)")
      ->check(whole(1));
  command->add_option("--workers,-w", options->workers, "Measurements at the same time")
      ->capture_default_str()
      ->check(whole(1, 1000));
  command->add_option("--timeout", options->timeout, "Seconds after which a measurement is given up (default: never)")
      ->check(positive());
  command->add_option("--retries", options->retries, "How often to repeat a failed measurement at once")
      ->capture_default_str()
      ->check(whole(0));
  command->add_option("--give-up", options->give_up, "Stop after this many failed trials in a row")
      ->capture_default_str()
      ->check(whole(1));
  command->add_option("--lease", options->lease, "Seconds without a heartbeat after which others may take a trial")
      ->capture_default_str()
      ->check(at_least(kLeastLease));
  command->add_flag("--shell", options->shell, "Let /bin/sh interpret the command");
  add_common_options(*command, options->common);
  add_worker(*command, options->common,
             "The name of this worker (default: host-1, host-2, ...; a restarted run gets the same name)");
  add_memory_limit(*command);
  command->footer(kRunExample);
  command->callback([options] { run_run(*options); });
}

}  // namespace iqbo::cli
