#include "pipeline/distributed/part_rows.h"

#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace thresher::pipeline {
namespace {

using learners::distributed::Group;
using learners::distributed::Share;

// What one process has read of the features of one process.
struct Piece {
  std::vector<uint32_t> lengths;  // of each row
  std::vector<uint32_t> indices;
  std::vector<float> values;
  std::vector<float> targets;
};

Piece PieceFor(const Share& share, size_t rank, std::span<const PartRows> own) {
  const size_t from = share.FirstFeatureOf(share.parts.FirstOf(rank));
  const size_t to = share.FirstFeatureOf(share.parts.FirstOf(rank + 1));
  Piece piece;
  for (const PartRows& part : own) {
    piece.targets.insert(piece.targets.end(), part.targets.begin(), part.targets.end());
    for (size_t i = 0; i < part.targets.size(); ++i) {
      uint32_t length = 0;
      for (uint64_t at = part.starts[i]; at < part.starts[i + 1]; ++at) {
        if (part.indices[at] < from || part.indices[at] >= to) continue;
        piece.indices.push_back(part.indices[at]);
        piece.values.push_back(part.values[at]);
        ++length;
      }
      piece.lengths.push_back(length);
    }
  }
  return piece;
}

void Send(Group& group, size_t to, const Piece& piece) {
  const std::array<uint64_t, 2> counts = {piece.lengths.size(), piece.indices.size()};
  group.SendNumbers(to, std::span<const uint64_t>(counts));
  group.SendNumbers(to, std::span<const uint32_t>(piece.lengths));
  group.SendNumbers(to, std::span<const uint32_t>(piece.indices));
  group.SendNumbers(to, std::span<const float>(piece.values));
  group.SendNumbers(to, std::span<const float>(piece.targets));
}

Piece Receive(Group& group, size_t from) {
  std::array<uint64_t, 2> counts = {};
  group.ReceiveNumbers(from, std::span<uint64_t>(counts));
  const auto [rows, entries] = counts;
  Piece piece = {.lengths = std::vector<uint32_t>(rows),
                 .indices = std::vector<uint32_t>(entries),
                 .values = std::vector<float>(entries),
                 .targets = std::vector<float>(rows)};
  group.ReceiveNumbers(from, std::span(piece.lengths));
  group.ReceiveNumbers(from, std::span(piece.indices));
  group.ReceiveNumbers(from, std::span(piece.values));
  group.ReceiveNumbers(from, std::span(piece.targets));
  return piece;
}

void Append(const Share& share, const Piece& piece, std::vector<PartRows>* parts) {
  size_t at = 0;
  for (size_t i = 0; i < piece.lengths.size(); ++i) {
    const size_t end = at + piece.lengths[i];
    for (size_t k = 0; k < parts->size(); ++k) {
      PartRows& part = (*parts)[k];
      const size_t next = share.FirstFeatureOf(share.first() + k + 1);
      for (; at < end && piece.indices[at] < next; ++at) {
        part.indices.push_back(piece.indices[at]);
        part.values.push_back(piece.values[at]);
      }
      part.starts.push_back(part.indices.size());
      part.targets.push_back(piece.targets[i]);
    }
  }
}

}  // namespace

learners::batch::Examples PartRows::View(uint32_t width) const {
  return {.rows = {.starts = starts, .indices = indices, .values = values, .width = width},
          .columns = {},
          .targets = targets};
}

uint64_t PartRows::Digest() const {
  uint64_t digest = 0;
  const auto add = [&digest](auto items) {
    digest = XXH3_64bits_withSeed(items.data(), items.size_bytes(), digest);
  };
  add(std::span(starts));
  add(std::span(indices));
  add(std::span(values));
  add(std::span(targets));
  return digest;
}

std::vector<PartRows> DivideByFeatures(const Share& share, std::vector<PartRows> own) {
  Group& group = share.group;
  std::vector<Piece> pieces(group.size());
  pieces[group.rank()] = PieceFor(share, group.rank(), own);
  // In each step, pairs of processes exchange pieces; the lower rank sends first. So no cycle of processes
  // waits.
  for (size_t step = 1; step < std::bit_ceil(group.size()); ++step) {
    const size_t other = group.rank() ^ step;
    if (other >= group.size()) continue;
    if (group.rank() < other) Send(group, other, PieceFor(share, other, own));
    pieces[other] = Receive(group, other);
    if (group.rank() > other) Send(group, other, PieceFor(share, other, own));
  }
  std::vector<PartRows> parts(own.size());
  own.clear();
  for (Piece& piece : pieces) Append(share, std::exchange(piece, {}), &parts);
  return parts;
}

}  // namespace thresher::pipeline
