#include "groundswell/parallel/machine/memory_place.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "groundswell/exec/launch.hpp"

namespace groundswell::parallel {

std::vector<int> domains_of_pages(const void* begin, std::size_t bytes) {
    if (bytes == 0) return {};
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const std::uintptr_t from = reinterpret_cast<std::uintptr_t>(begin) / page * page;
    const std::uintptr_t to = reinterpret_cast<std::uintptr_t>(begin) + bytes;
    std::vector<std::uintptr_t> pages;  // addresses, as the kernel takes them
    for (std::uintptr_t at = from; at < to; at += page) pages.push_back(at);
    std::vector<int> domains(pages.size(), -1);
    // Without a list of targets nothing is moved, and each page's domain (or an error, negative) is told.
    if (::syscall(SYS_move_pages, 0, pages.size(), pages.data(), nullptr, domains.data(), 0) != 0)
        std::ranges::fill(domains, -1);
    for (int& domain : domains) domain = std::max(domain, -1);
    return domains;
}

int domain_of_this_thread() {
    unsigned cpu = 0, domain = 0;
    return ::syscall(SYS_getcpu, &cpu, &domain, nullptr) == 0 ? static_cast<int>(domain) : -1;
}

TouchedPages touch_pages() {
    constexpr std::size_t pages_each = 16;
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const auto threads = static_cast<std::size_t>(exec::threads());
    const std::size_t share = pages_each * page, bytes = threads * share;
    // Straight from the system, so that nobody has written to it before.
    void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return {};
    std::vector<TouchedPages> found(threads);
    exec::for_each_cell(0, exec::threads(), [&](std::int32_t thread) {
        char* const mine = static_cast<char*>(memory) + static_cast<std::size_t>(thread) * share;
        for (std::size_t at = 0; at < share; at += page) mine[at] = 1;
        const int here = domain_of_this_thread();
        for (const int domain : domains_of_pages(mine, share)) {
            if (domain < 0 || here < 0) continue;
            ++found[thread].all;
            if (domain != here) ++found[thread].elsewhere;
        }
    });
    ::munmap(memory, bytes);
    TouchedPages sum;
    for (const TouchedPages& each : found) {
        sum.all += each.all;
        sum.elsewhere += each.elsewhere;
    }
    return sum;
}

}  // namespace groundswell::parallel
