#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "groundswell/parallel/sparse_exchange.hpp"

namespace groundswell::parallel {

/// Rows 0 … rows-1 (of a file, say) in contiguous blocks of one length over the ranks; of the last ranks one
/// may have fewer and others none. Everything follows by arithmetic: no rank needs a table of the others.
struct RowBlocks {
    std::int64_t rows = 0;
    std::int64_t length = 1;  ///< of a block
    int rank = 0;             ///< of the one who asks

    RowBlocks() = default;
    RowBlocks(std::int64_t rows_, int ranks, int rank_)
        : rows(rows_), length(std::max<std::int64_t>(1, (rows_ + ranks - 1) / ranks)), rank(rank_) {}

    std::int64_t begin() const { return std::min(rows, rank * length); }  ///< of this rank's block
    std::int64_t end() const { return std::min(rows, (rank + 1) * length); }
    std::int64_t mine() const { return end() - begin(); }
    int owner(std::int64_t row) const { return static_cast<int>(row / length); }
};

/// Puts questions about rows to the ranks that own the rows, and returns the answers in the order of the
/// questions. `questions` are rows or have a member `row`, and ascend by it. Each owner first hears all that is asked of
/// it (`hear(question)`), then all ranks call `settle()`, which may be collective, then each question gets
/// its `reply(question)`. None of the three may throw on some ranks only. Messages and memory depend on the
/// questions, not on the number of ranks; questions about a rank's own rows cost no message. Collective.
template <class Answer, class Question, class Hear, class Settle, class Reply>
std::vector<Answer> ask_owners(SparseExchange& exchange, const RowBlocks& blocks,
                               std::span<const Question> questions, Hear hear, Settle settle, Reply reply) {
    const auto owner_of = [&](const Question& question) {
        if constexpr (std::is_integral_v<Question>)
            return blocks.owner(question);
        else
            return blocks.owner(question.row);
    };
    std::vector<Parcel> outgoing;
    std::span<const Question> own;
    for (std::size_t begin = 0; begin < questions.size();) {
        const int owner = owner_of(questions[begin]);
        std::size_t end = begin + 1;
        while (end < questions.size() && owner_of(questions[end]) == owner) ++end;
        const auto run = questions.subspan(begin, end - begin);
        if (owner == blocks.rank) {
            own = run;
        } else {
            outgoing.push_back(pack_parcel<Question>(owner, run));
        }
        begin = end;
    }
    const std::vector<Parcel> asked = exchange(outgoing);
    for (const Question& question : own) hear(question);
    for (const Parcel& parcel : asked)
        for (const Question& question : unpack_parcel<Question>(parcel)) hear(question);
    settle();

    outgoing.clear();
    for (const Parcel& parcel : asked) {
        std::vector<Answer> replies;
        replies.reserve(parcel.bytes.size() / sizeof(Question));
        for (const Question& question : unpack_parcel<Question>(parcel)) replies.push_back(reply(question));
        outgoing.push_back(pack_parcel<Answer>(parcel.rank, replies));
    }
    const std::vector<Parcel> incoming = exchange(outgoing);
    std::vector<Answer> answers;
    answers.reserve(questions.size());
    auto parcel = incoming.begin();
    const auto take_until = [&](int rank) {
        for (; parcel != incoming.end() && parcel->rank < rank; ++parcel) {
            const std::vector<Answer> replies = unpack_parcel<Answer>(*parcel);
            answers.insert(answers.end(), replies.begin(), replies.end());
        }
    };
    take_until(blocks.rank);
    for (const Question& question : own) answers.push_back(reply(question));
    take_until(std::numeric_limits<int>::max());
    return answers;
}

/// The same where owners need not know all questions before they answer.
template <class Answer, class Question, class Reply>
std::vector<Answer> ask_owners(SparseExchange& exchange, const RowBlocks& blocks,
                               std::span<const Question> questions, Reply reply) {
    return ask_owners<Answer>(
        exchange, blocks, questions, [](const Question&) {}, [] {}, std::move(reply));
}

}  // namespace groundswell::parallel
