// The published schema against an independent validator: it accepts whatever the parser accepts, and refuses strange keys and
// values of the wrong type, wherever they stand.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "iqbo/record/spec.hpp"
#include "iqbo/record/spec_template.hpp"
#include "support/scratch.hpp"

namespace iqbo {
namespace {

using nlohmann::json;

bool accepted(const json& document) {
  try {
    parse_spec(document.dump());
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

std::vector<json> documents() {
  std::vector<json> out;
  for (const std::string& name : template_names())
    out.push_back(json::parse(spec_template(name)[0].text, nullptr, true, true));
  for (const char* name : {"everything", "cells", "resolutions"})
    out.push_back(
        json::parse(std::ifstream(std::string(IQBO_SOURCE_DIR) + "/tests/fuzz/corpus/spec/" + name + ".json")));
  return out;
}

TEST(Schema, AgreesWithTheParser) {
  const test::Scratch scratch;
  int files = 0;
  const auto keep = [&](const json& document, bool good) {
    std::ofstream(scratch.file((good ? "ok" : "bad") + std::to_string(files++) + ".json")) << document.dump();
  };
  for (const json& document : documents()) {
    ASSERT_TRUE(accepted(document)) << document;
    keep(document, true);
    keep(json::parse(to_json(parse_spec(document.dump()))), true);
    const json leaves = document.flatten();
    for (const auto& [place, value] : leaves.items()) {
      // Every leaf replaced; the parser says which are still good.
      for (const json& other :
           {json("auto"), json(1), json(-1), json(0.5), json(true), json::array({1, 2}), json("box")}) {
        json changed = document;
        changed[json::json_pointer(place)] = other;
        if (accepted(changed)) keep(changed, true);
      }
      json strange = document;
      strange[json::json_pointer(place)] = json{{"strange", 1}};
      keep(strange, false);
      const auto parent = json::json_pointer(place).parent_pointer();
      if (document[parent].is_object()) {
        strange = document;
        strange[parent]["strange"] = 1;
        keep(strange, false);
      }
    }
  }
  EXPECT_GT(files, 300);
  const std::string command = std::string(IQBO_PYTHON) + " " + IQBO_SOURCE_DIR + "/tests/record/check_schema.py " +
                              IQBO_SOURCE_DIR + "/docs/spec.schema.json " + scratch.path().string();
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

}  // namespace
}  // namespace iqbo
