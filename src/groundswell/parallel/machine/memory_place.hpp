#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// In which NUMA domain memory lies. Linux gives a page to the domain of the thread that first writes to it.
namespace groundswell::parallel {

/// The number, as the system counts them, of the domain of each page that these bytes touch; -1 for one that nobody has
/// written to yet, and for all where the system does not say (move_pages(2)).
std::vector<int> domains_of_pages(const void* begin, std::size_t bytes);

/// The number of the domain on whose CPU the calling thread runs; -1 where the system does not say.
int domain_of_this_thread();

/// Pages that threads wrote to first, and how many of them lie in another domain than their thread's.
struct TouchedPages {
    std::int64_t all = 0, elsewhere = 0;
};

/// Lets each of exec::threads() write to pages of its own, as arrays of cells are made, and looks where they lie.
TouchedPages touch_pages();

}  // namespace groundswell::parallel
