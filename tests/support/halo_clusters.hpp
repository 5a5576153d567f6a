#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "groundswell/halo/plan.hpp"
#include "support/halo_values.hpp"

/// Cells in clusters that step at different rates, as in local time stepping: cluster c steps every 2^c ticks.
/// Every ordered pair of neighbouring clusters (from, to) has an exchange of its own, at the slower one's rate,
/// over one array: first the owned cells, cluster after cluster, then what each pair needs. A cell that two
/// clusters need stands there twice.
namespace groundswell::halo::test {

constexpr int clusters = 4;

struct Pair {
    int from = 0, to = 0;
    int ticks() const { return 1 << std::max(from, to); }
};

class Clusters {
public:
    std::vector<std::int64_t> owned;  // cluster after cluster
    std::vector<std::int32_t> begin;  // [cluster], and the end: local index
    std::vector<Pair> pairs;
    std::vector<std::vector<std::int64_t>> needed;   // [pair]
    std::vector<std::vector<std::int32_t>> places;   // [pair]: local index of each
    std::vector<std::shared_ptr<const Plan>> plans;  // [pair]

    /// `idle` ranks own cells of no cluster but the last. With `own_part` a plan owns the cells of `from` alone,
    /// and counts from the first of them.
    Clusters(MPI_Comm comm, int rank, int ranks, std::int64_t cells, Order order, bool own_part)
        : own_part_(own_part) {
        const auto owner = [&](std::int64_t id) { return static_cast<int>(id * 7 / 3 % ranks); };
        for (int c = 0; c < clusters; ++c) {
            begin.push_back(static_cast<std::int32_t>(owned.size()));
            for (std::int64_t id = 0; id < cells; ++id)
                if (cluster(id) == c && owner(id) == rank) owned.push_back(id);
        }
        begin.push_back(static_cast<std::int32_t>(owned.size()));

        std::int32_t next = begin.back();
        std::mt19937 random(static_cast<unsigned>(100 + rank));
        for (int from = 0; from < clusters; ++from) {
            for (int to = std::max(0, from - 1); to <= std::min(clusters - 1, from + 1); ++to) {
                pairs.push_back({from, to});
                auto& ids = needed.emplace_back();
                for (std::int64_t id = 0; id < cells; ++id)
                    if (cluster(id) == from && owner(id) != rank && random() % 3 == 0) ids.push_back(id);
                if (order == Order::grouped)
                    std::stable_sort(ids.begin(), ids.end(),
                                     [&](std::int64_t a, std::int64_t b) { return owner(a) < owner(b); });
                auto& local = places.emplace_back();
                for (std::size_t q = 0; q < ids.size(); ++q) local.push_back(next++);
                if (order == Order::shuffled) std::shuffle(local.begin(), local.end(), random);
            }
        }
        for (std::size_t p = 0; p < pairs.size(); ++p) plans.push_back(make_plan(comm, p));
    }

    static int cluster(std::int64_t id) { return static_cast<int>(id * 11 % 17 % clusters); }

    /// Where a pair's exchange finds the first cell of its plan.
    template <class T>
    T* base(Field<T>& field, std::size_t p) const {
        return field.data() + static_cast<std::size_t>(first(p)) * field.stride();
    }

    template <class T>
    void step(Field<T>& field, int c, int tick) const {
        for (std::int32_t i = begin[static_cast<std::size_t>(c)]; i < begin[static_cast<std::size_t>(c) + 1];
             ++i)
            for (std::size_t v = 0; v < field.values(); ++v)
                field[i][v] = truth<T>(owned[static_cast<std::size_t>(i)], v, tick);
    }

    /// Values that are not what the owner had at this tick.
    template <class T>
    std::int64_t wrong(const Field<T>& field, std::size_t p, int tick) const {
        std::int64_t count = 0;
        for (std::size_t q = 0; q < needed[p].size(); ++q)
            for (std::size_t v = 0; v < field.values(); ++v)
                count += !same(field[places[p][q]][v], truth<T>(needed[p][q], v, tick));
        return count;
    }

private:
    std::int32_t first(std::size_t p) const {
        return own_part_ ? begin[static_cast<std::size_t>(pairs[p].from)] : 0;
    }

    std::shared_ptr<const Plan> make_plan(MPI_Comm comm, std::size_t p) const {
        std::vector<std::int32_t> index = places[p];
        for (std::int32_t& i : index) i -= first(p);
        std::span<const std::int64_t> ids = owned;
        if (own_part_) {
            const auto from = static_cast<std::size_t>(pairs[p].from);
            ids = ids.subspan(static_cast<std::size_t>(begin[from]),
                              static_cast<std::size_t>(begin[from + 1] - begin[from]));
        }
        return std::make_shared<const Plan>(comm, ids, needed[p], index);
    }

    bool own_part_;
};

}  // namespace groundswell::halo::test
