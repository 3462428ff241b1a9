// Limits of time and memory, so that a command says what is wrong instead of hanging or being killed.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace iqbo::cli {

// For a command that computes: adds --timeout, and has memory limited.
void add_limits(CLI::App& command);
void add_memory_limit(CLI::App& command);

// Whether the time is over. A computation that does not look for a while is ended all the same, by a thread that watches:
// what was stored stays stored, as after any crash.
bool time_is_over();
std::string time_message();

// From now on memory that this machine, or the control group of this process, does not have is refused: what needs it
// throws std::bad_alloc. (Otherwise Linux would promise the memory, and kill the process when it is used.)
void limit_memory();
void lift_memory_limit();  // in a child, before it becomes another program; calls only what a forked child may call
std::string memory_message();

// Bytes that are free, once limit_memory() has looked; infinite if nobody knows.
double free_memory();

}  // namespace iqbo::cli
