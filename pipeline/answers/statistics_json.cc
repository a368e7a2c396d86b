#include "pipeline/answers/statistics_json.h"

#include <nlohmann/json.hpp>

#include "pipeline/answers/needed.h"
#include "tokenizer/options.h"

namespace thresher::pipeline {

nlohmann::ordered_json StatisticsJson(const std::string& where, const Inspection& model,
                                      const ModelStatistics& s, const RecentExamples& recent,
                                      const storage::Database::Sizes& sizes) {
  return {{"model", where},
          {"learner", model.learner().Name()},
          {"learner_options", model.learner().OptionsText()},
          {"tokenizer", tokenizer::kTokenizerVersion},
          {"ham", s.ham},
          {"spam", s.spam},
          {"ham_corrected", model.taught().ham_corrected},
          {"spam_corrected", model.taught().spam_corrected},
          {"needed", NeededJson(model.taught())},
          {"waiting", {{"ham", model.Waiting(Label::kHam)}, {"spam", model.Waiting(Label::kSpam)}}},
          {"recent", recent.examples},
          {"recent_contradicted", recent.contradicted},
          {"contradicted_before", model.contradictions().number()},
          {"of_before", model.contradictions().examples},
          {"nonzeros", s.nonzeros},
          {"stored_rows", s.stored_rows},
          {"prunable_rows", s.prunable_rows},
          {"features_seen_estimate", s.features_seen},
          {"l1_norm", s.l1_norm},
          {"calibration",
           {{"margin_factor", model.reading().factor},
            {"slope", s.calibration.slope},
            {"intercept", s.calibration.intercept},
            {"share", s.calibration.Share(model.reading().doubt)},
            {"share_wrong", s.calibration.share_wrong}}},
          {"log_of_messages", model.identity().features.keep_message},
          {"last_seq", s.log.last_seq},
          {"expired", s.log.expired},
          {"applied_seq", s.log.checkpoint_seq},
          {"bytes", sizes.total},
          {"bytes_by_family", sizes.parts},
          {"bytes_per_nonzero", BytesPer(s.nonzeros, sizes)},
          {"bytes_per_stored_row", BytesPer(s.stored_rows, sizes)}};
}

}  // namespace thresher::pipeline
