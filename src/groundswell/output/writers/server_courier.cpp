#include "groundswell/base/errors.hpp"
#include "groundswell/output/servers.hpp"
#include "groundswell/output/writers/courier.hpp"
#include "groundswell/output/writers/nap.hpp"
#include "groundswell/output/writers/server_link.hpp"
#include "groundswell/parallel/profile.hpp"

// Mode "servers", on a rank that computes.
namespace groundswell::output {

namespace {

using Links = std::vector<std::shared_ptr<ServerLink>>;

/// Polls until `done(link)` holds for each.
template <class F>
void wait_for(const Links& links, double silence, F&& done) {
    const double begin = parallel::now();
    SilenceWarning warning(silence);
    Nap nap(1e-3);
    while (true) {
        const ServerLink* awaited = nullptr;
        bool moved = false;
        for (const auto& link : links) {
            moved = link->poll() || moved;
            if (!done(*link)) awaited = link.get();
        }
        if (awaited == nullptr) return;
        if (moved) {
            nap.reset();
            warning.reset();
            continue;
        }
        if (awaited->speaks())
            warning.check(parallel::now() - std::max(begin, awaited->last_sign()), awaited->server_name(),
                          awaited->doing());
        nap.sleep();
    }
}

void wait_until_all_is_done(const Links& links, double silence) {
    wait_for(links, silence, [](const ServerLink& link) { return link.outstanding() == 0; });
}

/// The first server gets the values, the others learn of the job. `room`: bytes of memory that may be kept.
void send(const Links& links, const Job& job, const std::string& description, std::int64_t room) {
    std::vector<std::byte> memory = links.front()->memory().take(message_bytes(job), room);
    links.front()->send(to_message(job, std::move(memory)), job.value_bytes(), description);
    for (std::size_t i = 1; i < links.size(); ++i)
        links[i]->send(to_message(job.without_values()), 0, description);
}

class ServerCourier final : public Courier {
public:
    ServerCourier(Links links, const CourierLimits& limits) : Courier(limits), links_(std::move(links)) {}

    void deliver(Job job, const std::string& description) override {
        for (const auto& link : links_) link->poll();
        const std::int64_t bytes = job.value_bytes();
        if (!has_room_for(bytes, bytes_held())) {
            ++waits_;
            const double begin = parallel::now();
            wait_for(links_, limits_.silence,
                     [&](const ServerLink&) { return has_room_for(bytes, bytes_held()); });
            waited_seconds_ += parallel::now() - begin;
        }
        send(links_, job, description, limits_.buffer_bytes - bytes_held() - bytes);
        note_held(bytes_held());
    }

    WriterState state() override {
        for (const auto& link : links_) link->poll();
        return links_.front()->state();
    }

    void settle() override { wait_until_all_is_done(links_, limits_.silence); }

    std::int64_t bytes_held() const override { return links_.front()->bytes_held(); }

private:
    Links links_;
};

}  // namespace

std::unique_ptr<Courier> make_server_courier(const Roles& roles, const CourierLimits& limits) {
    GS_ASSERT(!roles.serves && !roles.links.empty());
    return std::make_unique<ServerCourier>(roles.links, limits);
}

void release_servers(const Roles& roles) {
    if (roles.links.empty()) return;
    send(roles.links, {.kind = JobKind::leave}, "closing all files", 0);
    wait_until_all_is_done(roles.links, CourierLimits{}.silence);
}

}  // namespace groundswell::output
