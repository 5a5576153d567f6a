#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

namespace groundswell::halo {

/// An exchange in which a rank may have to do something for its neighbours while it waits in another one.
class Served {
public:
    virtual ~Served() = default;
    /// Does what can be done now, unless another thread is at it.
    virtual void serve() = 0;
};

/// The exchanges of this process that are under way: whoever waits in one of them serves the others. Safe for
/// several threads.
class UnderWay {
public:
    static UnderWay& of_process();

    /// Makes room for one more, so that begin() allocates nothing.
    void join();
    /// Removes an exchange that joined and is under way no longer.
    void leave(Served* exchange);

    void begin(Served* exchange);
    void end(Served* exchange);
    /// All but this one. At once, where another thread is at it.
    void serve_others(const Served* exchange);

private:
    std::mutex mutex_;  // held by whoever serves one, so that none ends meanwhile
    std::size_t joined_ = 0;
    std::vector<Served*> exchanges_;
};

}  // namespace groundswell::halo
