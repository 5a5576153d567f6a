#include "groundswell/base/percentile.hpp"

#include <gtest/gtest.h>

namespace {

using groundswell::base::percentile;

TEST(Percentile, IsOneOfTheValuesWhateverTheirOrder) {
    const std::vector<double> values{7.0, 1.0, 5.0, 3.0, 9.0};
    EXPECT_EQ(percentile(values, 0.0), 1.0);
    EXPECT_EQ(percentile(values, 0.5), 5.0);
    EXPECT_EQ(percentile(values, 0.8), 7.0);  // the nearest by rank
    EXPECT_EQ(percentile(values, 1.0), 9.0);
    EXPECT_EQ(percentile({4.0}, 0.3), 4.0);
}

}  // namespace
