// A line on the terminal that says what takes so long.
#pragma once

namespace iqbo::cli {

// Prepares to show the current activity on standard error, if that is a terminal. show_progress() is called often; it
// writes once the command has taken a second, and then a few times a second. The line is removed when the work ends.
void watch_progress();
void show_progress();

}  // namespace iqbo::cli
