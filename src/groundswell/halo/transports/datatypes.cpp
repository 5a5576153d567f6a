#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include "groundswell/halo/messages/datatype.hpp"
#include "groundswell/halo/messages/neighbor_graph.hpp"
#include "groundswell/halo/transports/transport_kind.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/profile.hpp"

namespace groundswell::halo::transports {

using parallel::check;

namespace {

constexpr std::size_t most_layouts = 4;

Datatype structure(const std::vector<MPI_Aint>& displacements, const std::vector<MPI_Datatype>& types) {
    const std::vector<int> ones(types.size(), 1);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    check(MPI_Type_create_struct(static_cast<int>(types.size()), ones.data(), displacements.data(),
                                 types.data(), &type),
          "describe a message");
    return Datatype(type);
}

/// Some bytes of every row, from the beginning of a row on.
Datatype of_every_row(const SelectedRows& rows, std::int32_t bytes) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    check(MPI_Type_create_hvector(static_cast<int>(rows.rows), bytes, static_cast<MPI_Aint>(rows.row_bytes),
                                  MPI_BYTE, &type),
          "describe the rows of an id");
    return Datatype(type);
}

/// The wanted bytes of one id's block. Both sides describe them in this order: first runs, then second.
Datatype of_id(const SelectedRows& rows, const RowRuns& runs) {
    const Datatype first = of_every_row(rows, runs.first_bytes);
    if (runs.second_bytes == 0) return structure({runs.first}, {first.get()});
    const Datatype second = of_every_row(rows, runs.second_bytes);
    return structure({runs.first, 0}, {first.get(), second.get()});
}

/// Whole blocks of some ids, counted from the block of index 0.
Datatype of_blocks(std::span<const std::int32_t> indices, const Channel& channel) {
    std::vector<MPI_Aint> displacements;
    for (const std::int32_t i : indices)
        displacements.push_back(static_cast<MPI_Aint>(i) * static_cast<MPI_Aint>(channel.stride));
    MPI_Datatype type = MPI_DATATYPE_NULL;
    check(MPI_Type_create_hindexed_block(static_cast<int>(indices.size()), static_cast<int>(channel.bytes),
                                         displacements.data(), MPI_BYTE, &type),
          "describe a message");
    return Datatype(type);
}

/// Values wanted of some ids; null if that is nothing.
Datatype of_selected(std::span<const std::int32_t> indices, const Channel& channel, const SelectedRows& rows,
                     std::span<const RowRuns> runs) {
    // Few different ranges occur, so their types are shared.
    std::map<std::tuple<std::int32_t, std::int32_t, std::int32_t>, Datatype> kinds;
    std::vector<MPI_Aint> displacements;
    std::vector<MPI_Datatype> types;
    for (std::size_t i = 0; i < indices.size(); ++i) {
        if (runs[i].bytes() == 0) continue;
        Datatype& kind = kinds[{runs[i].first, runs[i].first_bytes, runs[i].second_bytes}];
        if (kind.get() == MPI_DATATYPE_NULL) kind = of_id(rows, runs[i]);
        displacements.push_back(static_cast<MPI_Aint>(indices[i]) * static_cast<MPI_Aint>(channel.stride));
        types.push_back(kind.get());
    }
    return types.empty() ? Datatype() : structure(displacements, types);
}

/// All ranks that this one sends to or receives from, ascending.
std::vector<int> neighbours_of(const Plan& plan) {
    const std::vector<int> sources = ranks_of(plan.sources());
    const std::vector<int> destinations = ranks_of(plan.destinations());
    std::vector<int> both;
    std::set_union(sources.begin(), sources.end(), destinations.begin(), destinations.end(),
                   std::back_inserter(both));
    return both;
}

/// The link to a rank; null if there is none.
const Link* link_of(std::span<const Link> links, int rank) {
    const auto found = std::lower_bound(links.begin(), links.end(), rank,
                                        [](const Link& link, int wanted) { return link.rank < wanted; });
    return found != links.end() && found->rank == rank ? &*found : nullptr;
}

/// One blocking MPI_Neighbor_alltoallw whose datatypes say where the values of each neighbour lie in the
/// fields: nothing is packed or unpacked here, the library does it as it can. Everything happens in finish,
/// which is collective.
class Datatypes final : public Transport {
public:
    /// Collective.
    Datatypes(std::shared_ptr<const Plan> plan, std::vector<Channel> channels);
    std::string_view name() const override { return "datatypes"; }

private:
    void begin() override {}  // the values are read where they lie, in finish
    bool progress() override {
        return true;
    }  // a blocking collective has nothing to push before it is called
    void end() override;

    /// One direction's types, one for each neighbour, and how many of each (0 where nothing travels, or 1).
    struct MessageTypes {
        std::vector<Datatype> owned;
        std::vector<MPI_Datatype> types;
        std::vector<int> counts;
        void add(Datatype type);
    };
    /// The messages of all channels together, counted from the first one's base: they hold for fields that
    /// lie at these distances from the first.
    struct Layout {
        std::vector<MPI_Aint> distances;
        MessageTypes sent, received;
    };
    const Layout& layout();  // of the exchange that is under way
    static MessageTypes combine(const std::vector<MessageTypes>& channels,
                                std::span<const MPI_Aint> distances);

    parallel::Communicator graph_;
    std::vector<MessageTypes> sent_, received_;  // [channel], counted from the channel's own base
    std::vector<Layout> layouts_;
    std::size_t oldest_ = 0;
    std::vector<MPI_Aint> zeros_;  // displacements
};

void Datatypes::MessageTypes::add(Datatype type) {
    const bool any = type.get() != MPI_DATATYPE_NULL;
    if (any) type.commit();
    types.push_back(any ? type.get() : MPI_BYTE);
    counts.push_back(any ? 1 : 0);
    owned.push_back(std::move(type));
}

// Each neighbour stands in the graph as a source and as a destination, even if values go one way only: MPICH
// up to 4.0 takes the number of one for that of the other in this call (pmodels/mpich 6233).
Datatypes::Datatypes(std::shared_ptr<const Plan> plan, std::vector<Channel> channels)
    : Transport(std::move(plan), std::move(channels), Messages::none),
      sent_(this->channels().size()),
      received_(this->channels().size()) {
    const std::vector<int> neighbours = neighbours_of(this->plan());
    graph_ = make_neighbor_graph(this->plan().comm(), neighbours, neighbours);
    const auto describe = [&](std::size_t c, const Link* link, std::span<const std::int32_t> indices,
                              std::vector<RowRuns> SelectedRows::*runs) {
        if (link == nullptr) return Datatype();
        const auto of_link = [&](auto all) { return all.subspan(link->first, link->count); };
        const Channel& channel = this->channels()[c];
        if (const SelectedRows* rows = selected(c))
            return of_selected(of_link(indices), channel, *rows, of_link(std::span(rows->*runs)));
        return of_blocks(of_link(indices), channel);
    };
    for (std::size_t c = 0; c < this->channels().size(); ++c) {
        for (const int rank : neighbours) {
            sent_[c].add(describe(c, link_of(this->plan().destinations(), rank), this->plan().pack_index(),
                                  &SelectedRows::sent));
            received_[c].add(describe(c, link_of(this->plan().sources(), rank), this->plan().unpack_index(),
                                      &SelectedRows::received));
        }
    }
    zeros_.resize(neighbours.size() + 1, 0);
    if (this->channels().size() == 1) layout();  // holds wherever the field lies
}

Datatypes::MessageTypes Datatypes::combine(const std::vector<MessageTypes>& channels,
                                           std::span<const MPI_Aint> distances) {
    MessageTypes messages;
    for (std::size_t k = 0; k < channels.front().types.size(); ++k) {
        std::vector<MPI_Aint> displacements;
        std::vector<MPI_Datatype> types;
        for (std::size_t c = 0; c < channels.size(); ++c) {
            if (channels[c].counts[k] == 0) continue;
            displacements.push_back(distances[c]);
            types.push_back(channels[c].types[k]);
        }
        messages.add(types.empty() ? Datatype() : structure(displacements, types));
    }
    messages.add(Datatype());  // MPICH 4.0 looks at the first even where there is no neighbour
    return messages;
}

const Datatypes::Layout& Datatypes::layout() {
    const auto distance = [&](std::size_t c) {
        MPI_Aint first = 0, other = 0;
        MPI_Get_address(bases()[0], &first);
        MPI_Get_address(bases()[c], &other);
        return MPI_Aint_diff(other, first);
    };
    for (const Layout& known : layouts_) {
        bool same = true;
        for (std::size_t c = 0; c < known.distances.size(); ++c)
            same = same && known.distances[c] == distance(c);
        if (same) return known;
    }
    std::vector<MPI_Aint> distances;
    for (std::size_t c = 0; c < channels().size(); ++c) distances.push_back(distance(c));
    Layout made{distances, combine(sent_, distances), combine(received_, distances)};
    if (layouts_.size() < most_layouts) return layouts_.emplace_back(std::move(made));
    Layout& oldest = layouts_[oldest_];
    oldest_ = (oldest_ + 1) % most_layouts;
    return oldest = std::move(made);
}

void Datatypes::end() {
    const double before = parallel::now();
    const auto& [distances, sent, received] = layout();
    check(MPI_Neighbor_alltoallw(bases()[0], sent.counts.data(), zeros_.data(), sent.types.data(), bases()[0],
                                 received.counts.data(), zeros_.data(), received.types.data(), graph_.get()),
          "exchange halos with neighbours");
    clock_.wait += parallel::now() - before;
}

}  // namespace

TransportKind datatypes() {
    return {"datatypes", &make<Datatypes>, true, false, 50};
}

}  // namespace groundswell::halo::transports
