#include "measure.hpp"

#include <algorithm>
#include <sstream>

#include "iqbo/core/check.hpp"
#include "iqbo/core/nearest.hpp"
#include "iqbo/record/csv.hpp"
#include "shell.hpp"
#include "show.hpp"

namespace iqbo::cli {
namespace {

using Fields = std::map<std::string, std::string>;

Fields fields_of(const SpecData& data, const Trial& trial) {
  const auto names = coordinate_names(data.spec.query, data.spec.target);
  std::string query;
  Fields out;
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (j > 0) query += ',';
    query += coordinate_text(data, j, trial.query[j]);
    out[names[j]] = coordinate_text(data, j, trial.query[j]);
  }
  out["a"] = trial.name.empty() ? query : trial.name;
  out["query"] = query;
  out["name"] = trial.name;
  out["trial"] = std::to_string(trial.number);
  out["json"] = line_of({{"trial", trial.number}, {"name", trial.name}, {"query", query_json(data, trial.query)}});
  out["json"].pop_back();  // the end of the line is for stdin only
  return out;
}

// Every {name} replaced; {{ and }} are braces.
std::string filled(const std::string& text, const Fields& fields, bool quoted) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool twice = i + 1 < text.size() && text[i + 1] == text[i];
    if ((text[i] == '{' || text[i] == '}') && twice) {
      out += text[i++];
    } else if (text[i] == '{') {
      const std::size_t end = text.find('}', i);
      const std::string name = text.substr(i + 1, end == std::string::npos ? end : end - i - 1);
      const auto found = fields.find(name);
      if (end == std::string::npos || found == fields.end()) {
        std::vector<std::string> names;
        for (const auto& field : fields) names.push_back(field.first);
        refuse("command", "has " + text.substr(i, end == std::string::npos ? end : end - i + 1),
               expected_names(name, names) + ", or {{ for a brace");
      }
      out += quoted ? shell_quoted(found->second) : found->second;
      i = end;
    } else {
      out += text[i];
    }
  }
  return out;
}

// A message ends at a zero byte, and a terminal obeys others.
std::string printed(const std::string& text) { return "printed " + in_quotes(clean_text(text)); }

std::string last_line(const std::string& text) {
  std::istringstream in(text);
  std::string line;
  std::string last;
  while (std::getline(in, line))
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  return last;
}

Outcome from_object(const std::string& line) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("value") || !json["value"].is_number())
    refuse("output", printed(line), "a number \"value\" in the object");
  Outcome out;
  for (const auto& [key, value] : json.items()) {
    if (key == "value")
      out.value = value.get<double>();
    else if (key == "noise_sd" && value.is_number())
      out.noise_sd = value.get<double>();
    else if (key == "replicates" && value.is_number_integer())
      out.replicates = value.get<std::int64_t>();
    else
      refuse("output", printed(key) + ": " + value.dump(),
             "a number \"value\", and perhaps a number \"noise_sd\" and an integer \"replicates\"");
  }
  return out;
}

}  // namespace

Order order_for(const SpecData& data, const Trial& trial, const std::string& command, bool shell) {
  const Fields fields = fields_of(data, trial);
  Order out;
  if (shell) {
    out.words = {"/bin/sh", "-c", filled(command, fields, true)};
  } else {
    out.words = split_words(command);
    for (std::string& word : out.words) word = filled(word, fields, false);
  }
  out.environment = {{"IQBO_TRIAL", fields.at("trial")}, {"IQBO_QUERY", fields.at("query")}, {"IQBO_NAME", trial.name}};
  out.input = fields.at("json") + "\n";
  return out;
}

Outcome outcome_from(const std::string& output) {
  const std::string line = last_line(output);
  if (line.empty()) refuse("output", "nothing was printed", "a number on the last line");
  if (line.find('{') != std::string::npos) return from_object(line);
  Outcome out;
  std::istringstream in(line);
  std::string value;
  std::string sd;
  std::string more;
  in >> value >> sd >> more;
  double number = 0;
  if (!parse_number(value, out.value) || !more.empty() || (!sd.empty() && (!parse_number(sd, number) || number < 0)))
    refuse("output", printed(line), "a number, or a number and its noise sd");
  if (!sd.empty()) out.noise_sd = number;
  return out;
}

}  // namespace iqbo::cli
