#include <mpi.h>

#include "groundswell/cli/mpi/counted.hpp"

// MPI 3.1, chapter 13: files.

using namespace groundswell::cli::mpi;

extern "C" {

GS_COUNTED(File_open, (MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file),
           (comm, name, mode, info, file), 0)
GS_COUNTED(File_close, (MPI_File * file), (file), 0)
GS_COUNTED(File_delete, (const char* name, MPI_Info info), (name, info), 0)
GS_COUNTED(File_set_view,
           (MPI_File file, MPI_Offset place, MPI_Datatype unit, MPI_Datatype type, const char* form,
            MPI_Info info),
           (file, place, unit, type, form, info), 0)
GS_COUNTED(File_sync, (MPI_File file), (file), 0)
GS_COUNTED(File_read_all, (MPI_File file, void* buffer, int count, MPI_Datatype type, MPI_Status* status),
           (file, buffer, count, type, status), received(bytes_of(count, type)))
GS_COUNTED(File_read_at,
           (MPI_File file, MPI_Offset place, void* buffer, int count, MPI_Datatype type, MPI_Status* status),
           (file, place, buffer, count, type, status), received(bytes_of(count, type)))
GS_COUNTED(File_read_at_all,
           (MPI_File file, MPI_Offset place, void* buffer, int count, MPI_Datatype type, MPI_Status* status),
           (file, place, buffer, count, type, status), received(bytes_of(count, type)))
GS_COUNTED(File_write_all,
           (MPI_File file, const void* buffer, int count, MPI_Datatype type, MPI_Status* status),
           (file, buffer, count, type, status), bytes_of(count, type))
GS_COUNTED(File_write_at,
           (MPI_File file, MPI_Offset place, const void* buffer, int count, MPI_Datatype type,
            MPI_Status* status),
           (file, place, buffer, count, type, status), bytes_of(count, type))
GS_COUNTED(File_write_at_all,
           (MPI_File file, MPI_Offset place, const void* buffer, int count, MPI_Datatype type,
            MPI_Status* status),
           (file, place, buffer, count, type, status), bytes_of(count, type))

}  // extern "C"
