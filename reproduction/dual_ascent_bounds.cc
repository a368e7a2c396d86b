// Shalev-Shwartz & Zhang (2013), "Our results" and "Proof Idea": the duality gap of SDCA beside the bounds
// that follow from the main lemma, for examples of norm 1 and P(0) ≤ 1. After t draws, for any s in [0, 1],
//
//   E[D_t − D_(t−1)] ≥ s/n E[gap_(t−1)] − (s/n)² G/(2λ)
//
// Smooth loss: with s = λγn/(1 + λγn) G ≤ 0, hence E gap_T ≤ n/s (1 − s/n)^T.
// Hinge: α and its aim are in [0, 1], hence G ≤ 1. By induction D* − D_t ≤ 2/(λ(2n + t − t0)) in expectation
//   from t0 = max(0, n log 2λn) on. The lemma summed over T/2 … T then bounds the gap of one of these
//   iterates that is drawn at random by 2n/(sT)·2/(λ(2n + T/2 − t0)) + s/(2λn), here with the best s.
// The mean over these iterates is estimated from one after every n draws.
//
// "Main Results" has the same bounds for Prox-SDCA if g is 1-strongly convex, as ½‖w‖² + (σ/λ)‖w‖₁ is.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "reproduction/dual_tasks.h"
#include "reproduction/runs.h"

namespace thresher::reproduction {
namespace {

constexpr double kSigma = 1e-4;  // ℓ1 penalty of the proximal version

double SmoothBound(double n, double lambda, double gamma, double draws) {
  const double share = lambda * gamma / (1 + lambda * gamma * n);  // s/n
  return std::exp(draws * std::log1p(-share)) / share;
}

double HingeBound(double n, double lambda, double draws) {
  const double start = std::max(0.0, std::ceil(n * std::log(2 * lambda * n)));  // t0
  const double half = draws / 2;
  if (half < start) return std::nan("");
  const double dual = 2 / (lambda * (2 * n + half - start));
  const double s = std::min(1.0, n * std::sqrt(2 * lambda * dual / half));
  return n * dual / (s * half) + s / (2 * lambda * n);
}

// Of the points of `gap` with x in (end/2, end].
double MeanOfSecondHalf(const Series& gap, double end) {
  double sum = 0;
  double count = 0;
  for (size_t k = 0; k < gap.x.size(); ++k) {
    if (gap.x[k] <= end / 2 || gap.x[k] > end) continue;
    sum += gap.y[k];
    ++count;
  }
  return sum / count;
}

void AddRun(Report* report, const DataSet& data, const Matrix& matrix, double lambda, double sigma,
            bool smooth) {
  constexpr double kPasses = 300;
  const auto n = static_cast<double>(data.size());
  const std::string loss = smooth ? "smoothed-hinge" : "hinge";
  learners::OptionValues options = {{"l2", fmt::format("{}", lambda)},
                                    {"l1", fmt::format("{}", sigma)},
                                    {"loss", loss},
                                    {"order", "sampled"}};
  if (smooth) options["gamma"] = "1";
  const Trace trace =
      RunSdca(options, matrix,
              {.accesses = 2 * kPasses * static_cast<double>(data.entries()), .gap = 1e-12, .points = 4000});
  const std::string name =
      fmt::format("{}, λn = {:.4g}{}", loss, lambda * n, sigma > 0 ? fmt::format(", σ = {:.0e}", sigma) : "");
  Panel panel{.title = name, .x_label = "draws/n", .y_label = "duality gap", .log_x = true, .log_y = true};
  Series last{.name = "last iterate"};
  Series random{.name = "random iterate"};
  Series bound{.name = "bound"};
  double row_at = 1;
  for (size_t k = 0; k < trace.gap.y.size(); ++k) {
    if (trace.epochs.y[k] > 0) last.Add(trace.epochs.y[k], trace.gap.y[k]);
  }
  for (const double epochs : last.x) {
    const double limit = smooth ? SmoothBound(n, lambda, 1, epochs * n) : HingeBound(n, lambda, epochs * n);
    const double mean = MeanOfSecondHalf(last, epochs);
    if (!std::isnan(limit)) bound.Add(epochs, limit);
    random.Add(epochs, mean);
    if (epochs < row_at) continue;
    report->tables.front().rows.push_back(
        {.name = name, .values = {epochs, ValueAt(last, epochs), mean, limit}});
    row_at *= 3;
  }
  panel.series = {last, random, bound};
  report->panels.push_back(panel);
}

}  // namespace

Report DualAscentBounds(const Setting& setting) {
  const DataSet data = DualData(setting);
  const Matrix matrix(data);
  Report report;
  report.tables = {{.caption = fmt::format(
                        "The duality gap after T draws, n = {}; the bound is that of the last iterate if "
                        "the hinge is smoothed, γ = 1, and otherwise of one drawn from the last T/2:",
                        data.size()),
                    .columns = {"loss", "T/n", "last iterate", "random iterate", "bound"}}};
  for (const double paper_lambda : {1e-6, 1e-4}) {  // as λn of CCAT
    const double lambda = paper_lambda * kExamplesOfCcat / static_cast<double>(data.size());
    for (const bool smooth : {true, false}) AddRun(&report, data, matrix, lambda, 0, smooth);
    if (paper_lambda > 1e-6) continue;
    for (const bool smooth : {true, false}) AddRun(&report, data, matrix, lambda, kSigma, smooth);
  }
  return report;
}

}  // namespace thresher::reproduction
