// A process that is told to end removes the files that it has not filled yet, and no other, whatever its threads do meanwhile.
#include "groundswell/output/disk/growing_name.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "support/output_dataset.hpp"

namespace {

namespace fs = std::filesystem;
using namespace groundswell;
using namespace std::chrono_literals;

/// Does something in a process of its own, which then removes what grows, and ends a little later.
void end_after(const std::function<void()>& body) {
    const pid_t child = ::fork();
    if (child == 0) {
        body();
        output::remove_growing_files();
        std::this_thread::sleep_for(5ms);
        ::_exit(0);
    }
    int status = 1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

void fill(const std::string& path) {
    std::ofstream(path) << "values";
}

TEST(OutputGrowingName, WhatIsNotWholeIsRemovedAndNothingElse) {
    const dataset::Folder folder;
    end_after([&] {
        const output::GrowingName first(folder / "a.part"), second(folder / "b.part");
        {
            const output::GrowingName third(folder / "c.part");
            for (const char* name : {"a.part", "b.part", "c.part", "c"}) fill(folder / name);
        }
        output::remove_growing_files();
        ::_exit(0);
    });
    EXPECT_FALSE(fs::exists(folder / "a.part"));
    EXPECT_FALSE(fs::exists(folder / "b.part"));
    EXPECT_TRUE(fs::exists(folder / "c.part"));
    EXPECT_TRUE(fs::exists(folder / "c"));
}

TEST(OutputGrowingName, AThreadThatMakesTheFileMeanwhileMakesItNoMore) {
    const dataset::Folder folder;
    for (int i = 0; i < 50; ++i) {
        end_after([&] {
            auto* const growing = new output::GrowingName(folder / "a.part");
            std::thread([&folder, growing] {
                growing->fill_here();
                while (true) fill(folder / "a.part");
            }).detach();
            while (!fs::exists(folder / "a.part")) std::this_thread::yield();
        });
        EXPECT_FALSE(fs::exists(folder / "a.part"));
    }
}

TEST(OutputGrowingName, WhatWasFilledMeanwhileKeepsItsName) {
    const dataset::Folder folder;
    end_after([&] {
        std::thread([&folder] {
            for (int i = 0; i < 1000; ++i) {
                const output::GrowingName growing(folder / "a.part");
                fill(folder / "a.part");
                fs::rename(folder / "a.part", folder / std::to_string(i));
            }
        }).detach();
        while (!fs::exists(folder / "3")) std::this_thread::yield();
    });
    EXPECT_FALSE(fs::exists(folder / "a.part"));
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(fs::exists(folder / std::to_string(i)));
}

}  // namespace
