#include "experiment_document.hpp"

#include "document_version.hpp"
#include "json_numbers.hpp"

namespace iqbo::internal {
namespace {

Json panel_json(const PanelRecord& panel) {
  Json curves = Json::array();
  for (const CurveRecord& curve : panel.curves)
    curves.push_back({{"policy", curve.policy},
                      {"at", seen(curve.at)},
                      {"mean", seen(curve.mean)},
                      {"low", seen(curve.low)},
                      {"high", seen(curve.high)}});
  return {{"title", panel.title},
          {"x", panel.x},
          {"y", panel.y},
          {"seeds", panel.seeds},
          {"floor", panel.floor ? seen(*panel.floor) : Json()},
          {"curves", std::move(curves)}};
}

Json finding_json(const FindingRecord& finding) {
  Json difference;
  if (const auto& d = finding.difference)
    difference = {{"mean", exact(d->mean)}, {"low", exact(d->low)}, {"high", exact(d->high)}, {"n", d->n}};
  return {{"about", finding.about},   {"claim", finding.claim},     {"measure", finding.measure},
          {"difference", difference}, {"verdict", finding.verdict}, {"remark", finding.remark},
          {"extra", finding.extra}};
}

}  // namespace

std::string experiment_document(const ExperimentRecord& experiment, const Colophon& colophon) {
  Json settings = Json::array(), panels = Json::array(), findings = Json::array();
  for (const SettingRecord& each : experiment.settings)
    settings.push_back({{"name", each.name}, {"choice", each.choice}, {"reason", each.reason}});
  for (const PanelRecord& each : experiment.panels) panels.push_back(panel_json(each));
  for (const FindingRecord& each : experiment.findings) findings.push_back(finding_json(each));
  return written({{"kind", "experiment"},
                  {"version", kDocumentVersion},
                  {"made", colophon.made},
                  {"program", colophon.program},
                  {"title", experiment.title},
                  {"text", experiment.text},
                  {"settings", std::move(settings)},
                  {"panels", std::move(panels)},
                  {"findings", std::move(findings)}});
}

}  // namespace iqbo::internal
