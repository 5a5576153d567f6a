#include <algorithm>

#include "groundswell/exec/launch.hpp"
#include "groundswell/sea/clusters/work.hpp"

namespace groundswell::sea {
namespace {

class WorkOnProcessors final : public ClusterWork {
public:
    WorkOnProcessors(Propagator& propagator, std::size_t stride, Real* first, Real* second, Real* profiles,
                     std::int32_t first_image, std::span<const std::int32_t> image_in_slower)
        : propagator_(propagator),
          stride_(stride),
          state_{first, second},
          profiles_(profiles),
          first_image_(first_image),
          image_in_slower_(image_in_slower) {}

    void set_images(const ClusterBorder& border, Seen as, int from, int to, std::int32_t begin,
                    std::int32_t end) override {
        exec::for_each_cell(begin, end, [&](std::int32_t i) {
            const std::int32_t source = border.source[i], image = border.first + i;
            const Real* const n = cell(from, source);
            Real* const seen = cell(to, image);
            if (as == Seen::at_half_time)
                propagator_.action_of_invariant(source, profile(image), seen);
            else if (as == Seen::as_it_is)
                std::copy_n(n, stride_, seen);
            else if (as == Seen::half)
                std::transform(n, n + stride_, seen, [](Real now) { return Real(0.5) * now; });
            else
                std::transform(n, n + stride_, seen, seen,
                               [](Real now, Real sum) { return sum + Real(0.5) * now; });
        });
    }
    void set_profiles(const ClusterBorder& border, std::int32_t begin, std::int32_t end, int from,
                      double step) override {
        propagator_.set_profiles(std::span(border.source).subspan(begin, end - begin), border.first + begin,
                                 state_[from], step);
    }
    void propagate(mesh::CellRange cells, int from, double step, bool add_profiles) override {
        if (!image_in_slower_.empty()) propagator_.keep_half_profiles(image_in_slower_, add_profiles);
        propagator_.propagate_cells(cells.begin, cells.end, state_[1 - from], state_[from], step);
    }
    void copy(mesh::CellRange cells, int from) override {
        exec::for_each_cell(cells.begin, cells.end,
                            [&](std::int32_t c) { std::copy_n(cell(from, c), stride_, cell(1 - from, c)); });
    }

private:
    Real* cell(int copy, std::int32_t cell) const {
        return state_[copy] + static_cast<std::size_t>(cell) * stride_;
    }
    const Real* profile(std::int32_t image) const {
        return profiles_ + static_cast<std::size_t>(image - first_image_) * 3 * stride_;
    }

    Propagator& propagator_;
    const std::size_t stride_;
    Real* const state_[2];
    Real* const profiles_;
    const std::int32_t first_image_;
    const std::span<const std::int32_t> image_in_slower_;
};

}  // namespace

std::unique_ptr<ClusterWork> make_work_on_processors(Propagator& propagator, std::size_t stride, Real* first,
                                                     Real* second, Real* profiles, std::int32_t first_image,
                                                     std::span<const std::int32_t> image_in_slower) {
    return std::make_unique<WorkOnProcessors>(propagator, stride, first, second, profiles, first_image,
                                              image_in_slower);
}

}  // namespace groundswell::sea
