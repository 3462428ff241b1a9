// Orders from JSON. Refuses unknown keys, missing ones, and values of another type, with their names.
#pragma once

#include <string>

#include "handler.hpp"

namespace iqbo::server {

AskOrder ask_order(const std::string& body);
TellOrder tell_order(const std::string& body);
FailOrder fail_order(const std::string& body);

}  // namespace iqbo::server
