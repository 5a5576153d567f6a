#include "groundswell/halo/neighbor.hpp"

#include <utility>

#include "groundswell/parallel/profile.hpp"

namespace groundswell::halo {

using parallel::check;

namespace {

parallel::Communicator make_graph(const Plan& plan) {
    std::vector<int> sources, destinations;
    for (const Link& link : plan.sources()) sources.push_back(link.rank);
    for (const Link& link : plan.destinations()) destinations.push_back(link.rank);
    MPI_Comm graph = MPI_COMM_NULL;
    check(MPI_Dist_graph_create_adjacent(plan.comm(), static_cast<int>(sources.size()), sources.data(),
                                         MPI_UNWEIGHTED, static_cast<int>(destinations.size()),
                                         destinations.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph),
          "make a graph of neighbours");
    return parallel::Communicator::adopt(graph);
}

}  // namespace

Neighbor::Neighbor(std::shared_ptr<const Plan> plan, std::vector<Channel> channels)
    : Transport(std::move(plan), std::move(channels)), graph_(make_graph(this->plan())) {
    check(MPI_Type_contiguous(static_cast<int>(bytes_per_id()), MPI_BYTE, &id_bytes_),
          "describe the bytes of an id");
    check(MPI_Type_commit(&id_bytes_), "describe the bytes of an id");
    for (const Link& link : this->plan().destinations()) {
        send_counts_.push_back(link.count);
        send_displacements_.push_back(link.first);
    }
    for (std::size_t k = 0; k < this->plan().sources().size(); ++k) {
        receive_counts_.push_back(this->plan().sources()[k].count);
        receive_displacements_.push_back(receive_first(k));
    }
}

Neighbor::~Neighbor() {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (!finalized && id_bytes_ != MPI_DATATYPE_NULL) MPI_Type_free(&id_bytes_);
}

void Neighbor::begin() {
    for (std::size_t k = 0; k < plan().destinations().size(); ++k) pack(k);
}

void Neighbor::progress() {}  // a blocking collective has nothing to push before it is called

void Neighbor::end() {
    const double before = parallel::now();
    check(MPI_Neighbor_alltoallv(send_buffer(), send_counts_.data(), send_displacements_.data(), id_bytes_,
                                 receive_base(), receive_counts_.data(), receive_displacements_.data(),
                                 id_bytes_, graph_.get()),
          "exchange halos with neighbours");
    clock_.wait += parallel::now() - before;
    unpack();
}

}  // namespace groundswell::halo
