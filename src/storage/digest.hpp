// Digests of a study's log: each event's digest covers the event and the digest before it, so that one digest, the head,
// stands for the whole log.
//
//   digest_0 = D(spec and its files),   digest_i = D(digest_{i-1}, seq, time, kind, body)
//
// D is a pair of polynomials in the bytes, modulo the prime 2^61 - 1, at two fixed points [Carter79]: texts of n bytes
// that differ by accident, or by somebody's edit, have the same digest with probability (n / 7 / 2^61)^2, 4e-33 for a
// kilobyte. That is no protection from forgery, and no digest kept in the same database can be one: whoever may
// write the log could compute all digests anew. In exchange it costs less than a microsecond an event.
#pragma once

#include <string>
#include <string_view>

#include "backend.hpp"

namespace iqbo {

std::string origin_digest(const SpecBundle& bundle);

// `before`: the digest of the event before, or of the origin. EventRow::digest is not read.
std::string event_digest(std::string_view before, const EventRow& row);

}  // namespace iqbo
