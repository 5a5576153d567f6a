// Time of an exchange by each transport, all measured in one run beside one memcpy of the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/halo/field.hpp"
#include "groundswell/halo/plan.hpp"
#include "groundswell/halo/selection.hpp"
#include "groundswell/halo/transport.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::halo {

/// Seconds of one phase of an exchange over all exchanges of a measurement; the same on every rank.
struct PhaseTime {
    double p10 = 0.0;           ///< 10th percentile of the exchanges, the slowest rank of each
    double median = 0.0;        ///< median of the exchanges, the slowest rank of each
    parallel::Statistic ranks;  ///< over ranks, of each rank's own median
};

/// Measurements of one contestant; the same on every rank.
struct MeasuredTransport {
    std::string name;       ///< as it was asked for
    std::string used;       ///< what ran: another one for `auto`, or where `shared` found no room
    bool selects = false;   ///< sent selected values only
    bool verified = false;  ///< every value was right, before the measurement and after it
    PhaseTime pack, wait, unpack, whole;
    std::int64_t bytes = 0;     ///< sent in one exchange by all ranks together
    std::int64_t messages = 0;  ///< sent in one exchange by all ranks together
};

/// Exchanges of one field by several transports in turns. In every round each contestant has one exchange and
/// memcpy one copy, in an order that changes from round to round, so that a disturbance of the machine, or
/// what one contestant leaves in the caches for the next, meets them all. All calls are collective, with the
/// same arguments on all ranks.
class Measurement {
public:
    /// `ids`: the owned, then the needed ids that the plan was made of. The field has `bytes_per_id` bytes an
    /// id, without padding; Memory::shared is what `shared` reads in place. All contestants use this field.
    Measurement(std::shared_ptr<const Plan> plan, std::span<const std::int64_t> ids, std::size_t bytes_per_id,
                Memory memory);

    /// Enters a transport (a name of transport_names()) that sends whole blocks or, with a selection,
    /// the selected values where it can. Throws what make_transport throws.
    void add(std::string_view name, std::shared_ptr<const Selection> selection = nullptr);

    /// Choice of `auto` for this field, after its own trials (registry.hpp).
    struct Automatic {
        std::string name;
        bool selects = false;
    };
    Automatic automatic(std::shared_ptr<const Selection> selection);

    /// Checks every contestant's values, then runs a few rounds that do not count. Returns the seconds of one
    /// round.
    double warm_up();

    /// Runs `repeats` (at least 1) rounds and checks the values again. `progress` is called between rounds
    /// with the number of those done.
    void run(int repeats, const std::function<void(int)>& progress);

    /// Contestants in the order of add(). After run().
    std::vector<MeasuredTransport> results() const;

    /// Each rank's copy of as many bytes as it receives, inside the field, all ranks at the same time. After
    /// run().
    PhaseTime memcpy_time() const;

    /// Whether the field lies in shared memory: not where /dev/shm had no room, or no two neighbours share a
    /// host.
    bool shared_field() const { return field_.memory() == Memory::shared; }

    /// Bytes that the busiest rank receives in one exchange without selection.
    std::int64_t largest_received_bytes() const;

private:
    /// This rank's seconds, one value a round.
    using Samples = std::vector<double>;

    struct Contestant {
        std::string name;
        std::shared_ptr<const Selection> selection;
        std::unique_ptr<Transport> transport;
        bool verified = true;
        Samples pack, wait, unpack, whole;
    };

    std::unique_ptr<Transport> make(std::string_view name, std::shared_ptr<const Selection> selection);
    void round(int number);
    // New values in every id that is sent, as a model's step leaves them: in the caches of their owner alone.
    void renew_sent_ids();
    void exchange(Contestant& contestant);
    void copy();
    void forget();
    void verify(int variant);
    std::int64_t wrong_ids(const Contestant& contestant, int variant) const;
    PhaseTime summary(const Samples& mine) const;

    std::shared_ptr<const Plan> plan_;
    std::vector<std::int64_t> ids_;
    Field<std::byte> field_;
    // The copy writes where halos arrive, and reads the owned ids that stand before them: in a mesh those at
    // the rim, which are sent. So it finds its bytes in the same caches as the exchanges. A part with fewer
    // owned than needed ids reads elsewhere.
    std::size_t copy_bytes_;
    std::byte* copy_to_;
    const std::byte* copy_from_;
    std::vector<std::byte> elsewhere_;
    std::vector<Contestant> contestants_;
    Samples copies_;
    int renewals_ = 0;
};

/// The order of `count` things in a round. In any 2 · `count` rounds in a row each stands equally often at
/// every place, and each follows every other equally often (Williams 1949, Aust. J. Sci. Res. A 2, 149–168).
std::vector<int> balanced_order(int round, int count);

/// Bytes that each of plan.sources() sends to this rank in one exchange of `bytes_per_id` bytes an id; with a
/// selection, of the selected values alone.
std::vector<std::int64_t> received_bytes(const Plan& plan, std::size_t bytes_per_id,
                                         const Selection* selection = nullptr);

/// [sender][receiver] on rank 0, nothing on the others. `received` as received_bytes() gave it. For reports:
/// rank 0 holds a number for every pair of ranks. Collective.
std::vector<std::vector<std::int64_t>> byte_matrix(const Plan& plan,
                                                   const std::vector<std::int64_t>& received);

}  // namespace groundswell::halo
