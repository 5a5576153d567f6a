#include "groundswell/halo/device/device_messages.hpp"

#include <algorithm>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/profile.hpp"

namespace groundswell::halo {

using parallel::check;

namespace {

// Messages that go through the host are copied on so many streams in turn: one is sent while the next is copied.
constexpr std::size_t most_copies = 4;
constexpr int lanes_of_an_id = 128;
constexpr int message_tag = 0, grant_tag = 1;

std::int32_t in_words(std::size_t bytes) {
    GS_ASSERT(bytes % sizeof(Word) == 0);
    return static_cast<std::int32_t>(bytes / sizeof(Word));
}

// At least one, as nobody shares an array of nothing.
std::size_t words_of(std::size_t bytes) {
    return std::max<std::size_t>(bytes / sizeof(Word), 1);
}

// All ids of one direction, one after the other.
std::vector<MessageRows> rows_of(std::span<const std::int32_t> index, const SelectedRows* selected,
                                 const std::vector<RowRuns>* runs, std::size_t bytes) {
    std::vector<MessageRows> all;
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < index.size(); ++i) {
        MessageRows& one = all.emplace_back(MessageRows{begin, index[i]});
        if (selected == nullptr) {
            one.first_words = in_words(bytes);
        } else {
            const RowRuns& run = (*runs)[i];
            one.first = in_words(static_cast<std::size_t>(run.first));
            one.first_words = in_words(static_cast<std::size_t>(run.first_bytes));
            one.second_words = in_words(static_cast<std::size_t>(run.second_bytes));
        }
        begin += std::int64_t{one.first_words + one.second_words} *
                 (selected == nullptr ? 1 : static_cast<std::int64_t>(selected->rows));
    }
    return all;
}

}  // namespace

DeviceMessages::DeviceMessages(const Wanted& wanted, const ExchangeOptions& options)
    : Transport(wanted.plan, wanted.channels, Messages::elsewhere),
      device_(*wanted.device->device),
      of_field_(wanted.device->stream),
      own_(device_.make_stream()),
      comm_(parallel::Communicator::duplicate(plan().comm())),
      stride_(in_words(channels()[0].stride)),
      rows_(selected(0) == nullptr ? 1 : static_cast<std::int32_t>(selected(0)->rows)),
      row_words_(selected(0) == nullptr ? 0 : in_words(selected(0)->row_bytes)),
      rows_sent_(rows_of(plan().pack_index(), selected(0), selected(0) ? &selected(0)->sent : nullptr,
                         channels()[0].bytes)),
      rows_received_(rows_of(plan().unpack_index(), selected(0),
                             selected(0) ? &selected(0)->received : nullptr, channels()[0].bytes)),
      reach_sent_(reach_of(rows_sent_)),
      reach_received_(reach_of(rows_received_)),
      sent_(device_, "ids sent", own_, rows_sent_),
      received_(device_, "ids received", own_, rows_received_),
      to_send_(device_, "messages sent", words_of(send_displacement(plan().destinations().size()))),
      to_receive_(device_, "messages received", words_of(receive_displacement(plan().sources().size()))),
      receives_(plan().sources().size(), MPI_REQUEST_NULL),
      sends_(plan().destinations().size(), MPI_REQUEST_NULL),
      grants_given_(receives_),
      grants_(sends_),
      gone_(sends_.size(), true) {
    GS_ASSERT(channels().size() == 1 && !adds());
    for (std::size_t i = 0; i < std::min(most_copies, sends_.size()); ++i)
        copies_.push_back(device_.make_stream());
    device_.synchronise(own_);
    rows_sent_ = {};
    rows_received_ = {};
    std::vector<std::size_t> offsets;
    for (std::size_t k = 0; k < receives_.size(); ++k) offsets.push_back(receive_displacement(k));
    Ways ways =
        find_ways(plan(), device_, reinterpret_cast<std::byte*>(to_receive_.span().data()), offsets, options);
    sources_ = std::move(ways.sources);
    destinations_ = std::move(ways.destinations);
    name_ = std::move(ways.name);
    const auto is_staged = [](const Way& way) { return way.route == Route::staged; };
    if (std::ranges::any_of(destinations_, is_staged))
        sent_here_.emplace(device_, to_send_.span().size_bytes());
    if (std::ranges::any_of(sources_, is_staged))
        received_here_.emplace(device_, to_receive_.span().size_bytes());
}

DeviceMessages::~DeviceMessages() {
    device_.synchronise(own_);
    for (const Way& way : destinations_)
        if (way.opened != nullptr) device_.release(way.opened);
}

TravellingIds DeviceMessages::ids(const exec::DeviceArray<MessageRows>& of) const {
    return {of.span(), stride_, rows_, row_words_};
}
std::byte* DeviceMessages::sent_there(std::size_t k) {
    return reinterpret_cast<std::byte*>(to_send_.span().data()) + send_displacement(k);
}
std::byte* DeviceMessages::received_there(std::size_t k) {
    return reinterpret_cast<std::byte*>(to_receive_.span().data()) + receive_displacement(k);
}

template <class Kernel>
void DeviceMessages::launch(const char* name, const void* entry, const exec::DeviceArray<MessageRows>& of,
                            Kernel kernel, exec::ArrayPart of_field) {
    const auto ids = static_cast<int>(of.span().size());
    if (ids == 0) return;
    device_.launch(own_, {name, ids, std::min(lanes_of_an_id, device_.limits().lanes), 0},
                   {exec::run_block<Kernel>, entry}, exec::Arguments::of(kernel, {of_field}));
}

DeviceMessages::Reach DeviceMessages::reach_of(std::span<const MessageRows> rows) const {
    if (rows.empty()) return {};
    const auto [first, last] = std::ranges::minmax(rows, {}, &MessageRows::id);
    return {first.id * stride_, (last.id + 1) * stride_};
}

template <class AnyWord>
exec::ArrayPart DeviceMessages::part_of(std::span<AnyWord> field, const Reach& reach) {
    return exec::part_of(field.subspan(static_cast<std::size_t>(reach.begin),
                                       static_cast<std::size_t>(reach.end - reach.begin)));
}

// What was received before has been taken apart when the own stream is done: so room for the next is granted.
void DeviceMessages::begin() {
    if (is_alone()) return;
    const double before = parallel::now();
    device_.synchronise(own_);
    for (std::size_t k = 0; k < sources_.size(); ++k) {
        const int rank = plan().sources()[k].rank;
        const bool by_memory = sources_[k].route == Route::memory;
        void* const to = by_memory                         ? nullptr
                         : sources_[k].route == Route::mpi ? device_.reach(received_there(k)).address
                                                           : received_here_->data() + receive_displacement(k);
        check(MPI_Irecv(to, by_memory ? 0 : receive_bytes(k), MPI_BYTE, rank, message_tag, comm_.get(),
                        &receives_[k]),
              "receive a halo");
        if (by_memory)
            check(MPI_Isend(nullptr, 0, MPI_BYTE, rank, grant_tag, comm_.get(), &grants_given_[k]),
                  "grant room for a halo");
    }
    for (std::size_t k = 0; k < destinations_.size(); ++k)
        if (destinations_[k].route == Route::memory)
            check(MPI_Irecv(nullptr, 0, MPI_BYTE, plan().destinations()[k].rank, grant_tag, comm_.get(),
                            &grants_[k]),
                  "hear of room for a halo");
    clock_.wait += parallel::now() - before;
    const double packing = parallel::now();
    device_.wait(own_, device_.record(of_field_));
    const std::span<const Word> field{reinterpret_cast<const Word*>(bases()[0]),
                                      static_cast<std::size_t>(stride_ * plan().ids())};
    launch("gather", gather_rows_cuda_entry(), sent_, GatherRows{field, to_send_.span(), ids(sent_)},
           part_of(field, reach_sent_));
    // What is asked of the field's stream next may write other ids of the same array.
    device_.wait(of_field_, device_.record(own_));
    if (sent_here_) {
        const exec::Event packed = device_.record(own_);
        for (const exec::Stream stream : copies_) device_.wait(stream, packed);
        for (std::size_t k = 0; k < destinations_.size(); ++k)
            if (destinations_[k].route == Route::staged)
                device_.copy_out(copies_[k % copies_.size()], sent_here_->data() + send_displacement(k),
                                 sent_there(k), static_cast<std::size_t>(send_bytes(k)));
    }
    std::fill(gone_.begin(), gone_.end(), false);
    sent_off_ = destinations_.empty();
    clock_.pack += parallel::now() - packing;
}

void DeviceMessages::send_through_host() {
    for (std::size_t k = 0; k < destinations_.size(); ++k) {
        if (destinations_[k].route != Route::staged) continue;
        device_.synchronise(copies_[k % copies_.size()]);
        check(MPI_Isend(sent_here_->data() + send_displacement(k), send_bytes(k), MPI_BYTE,
                        plan().destinations()[k].rank, message_tag, comm_.get(), &sends_[k]),
              "send a halo");
        gone_[k] = true;
    }
}

// By memory, where there is room; `all`: waits for that.
void DeviceMessages::send_granted(bool all) {
    std::vector<std::size_t> now;
    for (std::size_t k = 0; k < destinations_.size(); ++k) {
        if (gone_[k] || destinations_[k].route != Route::memory) continue;
        int granted = 1;
        if (all)
            check(MPI_Wait(&grants_[k], MPI_STATUS_IGNORE), "wait for room for a halo");
        else
            check(MPI_Test(&grants_[k], &granted, MPI_STATUS_IGNORE), "ask for room for a halo");
        if (granted == 0) continue;
        device_.copy_within(own_, destinations_[k].there, sent_there(k),
                            static_cast<std::size_t>(send_bytes(k)));
        now.push_back(k);
    }
    if (now.empty()) return;
    device_.synchronise(own_);
    for (const std::size_t k : now) {
        check(MPI_Isend(nullptr, 0, MPI_BYTE, plan().destinations()[k].rank, message_tag, comm_.get(),
                        &sends_[k]),
              "tell of a halo");
        gone_[k] = true;
    }
}

void DeviceMessages::send() {
    if (sent_off_) return;
    const double before = parallel::now();
    sent_off_ = true;
    send_granted(false);
    send_through_host();
    bool packed = false;
    for (std::size_t k = 0; k < destinations_.size(); ++k) {
        if (destinations_[k].route != Route::mpi) continue;
        if (!std::exchange(packed, true)) device_.synchronise(own_);
        check(MPI_Isend(device_.reach(sent_there(k)).address, send_bytes(k), MPI_BYTE,
                        plan().destinations()[k].rank, message_tag, comm_.get(), &sends_[k]),
              "send a halo");
        gone_[k] = true;
    }
    clock_.wait += parallel::now() - before;
}

// The device is for one thread alone, so what waits for a grant waits for finish().
bool DeviceMessages::progress() {
    int received = 0, sent = 0;
    check(MPI_Testall(static_cast<int>(receives_.size()), receives_.data(), &received, MPI_STATUSES_IGNORE),
          "test the messages of a halo");
    check(MPI_Testall(static_cast<int>(sends_.size()), sends_.data(), &sent, MPI_STATUSES_IGNORE),
          "test the messages of a halo");
    return received != 0 && sent != 0 &&
           std::all_of(gone_.begin(), gone_.end(), [](bool gone) { return gone; });
}

void DeviceMessages::end() {
    if (is_alone()) return;
    send();
    const double before = parallel::now();
    send_granted(true);
    check(MPI_Waitall(static_cast<int>(receives_.size()), receives_.data(), MPI_STATUSES_IGNORE),
          "wait for a halo");
    clock_.wait += parallel::now() - before;
    const double unpacking = parallel::now();
    for (std::size_t k = 0; k < sources_.size(); ++k)
        if (sources_[k].route == Route::staged)
            device_.copy_in(own_, received_there(k), received_here_->data() + receive_displacement(k),
                            static_cast<std::size_t>(receive_bytes(k)));
    device_.wait(own_, device_.record(of_field_));
    const std::span<Word> field{reinterpret_cast<Word*>(bases()[0]),
                                static_cast<std::size_t>(stride_ * plan().ids())};
    launch("scatter", scatter_rows_cuda_entry(), received_,
           ScatterRows{field, to_receive_.span(), ids(received_)}, part_of(field, reach_received_));
    device_.wait(of_field_, device_.record(own_));
    clock_.unpack += parallel::now() - unpacking;
    const double sending = parallel::now();
    for (std::vector<MPI_Request>* const requests : {&sends_, &grants_given_})
        check(MPI_Waitall(static_cast<int>(requests->size()), requests->data(), MPI_STATUSES_IGNORE),
              "wait for the sends of a halo");
    clock_.wait += parallel::now() - sending;
}

}  // namespace groundswell::halo
