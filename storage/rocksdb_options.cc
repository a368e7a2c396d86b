#include "storage/rocksdb_options.h"

#include <rocksdb/cache.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "storage/list_prefix.h"

namespace thresher::storage {
namespace {

// Without it RocksDB writes a LOG file at each open and keeps a thousand of them; readers must not write at
// all.
class SilentLogger final : public rocksdb::Logger {
 public:
  SilentLogger() : Logger(rocksdb::InfoLogLevel::HEADER_LEVEL) {}
  using Logger::Logv;
  void Logv(const char* /*format*/, va_list /*arguments*/) override {}
  void Logv(rocksdb::InfoLogLevel /*level*/, const char* /*format*/, va_list /*arguments*/) override {}
  void LogHeader(const char* /*format*/, va_list /*arguments*/) override {}
};

constexpr double kFilterBitsPerKey = 10;  // 1 % of the look-ups of absent keys read a block
constexpr size_t kExampleBlock = 64U << 10;
constexpr size_t kRowBlock = 2U << 10;
constexpr size_t kTextBlock = 8U << 10;
// Each file has a dictionary: samples of the first megabyte, of which zstd then need not see a second copy in
// each block. Training dictionaries gains 1 % more and takes as long as the rest of a replay's compression.
constexpr uint32_t kDictionary = 64U << 10;
constexpr uint32_t kDictionaryOfRows = 128U << 10;
constexpr uint64_t kSampled = 1U << 20;
// Levels of zstd. What others cost and gain: docs/speed.md#not-favoured.
constexpr int kForRows = -1;
constexpr int kForExamples = 1;
constexpr unsigned kLargestExcess = 100;  // % of the size that the family has after a full compaction
// A sorted run is one file. RocksDB before 8.0 does not notice an error at the beginning of another file of a
// run: it would read, and merge, without it.
constexpr uint64_t kNoLimit = uint64_t{1} << 50;
// The list of files has the smallest and the largest key of each table. It is made anew with each change of
// it: otherwise it would still have those of tables that are gone, which are Message-IDs that were forgotten.
constexpr size_t kManifestSize = 1;
constexpr int kFewFiles = 20;  // the smallest number that RocksDB takes
constexpr int kMemtables = 4;  // appends go on while a large checkpoint is being flushed
// Size of buffers for memtables and files. The heap returns larger ones to the system when they are freed
// (pipeline/main.cc); each time that it asks for them again, the kernel clears their pages.
constexpr size_t kBuffer = 64U << 10;

// RocksDB always starts its background threads at open; a reader does not need them.
class ThreadlessEnv final : public rocksdb::EnvWrapper {
 public:
  using EnvWrapper::EnvWrapper;
  void IncBackgroundThreadsIfNeeded(int /*number*/, Priority /*pool*/) override {}
};

// Starts a background thread with its first job. A writer of one example mostly has none.
class ThreadsOnDemandEnv final : public rocksdb::EnvWrapper {
 public:
  explicit ThreadsOnDemandEnv(std::unique_ptr<rocksdb::Env> env)
      : EnvWrapper(env.get()), env_(std::move(env)) {}

  void IncBackgroundThreadsIfNeeded(int number, Priority pool) override {
    const std::lock_guard lock(mutex_);
    int& wanted = wanted_[pool];
    wanted = std::max(wanted, number);
  }
  void Schedule(void (*job)(void*), void* argument, Priority pool, void* tag,
                void (*unschedule)(void*)) override {
    {
      const std::lock_guard lock(mutex_);
      target()->IncBackgroundThreadsIfNeeded(wanted_[pool], pool);
    }
    EnvWrapper::Schedule(job, argument, pool, tag, unschedule);
  }

 private:
  std::unique_ptr<rocksdb::Env> env_;
  std::mutex mutex_;
  std::map<Priority, int> wanted_;
};

rocksdb::WALRecoveryMode ModeFor(LogEnd log_end) {
  return log_end == LogEnd::kTorn ? rocksdb::WALRecoveryMode::kPointInTimeRecovery
                                  : rocksdb::WALRecoveryMode::kSkipAnyCorruptedRecords;
}

rocksdb::DBOptions CommonOptions() {
  rocksdb::DBOptions options;
  options.info_log = std::make_shared<SilentLogger>();
  options.max_open_files = -1;           // a reader keeps every file open, so that a writer may remove it
  options.max_file_opening_threads = 1;  // starting threads takes longer than opening a few files
  options.skip_stats_update_on_db_open = true;
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
  options.writable_file_max_buffer_size = kBuffer;
  return options;
}

rocksdb::BlockBasedTableOptions CommonTableOptions() {
  rocksdb::BlockBasedTableOptions table;
  // WeightTable keeps the rows that were read, so a second copy of their blocks would gain nothing.
  table.no_block_cache = true;
  table.enable_index_compression = false;
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(kFilterBitsPerKey));
  return table;
}

rocksdb::ColumnFamilyOptions CommonFamilyOptions() {
  rocksdb::ColumnFamilyOptions options;
  options.write_buffer_size = kMemtableBytes;
  options.arena_block_size = kBuffer;
  options.max_write_buffer_number = kMemtables;
  options.ttl = 0;
  options.periodic_compaction_seconds = 0;
  return options;
}

void Compress(int level, uint32_t dictionary, rocksdb::ColumnFamilyOptions* options) {
  options->compression = rocksdb::kZSTD;
  options->compression_opts.level = level;
  options->compression_opts.max_dict_bytes = dictionary;
  options->compression_opts.max_dict_buffer_bytes = kSampled;
}

// For small values with random keys. Flushed files are merged with files of their own size first, so that
// writers of one example each do not often rewrite the whole family. Ids are hashes and do not compress. Rows
// do: those of features that one message alone had are equal.
rocksdb::ColumnFamilyOptions ScatteredOptions(size_t block, uint32_t dictionary) {
  rocksdb::BlockBasedTableOptions table = CommonTableOptions();
  table.block_size = block;
  rocksdb::ColumnFamilyOptions options = CommonFamilyOptions();
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  Compress(kForRows, dictionary, &options);
  options.compaction_style = rocksdb::kCompactionStyleUniversal;
  options.compaction_options_universal.max_size_amplification_percent = kLargestExcess;
  options.target_file_size_base = kNoLimit;
  return options;
}

// For large values with ascending keys: flushed files never overlap, so compaction moves them from level to
// level without rewriting the examples.
rocksdb::ColumnFamilyOptions ExampleOptions() {
  rocksdb::BlockBasedTableOptions table = CommonTableOptions();
  table.block_size = kExampleBlock;
  rocksdb::ColumnFamilyOptions options = CommonFamilyOptions();
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  Compress(kForExamples, kDictionary, &options);
  return options;
}

rocksdb::ColumnFamilyOptions OptionsOf(Family family) {
  switch (family) {
    case Family::kMeta:
      return ScatteredOptions(kRowBlock, 0);  // its files are small
    case Family::kWeights:
      return ScatteredOptions(kRowBlock, kDictionaryOfRows);
    case Family::kExamples:
      return ExampleOptions();
    case Family::kIds:
      return ScatteredOptions(kRowBlock, kDictionary);
    case Family::kTokens:
      return ScatteredOptions(kTextBlock, kDictionary);
  }
  return {};
}

}  // namespace

std::unique_ptr<rocksdb::Env> WriterEnv(const std::shared_ptr<rocksdb::FileSystem>& disk, InPlace in_place) {
  return std::make_unique<ThreadsOnDemandEnv>(CarefulEnv(disk, std::move(in_place)));
}

rocksdb::DBOptions WriterOptions(LogEnd log_end, rocksdb::Env* env) {
  rocksdb::DBOptions options = CommonOptions();
  options.env = env;
  options.wal_recovery_mode = ModeFor(log_end);
  // A reader replays it when it opens beside a writer, and a writer after a crash.
  options.max_total_wal_size = 4 * kMemtableBytes;
  // All families are flushed together: whatever a crash loses, the rest is the state of one moment.
  options.atomic_flush = true;
  options.avoid_flush_during_recovery = true;  // otherwise every short-lived writer would leave a small file
  options.manifest_preallocation_size = 64U << 10;
  options.allow_fallocate = false;  // every writer would reserve 9 MB for its log
  options.max_manifest_file_size = kManifestSize;
  options.max_open_files = kFewFiles;
  options.fail_if_options_file_error = false;  // CarefulFileSystem makes none
  options.max_bgerror_resume_count = 0;        // after a failed write the model must be opened again
  // One thread writes.
  options.allow_concurrent_memtable_write = false;
  options.enable_write_thread_adaptive_yield = false;
  return options;
}

rocksdb::Status KeepFilesOpen(rocksdb::DB& rocks) { return rocks.SetDBOptions({{"max_open_files", "-1"}}); }

std::unique_ptr<rocksdb::Env> ReaderEnv(const std::shared_ptr<rocksdb::FileSystem>& disk, ListEnd list_end) {
  return std::make_unique<ThreadlessEnv>(
      rocksdb::NewCompositeEnv(list_end == ListEnd::kWhole ? disk : WithListPrefix(disk)));
}

rocksdb::DBOptions ReaderOptions(LogEnd log_end, rocksdb::Env* env) {
  rocksdb::DBOptions options = CommonOptions();
  options.env = env;
  options.wal_recovery_mode = ModeFor(log_end);
  return options;
}

std::vector<rocksdb::ColumnFamilyDescriptor> AllFamilies() {
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  families.reserve(kFamilies);
  for (size_t i = 0; i < kFamilies; ++i) {
    const auto family = static_cast<Family>(i);
    families.emplace_back(
        family == Family::kMeta ? rocksdb::kDefaultColumnFamilyName : std::string(kFamilyNames[i]),
        OptionsOf(family));
  }
  return families;
}

}  // namespace thresher::storage
