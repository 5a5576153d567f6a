#include "groundswell/halo/measure/measurement.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/base/percentile.hpp"
#include "groundswell/halo/registry.hpp"
#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/gather.hpp"
#include "groundswell/parallel/profile.hpp"

namespace groundswell::halo {

using parallel::check;
using parallel::now;

namespace {

constexpr int warm_up_rounds = 10;
constexpr std::byte untouched{0xFF};

// The values of an id, which every rank can tell; others for every variant.
void fill(std::span<std::byte> block, std::int64_t id, int variant) {
    // Steps of an odd number through all 64-bit numbers: no two words of a block are equal.
    auto word =
        static_cast<std::uint64_t>(id + 1) * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(variant);
    for (std::size_t begin = 0; begin < block.size(); begin += sizeof word) {
        word += 0xD1B54A32D192ED03u;
        std::memcpy(block.data() + begin, &word, std::min(sizeof word, block.size() - begin));
    }
}

// Copies the selected values of needed id q from one block to another.
void copy_selected(const Selection& selection, std::size_t q, std::span<const std::byte> from,
                   std::span<std::byte> to) {
    const RowRange range = selection.needed[q];
    for (std::int32_t row = 0; row < selection.rows; ++row) {
        for (std::int32_t i = 0; i < range.count; ++i) {
            const std::int32_t value = row * selection.row_values + (range.first + i) % selection.row_values;
            const std::size_t at = static_cast<std::size_t>(value) * selection.value_bytes;
            std::memcpy(to.data() + at, from.data() + at, selection.value_bytes);
        }
    }
}

std::vector<std::int64_t> concatenated(std::span<const std::int64_t> ids, const Plan& plan) {
    GS_ASSERT(ids.size() == static_cast<std::size_t>(plan.owned()) + static_cast<std::size_t>(plan.needed()));
    GS_ASSERT(ids.size() == static_cast<std::size_t>(plan.ids()));  // needed ids follow the owned ones
    return {ids.begin(), ids.end()};
}

}  // namespace

std::vector<int> balanced_order(int round, int count) {
    std::vector<int> order(count);
    for (int place = 0; place < count; ++place) {
        // 0, n-1, 1, n-2, …: all differences occur; turned by one from round to round.
        const int zigzag = place % 2 == 0 ? place / 2 : count - (place + 1) / 2;
        order[place] = (zigzag + round) % count;
    }
    if ((round / count) % 2 == 1) std::reverse(order.begin(), order.end());
    return order;
}

Measurement::Measurement(std::shared_ptr<const Plan> plan, std::span<const std::int64_t> ids,
                         std::size_t bytes_per_id, Memory memory)
    : plan_(std::move(plan)),
      ids_(concatenated(ids, *plan_)),
      field_(*plan_, bytes_per_id, 0, memory),
      copy_bytes_(static_cast<std::size_t>(plan_->needed()) * bytes_per_id),
      copy_to_(field_.data() + static_cast<std::size_t>(plan_->owned()) * bytes_per_id) {
    if (plan_->owned() >= plan_->needed()) {
        copy_from_ = copy_to_ - copy_bytes_;
    } else {
        elsewhere_.resize(copy_bytes_, std::byte{1});
        copy_from_ = elsewhere_.data();
    }
}

std::unique_ptr<Transport> Measurement::make(std::string_view name,
                                             std::shared_ptr<const Selection> selection) {
    Channel channel = field_.channel();
    channel.selection = std::move(selection);
    return make_transport(name, plan_, channel, field_.data());
}

void Measurement::add(std::string_view name, std::shared_ptr<const Selection> selection) {
    Contestant contestant;
    contestant.name = name;
    contestant.selection = selection;
    contestant.transport = make(name, std::move(selection));
    contestants_.push_back(std::move(contestant));
}

Measurement::Automatic Measurement::automatic(std::shared_ptr<const Selection> selection) {
    const std::unique_ptr<Transport> chosen = make("auto", std::move(selection));
    return {std::string(chosen->name()), chosen->selects()};
}

void Measurement::renew_sent_ids() {
    for (const std::int32_t local : plan_->pack_index()) {
        const std::span<std::byte> block = field_[local];
        std::memset(block.data(), renewals_ % 251, block.size());
    }
    ++renewals_;
    check(MPI_Barrier(plan_->comm()), "measure the halo exchange");
}

void Measurement::exchange(Contestant& contestant) {
    Transport& transport = *contestant.transport;
    const Clock before = transport.clock();
    renew_sent_ids();
    const double begin = now();
    transport.start(field_.data());
    transport.finish();
    contestant.whole.push_back(now() - begin);
    const Clock& after = transport.clock();
    contestant.pack.push_back(after.pack - before.pack);
    contestant.wait.push_back(after.wait - before.wait);
    contestant.unpack.push_back(after.unpack - before.unpack);
}

void Measurement::copy() {
    renew_sent_ids();
    const double begin = now();
    std::memcpy(copy_to_, copy_from_, copy_bytes_);
    // The copy is looked at, so that no compiler may leave it out or move it past the clock.
    asm volatile("" : : "r"(copy_to_) : "memory");
    copies_.push_back(now() - begin);
}

void Measurement::round(int number) {
    const auto count = static_cast<int>(contestants_.size());
    for (const int turn : balanced_order(number, count + 1)) {
        if (turn == count)
            copy();
        else
            exchange(contestants_[turn]);
    }
}

void Measurement::forget() {
    copies_.clear();
    for (Contestant& one : contestants_)
        for (Samples* samples : {&one.pack, &one.wait, &one.unpack, &one.whole}) samples->clear();
}

std::int64_t Measurement::wrong_ids(const Contestant& contestant, int variant) const {
    std::vector<std::byte> expected(field_.values()), truth(field_.values());
    std::int64_t wrong = 0;
    for (std::int32_t q = 0; q < plan_->needed(); ++q) {
        const std::int32_t local = plan_->owned() + q;
        fill(truth, ids_[local], variant);
        if (contestant.transport->selects()) {
            std::fill(expected.begin(), expected.end(), untouched);
            copy_selected(*contestant.selection, static_cast<std::size_t>(q), truth, expected);
        } else {
            expected = truth;
        }
        wrong += std::memcmp(expected.data(), field_[local].data(), expected.size()) != 0;
    }
    return wrong;
}

void Measurement::verify(int variant) {
    for (Contestant& one : contestants_) {
        // Values that no exchange before has brought, and a wiped halo: nothing old can pass for new.
        ++variant;
        for (const std::int32_t local : plan_->pack_index()) fill(field_[local], ids_[local], variant);
        for (std::int32_t local = plan_->owned(); local < field_.ids(); ++local)
            std::fill(field_[local].begin(), field_[local].end(), untouched);
        one.transport->start(field_.data());
        one.transport->finish();
        one.verified = parallel::sum(plan_->comm(), wrong_ids(one, variant)) == 0 && one.verified;
    }
}

double Measurement::warm_up() {
    verify(0);
    const double begin = now();
    for (int i = 0; i < warm_up_rounds; ++i) round(i);
    return parallel::max(plan_->comm(), now() - begin) / warm_up_rounds;
}

void Measurement::run(int repeats, const std::function<void(int)>& progress) {
    GS_ASSERT(repeats >= 1);
    forget();
    for (int i = 0; i < repeats; ++i) {
        round(i);
        progress(i + 1);
    }
    verify(static_cast<int>(contestants_.size()));
}

PhaseTime Measurement::summary(const Samples& mine) const {
    Samples slowest = mine;
    check(MPI_Allreduce(MPI_IN_PLACE, slowest.data(), static_cast<int>(slowest.size()), MPI_DOUBLE, MPI_MAX,
                        plan_->comm()),
          "measure the halo exchange");
    return {base::percentile(slowest, 0.1), base::percentile(slowest, 0.5),
            parallel::statistic(plan_->comm(), base::percentile(mine, 0.5))};
}

std::vector<MeasuredTransport> Measurement::results() const {
    std::vector<MeasuredTransport> results;
    for (const Contestant& one : contestants_) {
        MeasuredTransport result;
        result.name = one.name;
        result.used = one.transport->name();
        result.selects = one.transport->selects();
        result.verified = one.verified;
        result.pack = summary(one.pack);
        result.wait = summary(one.wait);
        result.unpack = summary(one.unpack);
        result.whole = summary(one.whole);
        const Traffic& traffic = one.transport->traffic();
        result.bytes = parallel::sum(plan_->comm(), traffic.bytes / traffic.exchanges);
        result.messages = parallel::sum(plan_->comm(), traffic.messages / traffic.exchanges);
        results.push_back(std::move(result));
    }
    return results;
}

PhaseTime Measurement::memcpy_time() const {
    return summary(copies_);
}

std::int64_t Measurement::largest_received_bytes() const {
    return parallel::max(plan_->comm(), static_cast<std::int64_t>(copy_bytes_));
}

std::vector<std::int64_t> received_bytes(const Plan& plan, std::size_t bytes_per_id,
                                         const Selection* selection) {
    std::vector<std::int64_t> bytes;
    for (const Link& link : plan.sources()) {
        std::int64_t sum = static_cast<std::int64_t>(link.count) * static_cast<std::int64_t>(bytes_per_id);
        if (selection != nullptr) {
            std::int64_t values = 0;
            for (const std::int32_t position : plan.unpack_position().subspan(link.first, link.count))
                values += selection->needed[position].count;
            sum = values * selection->rows * static_cast<std::int64_t>(selection->value_bytes);
        }
        bytes.push_back(sum);
    }
    return bytes;
}

std::vector<std::vector<std::int64_t>> byte_matrix(const Plan& plan,
                                                   const std::vector<std::int64_t>& received) {
    GS_ASSERT(received.size() == plan.sources().size());
    // Pairs of source and bytes, receiver after receiver.
    std::vector<std::int64_t> mine;
    for (std::size_t k = 0; k < received.size(); ++k) {
        mine.push_back(plan.sources()[k].rank);
        mine.push_back(received[k]);
    }
    const auto all = parallel::gather_rows<std::int64_t>(plan.comm(), mine);
    const std::size_t ranks = all.begin.empty() ? 0 : all.begin.size() - 1;
    std::vector<std::vector<std::int64_t>> matrix(ranks, std::vector<std::int64_t>(ranks, 0));
    for (std::size_t receiver = 0; receiver < ranks; ++receiver) {
        const auto pairs = all.of_rank(receiver);
        for (std::size_t i = 0; i < pairs.size(); i += 2) matrix[pairs[i]][receiver] = pairs[i + 1];
    }
    return matrix;
}

}  // namespace groundswell::halo
