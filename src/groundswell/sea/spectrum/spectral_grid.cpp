#include "groundswell/sea/spectrum/spectral_grid.hpp"

#include <cmath>

#include "groundswell/base/constants.hpp"
#include "groundswell/base/errors.hpp"

namespace groundswell::sea {

SpectralGrid::SpectralGrid(int frequency_count, int direction_count, double first, double frequency_ratio)
    : frequencies(frequency_count),
      directions(direction_count),
      first_frequency(first),
      ratio(frequency_ratio) {
    GS_ASSERT(frequencies >= 3 && directions >= 4 && first_frequency > 0.0 && ratio > 1.0);
    for (int i = 0; i < frequencies; ++i) {
        frequency.push_back(first_frequency * std::pow(ratio, i));
        sigma.push_back(base::two_pi * frequency.back());
    }
    for (int i = 0; i < frequencies; ++i) {
        const double below = i > 0 ? frequency[i - 1] : frequency[i];
        const double above = i + 1 < frequencies ? frequency[i + 1] : frequency[i];
        frequency_width.push_back(0.5 * (above - below));
    }
    direction_width = base::two_pi / directions;
    for (int j = 0; j < directions; ++j) {
        direction.push_back(j * direction_width);
        cosine.push_back(std::cos(direction.back()));
        sine.push_back(std::sin(direction.back()));
    }
}

}  // namespace groundswell::sea
