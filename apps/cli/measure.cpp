#include "measure.hpp"

#include <algorithm>
#include <set>
#include <sstream>

#include "child.hpp"
#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/record/csv.hpp"
#include "iqbo/study/study.hpp"
#include "show.hpp"
#include "told.hpp"

namespace iqbo::cli {

using namespace internal;

namespace {

using Fields = std::map<std::string, std::string>;

Fields fields_of(const SpecData& data, const Trial& trial, const std::optional<TileRecord>& tile) {
  const auto names = coordinate_names(data.spec.queries, data.spec.targets);
  if (trial.query.size() != names.size())
    refuse("trial " + std::to_string(trial.number), "has " + std::to_string(trial.query.size()) + " coordinates",
           std::to_string(names.size()) + ", as the spec has; iqbo check says what is wrong with this study");
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
  Json json{{"number", trial.number},
            {"trial", trial.number},  // its former name
            {"name", trial.name},
            {"query", Json::parse(query_json(data, trial.query))}};
  const auto inputs = coordinate_names(data.spec.targets);
  for (std::size_t j = 0; tile && j < inputs.size(); ++j) {
    out[inputs[j] + "_from"] = csv_number(tile->lower[j]);
    out[inputs[j] + "_to"] = csv_number(tile->upper[j]);
  }
  out["json"] = line_of(with_bounds(std::move(json), data, tile));
  out["json"].pop_back();  // without the line feed, which is for stdin only
  return out;
}

// Replaces every {name} by what `put` returns for its name, value and position; {{ and }} are braces.
template <class Put>
std::string filled(const std::string& text, const Fields& fields, const Put& put) {
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
      out += put(found->first, found->second, i);
      i = end;
    } else {
      out += text[i];
    }
  }
  return out;
}

// The shell quote that encloses a position of a text; 0 if there is none.
char quote_at(const std::string& text, std::size_t position) {
  char quote = 0;
  for (std::size_t i = 0; i < position; ++i) {
    if (text[i] == '\\' && quote != '\'')
      ++i;
    else if (quote != 0 && text[i] == quote)
      quote = 0;
    else if (quote == 0 && (text[i] == '\'' || text[i] == '"'))
      quote = text[i];
  }
  return quote;
}

// A shell expands a variable once and does not interpret the result: a name such as $(rm x) stays a name.
std::string shell_text(const std::string& command, const Fields& fields,
                       std::map<std::string, std::string>& variables) {
  return filled(command, fields, [&](const std::string& name, const std::string& value, std::size_t position) {
    const char quote = quote_at(command, position);
    if (quote == '\'')
      refuse("command", "has {" + name + "} in single quotes, where a shell expands nothing",
             "no quotes, or double ones");
    const std::string variable = "IQBO_FIELD_" + std::to_string(position);
    variables[variable] = value;
    return quote == 0 ? "\"${" + variable + "}\"" : "${" + variable + "}";
  });
}

// Messages end at a zero byte, and terminals obey control characters.
std::string printed(const std::string& text) { return "printed " + in_quotes(clean_text(text)); }

Answer from_object(const std::string& line, const Spec& spec) {
  std::set<std::string> keys;
  bool twice = false;
  const auto look = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::key && depth == 1) twice |= !keys.insert(parsed.get<std::string>()).second;
    return true;
  };
  const Json json = Json::parse(line, look, false);
  if (twice) refuse("output", printed(line), "each key once");
  const char* const main = is_count(spec.answers) ? "count" : "value";
  if (!json.is_object() || !json.contains(main) || !json[main].is_number())
    refuse("output", printed(line), std::string("a number \"") + main + "\" in the object");
  Answer out;
  for (const auto& [key, value] : json.items()) {
    if (is_count(spec.answers)) {
      if (key != "count" && key != "exposure")
        refuse("output", printed(key) + ": " + value.dump(), R"("count" and perhaps "exposure")");
      if (key == "count")
        out.count = parse_count(value.dump(), "output");
      else
        out.exposure = parse_exposure(value.dump(), "output");
    } else if (key == "value")
      out.value = value.get<double>();
    else if (key == "noise_sd" && value.is_number())
      out.noise_sd = value.get<double>();
    else if (key == "replicates" && value.is_number_integer() && (value < 0 || value <= Study::kMostReplicates))
      out.replicates = value.get<std::int64_t>();
    else
      refuse("output", printed(key) + ": " + value.dump(),
             "a number \"value\", and perhaps a number \"noise_sd\" and an integer \"replicates\"");
  }
  return out;
}

}  // namespace

Order order_for(const SpecData& data, const Trial& trial, const std::optional<TileRecord>& tile,
                const std::string& command, bool shell) {
  const Fields fields = fields_of(data, trial, tile);
  Order out;
  out.environment = {{"IQBO_TRIAL", fields.at("trial")}, {"IQBO_QUERY", fields.at("query")}, {"IQBO_NAME", trial.name}};
  if (shell) {
    out.words = {"/bin/sh", "-c", shell_text(command, fields, out.environment)};
  } else {
    out.words = split_words(command);
    for (std::string& word : out.words)
      word = filled(word, fields, [](const std::string&, const std::string& value, std::size_t) { return value; });
  }
  out.input = fields.at("json") + "\n";
  return out;
}

Answer answer_from(const std::string& output, const Spec& spec) {
  const std::string line = last_line(output);
  if (line.empty()) refuse("output", "nothing was printed", "a number on the last line");
  if (line.find('{') != std::string::npos) return from_object(line, spec);
  if (is_count(spec.answers) || line.find('/') != std::string::npos) return parse_answer(line, spec, "output");
  Answer out;
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
