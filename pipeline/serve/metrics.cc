#include "pipeline/serve/metrics.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

namespace thresher::pipeline {
namespace {

constexpr std::array<std::string_view, 3> kVerdicts = {"spam", "ham", "unsure"};  // by Verdict

void Begin(std::string_view name, std::string_view type, std::string_view help, std::string* text) {
  text->append(fmt::format("# HELP thresher_{0} {2}\n# TYPE thresher_{0} {1}\n", name, type, help));
}

void Gauge(std::string_view name, std::string_view help, uint64_t value, std::string* text) {
  Begin(name, "gauge", help, text);
  text->append(fmt::format("thresher_{} {}\n", name, value));
}

void Histogram(const WatchedService& service, std::string* text) {
  const Counters& counters = service.counters();
  uint64_t so_far = 0;
  for (size_t i = 0; i < counters.times.size(); ++i) {
    so_far += counters.times[i];
    const bool is_last = i == Counters::kTimes.size();
    const std::string le =
        is_last ? "+Inf" : fmt::format("{:g}", static_cast<double>(Counters::kTimes[i]) / 1e6);
    text->append(fmt::format("thresher_classify_seconds_bucket{{protocol=\"{}\",le=\"{}\"}} {}\n",
                             service.protocol(), le, so_far));
  }
  // With all digits, so that a rate can be told from two of them however long the daemon runs.
  const uint64_t us = counters.microseconds;
  text->append(fmt::format("thresher_classify_seconds_sum{{protocol=\"{}\"}} {}.{:06}\n", service.protocol(),
                           us / 1000000, us % 1000000));
  text->append(
      fmt::format("thresher_classify_seconds_count{{protocol=\"{}\"}} {}\n", service.protocol(), so_far));
}

void LogOf(const LogFigures& log, std::string* text) {
  Gauge("log_followed", "Whether the log that the model follows is read and written.",
        log.trouble.empty() ? 1 : 0, text);
  Gauge("log_position", "The last record of the log that the model has applied.", log.position, text);
  Gauge("log_last", "The last record of the log, as far as known.", log.last, text);
  Gauge("log_differs", "Whether the model is known to differ from that of another node.",
        log.differs.empty() ? 0 : 1, text);
  Gauge("log_digest_record", "The last record of the log after which a digest was made; 0 if none was.",
        log.digest_record, text);
  Gauge("log_snapshot_record",
        "The record of the log after which the newest snapshot was made; 0 if none was.", log.snapshot, text);
  Gauge("log_outbox", "Messages taught here that the log may not have.", log.outbox, text);
  Gauge("log_outbox_bytes", "Bytes on disk of messages taught here.", log.outbox_bytes, text);
  Begin("log_records_total", "counter", "Records of the log, by what became of them.", text);
  const std::pair<std::string_view, uint64_t> fates[] = {
      {"applied", log.applied}, {"duplicate", log.duplicates}, {"foreign", log.foreign}};
  for (const auto& [fate, count] : fates)
    text->append(fmt::format("thresher_log_records_total{{fate=\"{}\"}} {}\n", fate, count));
}

void ModelsOf(const ModelFigures& models, std::string* text) {
  Begin("models", "gauge", "Models that are in memory, by state.", text);
  const std::pair<std::string_view, uint64_t> states[] = {
      {"open", models.open}, {"image", models.images}, {"closing", models.closing}};
  for (const auto& [state, count] : states)
    text->append(fmt::format("thresher_models{{state=\"{}\"}} {}\n", state, count));
  Gauge("models_bytes", "Memory that the rows of open models take.", models.memory_bytes, text);
  Begin("models_opened_total", "counter", "Models that were opened.", text);
  text->append(fmt::format("thresher_models_opened_total {}\n", models.opened));
  Begin("models_closed_total", "counter", "Models that were closed to make room.", text);
  text->append(fmt::format("thresher_models_closed_total {}\n", models.closed));
}

}  // namespace

uint64_t DaemonFigures::Judged(Verdict verdict) const {
  uint64_t sum = 0;
  for (const WatchedService* const service : protocols)
    sum += service->counters().verdicts[static_cast<size_t>(verdict)];
  return sum;
}

std::string MetricsText(const DaemonFigures& figures) {
  std::string text;
  Gauge("ready", "Whether messages are judged and taught.", figures.is_ready ? 1 : 0, &text);
  Gauge("connections", "Clients that are connected.", figures.connections, &text);
  Gauge("waiting", "Messages that wait to be taught.", figures.waiting, &text);
  ModelsOf(figures.models, &text);
  if (figures.log) LogOf(*figures.log, &text);
  const auto each = [&](const auto& print) {
    for (const WatchedService* const service : figures.protocols) print(*service);
  };
  Begin("classified_total", "counter", "Messages judged, by verdict.", &text);
  each([&](const WatchedService& service) {
    for (size_t i = 0; i < kVerdicts.size(); ++i) {
      text += fmt::format("thresher_classified_total{{protocol=\"{}\",verdict=\"{}\"}} {}\n",
                          service.protocol(), kVerdicts[i], service.counters().verdicts[i].load());
    }
  });
  Begin("taught_total", "counter", "Messages taught, by what that changed.", &text);
  each([&](const WatchedService& service) {
    for (size_t i = 0; i < kTeachResults.size(); ++i) {
      text += fmt::format("thresher_taught_total{{protocol=\"{}\",result=\"{}\"}} {}\n", service.protocol(),
                          kTeachResults[i].name, service.counters().taught[i].load());
    }
  });
  Begin("failed_total", "counter", "Requests that were refused or failed.", &text);
  each([&](const WatchedService& service) {
    text += fmt::format("thresher_failed_total{{protocol=\"{}\"}} {}\n", service.protocol(),
                        service.counters().failed.load());
  });
  Begin("not_kept_total", "counter", "Messages judged that the spool could not keep for late feedback.",
        &text);
  text += fmt::format("thresher_not_kept_total {}\n", figures.not_kept);
  Begin("classify_seconds", "histogram", "Time to judge a message.", &text);
  each([&](const WatchedService& service) { Histogram(service, &text); });
  return text;
}

}  // namespace thresher::pipeline
