#include "groundswell/sea/propagation/flow/current_turning.hpp"

#include <algorithm>

#include "groundswell/sea/propagation/flow/rows.hpp"
#include "groundswell/sea/propagation/flow_formulas.hpp"

namespace groundswell::sea {

namespace {

// Several rows side by side: a load across values that have just been stored waits for them, and other rows fill that time.
void turn_rows(Real* rows, int number, int n, const Real* courant, int parts, TurningWork& work) {
    using lanes::Lane, lanes::load, lanes::store;
    const auto of_row = [&work](exec::Array<Real>& array, int i) {
        return array.data() + i * work.stride + lanes::table_width;
    };
    const Real share = Real(1) / static_cast<Real>(parts);
    for (int i = 0; i < number; ++i) rows::copy(of_row(work.row, i), rows + i * n, n);
    for (int part = 0; part < parts; ++part) {
        for (int i = 0; i < number; ++i) {
            // Two more on either side are those of the other end of the circle.
            Real* const v = of_row(work.row, i);
            v[-2] = v[n - 2];
            v[-1] = v[n - 1];
            v[n] = v[0];
            v[n + 1] = v[1];
        }
        for (int i = 0; i < number; ++i) {
            const Real* const v = of_row(work.row, i);
            Real* const slope = of_row(work.slope, i);
            for (int j = -1; j < n + 1; j += lanes::width) {
                const Lane here = load(v + j);
                store(slope + j, flow_formulas::limited(here - load(v + j - 1), load(v + j + 1) - here));
            }
        }
        for (int i = 0; i < number; ++i) {
            const Real *const v = of_row(work.row, i), *const slope = of_row(work.slope, i);
            Real* const flux = of_row(work.flux, i);
            for (int j = 0; j < n; j += lanes::width) {
                const Lane c = share * load(courant + j);
                store(flux + j, flow_formulas::turning_flux(c, load(v + j), load(slope + j), load(v + j + 1),
                                                            load(slope + j + 1)));
            }
            flux[-1] = flux[n - 1];
        }
        for (int i = 0; i < number; ++i) {
            Real* const v = of_row(work.row, i);
            const Real* const flux = of_row(work.flux, i);
            for (int j = 0; j < n; j += lanes::width)
                store(v + j, load(v + j) - (load(flux + j) - load(flux + j - 1)));
        }
    }
    for (int i = 0; i < number; ++i) rows::copy(rows + i * n, of_row(work.row, i), n);
}

}  // namespace

void turn_by_current(Real* rows, int number, int directions, const Real* courant, TurningWork& work) {
    Real largest = 0;
    for (int j = 0; j < directions; ++j)
        largest = std::max(largest, flow_formulas::turning_out(courant, j, directions));
    const int parts = flow_formulas::parts_of(largest, flow_formulas::most_turning);
    for (int i = 0; i < number; i += TurningWork::rows)
        turn_rows(rows + i * directions, std::min(TurningWork::rows, number - i), directions, courant, parts,
                  work);
}

}  // namespace groundswell::sea
