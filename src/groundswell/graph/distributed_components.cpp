#include "groundswell/graph/distributed_components.hpp"

#include <algorithm>

#include "groundswell/base/make_unique.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::graph {
namespace {

using parallel::RowBlocks;
using parallel::SparseExchange;

/// A pair of neighbours in different blocks.
struct Crossing {
    std::int64_t row;    // beyond
    std::int32_t piece;  // here
    auto operator<=>(const Crossing&) const = default;
};

/// The components among the cells of a block alone.
struct Pieces {
    std::vector<std::int32_t> of_cell;
    std::vector<std::int64_t> name;   // [pieces]
    std::vector<Crossing> crossings;  // ascending

    Pieces(const RowBlocks& blocks, std::span<const std::int64_t> offset,
           std::span<const std::int32_t> neighbour)
        : of_cell(static_cast<std::size_t>(blocks.mine()), -1) {
        std::vector<std::int64_t> queue;
        for (std::int64_t seed = 0; seed < blocks.mine(); ++seed) {
            if (of_cell[seed] >= 0) continue;
            const auto piece = static_cast<std::int32_t>(name.size());
            name.push_back(blocks.begin() + seed);
            of_cell[seed] = piece;
            queue.assign(1, seed);
            while (!queue.empty()) {
                const std::int64_t c = queue.back();
                queue.pop_back();
                for (std::int64_t j = offset[c]; j < offset[c + 1]; ++j) {
                    const std::int64_t row = neighbour[j], other = row - blocks.begin();
                    if (row < 0) continue;
                    if (other < 0 || other >= blocks.mine()) {
                        crossings.push_back({row, piece});
                    } else if (of_cell[other] < 0) {
                        of_cell[other] = piece;
                        queue.push_back(other);
                    }
                }
            }
        }
        base::make_unique(crossings);
    }
};

struct Question {
    std::int64_t row;
    std::int64_t name;  // that the component of the row may take, where it is lower
    auto operator<=>(const Question&) const = default;
};

/// Gives each piece the lowest name around it.
void take_names_across(SparseExchange& exchange, const RowBlocks& blocks, Pieces& pieces) {
    std::vector<Question> questions;
    for (const Crossing& crossing : pieces.crossings) {
        if (questions.empty() || questions.back().row != crossing.row) questions.push_back({crossing.row, 0});
    }
    const auto names = parallel::ask_owners<std::int64_t, Question>(
        exchange, blocks, questions,
        [&](const Question& question) { return pieces.name[pieces.of_cell[question.row - blocks.begin()]]; });
    std::size_t i = 0;
    for (const Crossing& crossing : pieces.crossings) {
        while (questions[i].row != crossing.row) ++i;
        pieces.name[crossing.piece] = std::min(pieces.name[crossing.piece], names[i]);
    }
}

/// Tells the rows that pieces were named by, when they last told them, of the new names, and takes what these
/// rows are called now. Pieces whose names have stayed are silent: else all would ask one row in the end.
void pass_names_on(SparseExchange& exchange, const RowBlocks& blocks, std::vector<std::int64_t>& told,
                   Pieces& pieces) {
    std::vector<std::int32_t> asking;
    for (const Crossing& crossing : pieces.crossings)
        if (pieces.name[crossing.piece] != told[crossing.piece]) asking.push_back(crossing.piece);
    base::make_unique(asking);
    std::vector<Question> questions;
    for (const std::int32_t piece : asking) {
        questions.push_back({told[piece], pieces.name[piece]});
        told[piece] = pieces.name[piece];
    }
    std::vector<std::size_t> order(asking.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return questions[i].row; });
    std::ranges::stable_sort(questions, {}, &Question::row);
    const auto name_of = [&](const Question& question) -> std::int64_t& {
        return pieces.name[pieces.of_cell[question.row - blocks.begin()]];
    };
    const auto names = parallel::ask_owners<std::int64_t, Question>(
        exchange, blocks, questions,
        [&](const Question& question) { name_of(question) = std::min(name_of(question), question.name); },
        [] {}, name_of);
    for (std::size_t i = 0; i < order.size(); ++i) {
        std::int64_t& name = pieces.name[asking[order[i]]];
        name = std::min(name, names[i]);
    }
}

}  // namespace

std::vector<std::int64_t> components_of(MPI_Comm comm, SparseExchange& exchange, const RowBlocks& blocks,
                                        std::span<const std::int64_t> offset,
                                        std::span<const std::int32_t> neighbour) {
    Pieces pieces(blocks, offset, neighbour);
    std::vector<std::int64_t> told = pieces.name;
    for (bool changed = true; changed;) {
        const std::vector<std::int64_t> before = pieces.name;
        take_names_across(exchange, blocks, pieces);
        pass_names_on(exchange, blocks, told, pieces);
        changed = parallel::sum(comm, std::int64_t{pieces.name != before ? 1 : 0}) > 0;
    }
    std::vector<std::int64_t> component;
    component.reserve(pieces.of_cell.size());
    for (const std::int32_t piece : pieces.of_cell) component.push_back(pieces.name[piece]);
    return component;
}

}  // namespace groundswell::graph
