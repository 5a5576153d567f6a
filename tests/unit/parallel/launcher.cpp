#include "groundswell/parallel/machine/launcher.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

// Who started the ranks is told from the variables that he sets for them.
namespace groundswell::parallel {
namespace {

Variables given(std::map<std::string, std::string> variables) {
    return [variables](const char* name) {
        const auto found = variables.find(name);
        return found == variables.end() ? std::string() : found->second;
    };
}

const std::map<std::string, std::string> mpirun{
    {"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_MCA_orte_launch", "1"}, {"OMPI_UNIVERSE_SIZE", "4"}};
const std::map<std::string, std::string> srun{
    {"SLURM_JOB_ID", "4711"}, {"SLURM_STEP_ID", "0"}, {"SLURM_PROCID", "3"}, {"SLURM_NTASKS", "4"}};

TEST(Launcher, IsToldFromTheEnvironment) {
    const Library open_mpi{"Open MPI", "4.1.4", "3.1"}, mpich{"MPICH", "4.0.2", "4.0"},
        intel{"Intel(R) MPI", "2021.13", "3.1"};
    EXPECT_EQ(find_launcher(open_mpi, given({})).starter, Starter::none);
    EXPECT_EQ(find_launcher(open_mpi, given(mpirun)).starter, Starter::open_mpi);
    EXPECT_EQ(find_launcher(mpich, given({{"PMI_RANK", "0"}, {"MPI_LOCALNRANKS", "4"}})).starter,
              Starter::hydra);
    EXPECT_EQ(find_launcher(intel, given({{"PMI_RANK", "0"}, {"MPI_LOCALNRANKS", "4"}})).starter,
              Starter::intel);
    const Launcher step = find_launcher(mpich, given(srun));
    EXPECT_EQ(step.starter, Starter::slurm);
    EXPECT_EQ(step.batch, "Slurm job 4711");
    auto inside = srun;  // mpirun's own daemons were started by srun, and hand its variables down
    inside.insert(mpirun.begin(), mpirun.end());
    EXPECT_EQ(find_launcher(open_mpi, given(inside)).starter, Starter::open_mpi);
    // A shell of a batch job has no step.
    EXPECT_EQ(find_launcher(open_mpi, given({{"SLURM_JOB_ID", "4711"}})).starter, Starter::none);
}

TEST(Launcher, IsToldWhatToDoInItsOwnWords) {
    const Launcher by_mpirun{Starter::open_mpi, "Open MPI", "4.1.4"},
        by_srun{Starter::slurm, "Open MPI", "5.0.3"}, hydra{Starter::hydra, "MPICH", "4.0.2"},
        intel{Starter::intel, "Intel(R) MPI", "2021"};
    EXPECT_EQ(bind_option(by_mpirun, 2), "mpirun --map-by slot:PE=2 --bind-to core");
    EXPECT_EQ(bind_option(by_srun, 2), "srun --cpus-per-task=2 --cpu-bind=cores");
    EXPECT_EQ(bind_option(hydra, 2), "mpiexec -bind-to core:2");
    EXPECT_EQ(bind_option(intel, 2), "mpirun -genv I_MPI_PIN_DOMAIN=2");
    EXPECT_EQ(romio_option(by_mpirun), "mpirun --mca io romio321");
    EXPECT_EQ(romio_option(by_srun), "export OMPI_MCA_io=romio341");
    EXPECT_EQ(yield_option(hydra), "") << "it cannot";
    EXPECT_EQ(yield_option(intel), "export I_MPI_THREAD_YIELD=3");
    EXPECT_EQ(connect_option(hydra), "");
}

TEST(Launcher, KnowsWhoSpins) {
    const Launcher open_mpi{Starter::open_mpi, "Open MPI"}, intel{Starter::intel, "Intel(R) MPI"},
        mpich{Starter::hydra, "MPICH"};
    EXPECT_TRUE(spins_while_waiting(open_mpi, given({})));
    EXPECT_TRUE(spins_while_waiting(open_mpi, given({{"OMPI_MCA_mpi_yield_when_idle", "0"}})));
    EXPECT_FALSE(spins_while_waiting(open_mpi, given({{"OMPI_MCA_mpi_yield_when_idle", "1"}})));
    EXPECT_FALSE(spins_while_waiting(open_mpi, given({{"OMPI_MCA_mpi_oversubscribe", "1"}})));
    EXPECT_TRUE(spins_while_waiting(
        open_mpi, given({{"OMPI_MCA_mpi_yield_when_idle", "0"}, {"OMPI_MCA_mpi_oversubscribe", "1"}})));
    EXPECT_TRUE(spins_while_waiting(intel, given({})));
    EXPECT_FALSE(spins_while_waiting(intel, given({{"I_MPI_THREAD_YIELD", "3"}})));
    EXPECT_TRUE(spins_while_waiting(mpich, given({})));
}

TEST(MpiSettings, DeviceAndComponentsAreRead) {
    EXPECT_EQ(mpich_device("MPICH Version:\t4.0.2\nMPICH Device:\tch4:ucx\nMPICH configure: x"), "ch4:ucx");
    EXPECT_EQ(mpich_device("Open MPI v4.1.4"), "");
    EXPECT_EQ(open_mpi_components(
                  "7f r-xp 00 /usr/lib/openmpi3/mca_pml_ob1.so\n7f r--p 0 /usr/lib/openmpi3/mca_pml_ob1.so\n"
                  "7f r-xp 00 /usr/lib/openmpi3/mca_btl_vader.so\n7f /usr/lib/openmpi3/mca_btl_self.so\n"),
              "pml ob1, btl self, vader");
    EXPECT_EQ(open_mpi_components(""), "");
}

}  // namespace
}  // namespace groundswell::parallel
