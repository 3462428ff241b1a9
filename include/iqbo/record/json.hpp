// Records as JSON and back: to_json(trial), from_json<Trial>(text).
//
// One line without a line feed. Doubles come back bit for bit; infinities, which JSON lacks, are the texts "inf" and
// "-inf"; NaN is refused. Reading is strict: an unknown, missing or doubled key is refused with its path. Text that is not
// UTF-8 (the last words of a program that crashed) is written with U+FFFD for the bytes that are not.
#pragma once

#include <string>
#include <string_view>

namespace iqbo {

// For Answer, Observation, Trial, Hyperparameters, Event, Snapshot, ResultRow.
template <class Record>
std::string to_json(const Record& record);

template <class Record>
Record from_json(std::string_view text);

}  // namespace iqbo
