!> Files that many ranks write together: groundswell/c/output.h for Fortran, where the meaning of each call stands.
!> Every procedure takes an optional `status` as its last argument (module groundswell_errors); without it an error
!> ends the program with a message. Communicators are the integers of `use mpi`, or %mpi_val of `use mpi_f08`.
!>
!> As Fortran has it: dimensions are given fastest first, so that the record dimension comes last; rows are numbered
!> from 1; the last dimension of an array runs over rows.
module groundswell_output
    use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
    use groundswell_c, c_unlimited => gs_unlimited
    use groundswell_arrays, only: gs_array
    use groundswell_errors, only: c_text, gs_reject, gs_settle
    implicit none
    private

    public :: gs_int32, gs_int64, gs_float32, gs_float64, gs_unlimited
    public :: gs_servers, gs_servers_split, gs_servers_release
    public :: gs_rows, gs_rows_create, gs_rows_destroy
    public :: gs_schema, gs_schema_create, gs_schema_destroy
    public :: gs_schema_dimension, gs_schema_variable, gs_schema_distributed, gs_schema_text, gs_schema_numbers
    public :: handle_of
    public :: gs_output, gs_output_create, gs_output_settle, gs_output_finish, gs_output_cost, gs_output_cost_get
    public :: gs_file, gs_file_create, gs_file_reopen, gs_file_write, gs_file_put, gs_file_end_record
    public :: gs_file_end_records, gs_file_close

    !> Length of the record dimension.
    integer(int64), parameter :: gs_unlimited = -1

    !> Ranks that were set apart to write.
    type :: gs_servers
        private
        type(c_ptr) :: handle = c_null_ptr
    end type

    !> Rows of a distributed dimension that each rank owns.
    type :: gs_rows
        private
        type(c_ptr) :: handle = c_null_ptr
    end type

    !> Contents of a file: dimensions, variables, attributes.
    type :: gs_schema
        private
        type(c_ptr) :: handle = c_null_ptr
    end type

    !> The output of a run.
    type :: gs_output
        private
        type(c_ptr) :: handle = c_null_ptr
    end type

    !> An open file.
    type :: gs_file
        private
        type(c_ptr) :: handle = c_null_ptr
    end type

    !> call gs_rows_create(rows, comm, global_count, owned [, status]): this rank has the values of the rows `owned`
    !> (int32 or int64, from 1 to global_count, any order, each owned by one rank), in that order. Collective.
    interface gs_rows_create
        procedure create_rows_int32, create_rows_int64
    end interface

    !> call gs_schema_numbers(schema, variable, name, values [, status]): an attribute, of the file where `variable`
    !> is empty. A scalar or an array of int32, int64, real32 or real64; a _FillValue has the type of its variable.
    interface gs_schema_numbers
        procedure numbers_int32, numbers_int64, numbers_real32, numbers_real64
    end interface

contains

    !> Sets ranks of `world` apart as output servers: a number of them ('2') or a share ('10%'); '0' gives none.
    !> On ranks that compute, `compute` is their communicator. A server returns when all is done, with
    !> `is_server` true and nothing left to do but to end MPI. Collective.
    subroutine gs_servers_split(servers, world, wanted, compute, is_server, status)
        type(gs_servers), intent(out) :: servers
        integer, intent(in) :: world
        character(*), intent(in) :: wanted
        integer, intent(out) :: compute
        logical, intent(out) :: is_server
        integer, intent(out), optional :: status
        integer(c_int) :: answer, apart
        answer = c_servers_split(int(world, c_int), c_text(wanted), servers%handle, apart)
        compute = int(apart)
        is_server = answer == 0 .and. .not. c_associated(servers%handle)
        call gs_settle(answer, status)
    end subroutine

    !> After gs_output_finish. Collective over the ranks that compute.
    subroutine gs_servers_release(servers, status)
        type(gs_servers), intent(inout) :: servers
        integer, intent(out), optional :: status
        call gs_settle(c_servers_release(servers%handle), status)
    end subroutine

    subroutine create_rows_int64(rows, comm, global_count, owned, status)
        type(gs_rows), intent(out) :: rows
        integer, intent(in) :: comm
        integer(int64), intent(in) :: global_count, owned(:)
        integer, intent(out), optional :: status
        call gs_settle(c_rows_create(int(comm, c_int), global_count, size(owned, kind=int64), owned - 1, &
            rows%handle), status)
    end subroutine

    subroutine create_rows_int32(rows, comm, global_count, owned, status)
        type(gs_rows), intent(out) :: rows
        integer, intent(in) :: comm
        integer(int32), intent(in) :: global_count, owned(:)
        integer, intent(out), optional :: status
        call create_rows_int64(rows, comm, int(global_count, int64), int(owned, int64), status)
    end subroutine

    subroutine gs_rows_destroy(rows, status)
        type(gs_rows), intent(inout) :: rows
        integer, intent(out), optional :: status
        call gs_settle(c_rows_destroy(rows%handle), status)
    end subroutine

    !> An empty schema.
    subroutine gs_schema_create(schema, status)
        type(gs_schema), intent(out) :: schema
        integer, intent(out), optional :: status
        call gs_settle(c_schema_create(schema%handle), status)
    end subroutine

    subroutine gs_schema_destroy(schema, status)
        type(gs_schema), intent(inout) :: schema
        integer, intent(out), optional :: status
        call gs_settle(c_schema_destroy(schema%handle), status)
    end subroutine

    subroutine gs_schema_dimension(schema, name, length, status)
        type(gs_schema), intent(in) :: schema
        character(*), intent(in) :: name
        integer(int64), intent(in) :: length
        integer, intent(out), optional :: status
        call gs_settle(c_schema_dimension(schema%handle, c_text(name), length), status)
    end subroutine

    !> call gs_schema_variable(schema, 'heat', gs_float64, [character(5) :: 'level', 'cell', 'time'])
    subroutine gs_schema_variable(schema, name, type, dimensions, status)
        type(gs_schema), intent(in) :: schema
        character(*), intent(in) :: name
        integer(c_int), intent(in) :: type
        character(*), intent(in) :: dimensions(:)
        integer, intent(out), optional :: status
        character(kind=c_char, len=len(dimensions) + 1), target :: texts(size(dimensions))
        type(c_ptr) :: addresses(size(dimensions))
        integer :: i
        do i = 1, size(dimensions)
            texts(i) = trim(dimensions(size(dimensions) + 1 - i))//c_null_char
            addresses(i) = c_loc(texts(i))
        end do
        call gs_settle(c_schema_variable(schema%handle, c_text(name), type, size(dimensions), addresses), status)
    end subroutine

    !> The dimension whose rows are spread over the ranks, where that is not the last one but for the record
    !> dimension: 'node' of ['node ', 'level', 'time ']. A rank's array is then (own nodes, levels).
    subroutine gs_schema_distributed(schema, variable, dimension, status)
        type(gs_schema), intent(in) :: schema
        character(*), intent(in) :: variable, dimension
        integer, intent(out), optional :: status
        call gs_settle(c_schema_distributed(schema%handle, c_text(variable), c_text(dimension)), status)
    end subroutine

    !> A text attribute, of the file where `variable` is empty.
    subroutine gs_schema_text(schema, variable, name, text, status)
        type(gs_schema), intent(in) :: schema
        character(*), intent(in) :: variable, name, text
        integer, intent(out), optional :: status
        call gs_settle(c_schema_text(schema%handle, c_text(variable), c_text(name), c_text(text)), status)
    end subroutine

    subroutine numbers_int32(schema, variable, name, values, status)
        type(gs_schema), intent(in) :: schema
        character(*), intent(in) :: variable, name
        integer(int32), intent(in), target, contiguous :: values(..)
        integer, intent(out), optional :: status
        call gs_settle(c_schema_numbers(schema%handle, c_text(variable), c_text(name), gs_int32, size(values), &
            c_loc(values)), status)
    end subroutine

    subroutine numbers_int64(schema, variable, name, values, status)
        type(gs_schema), intent(in) :: schema
        character(*), intent(in) :: variable, name
        integer(int64), intent(in), target, contiguous :: values(..)
        integer, intent(out), optional :: status
        call gs_settle(c_schema_numbers(schema%handle, c_text(variable), c_text(name), gs_int64, size(values), &
            c_loc(values)), status)
    end subroutine

    subroutine numbers_real32(schema, variable, name, values, status)
        type(gs_schema), intent(in) :: schema
        character(*), intent(in) :: variable, name
        real(real32), intent(in), target, contiguous :: values(..)
        integer, intent(out), optional :: status
        call gs_settle(c_schema_numbers(schema%handle, c_text(variable), c_text(name), gs_float32, size(values), &
            c_loc(values)), status)
    end subroutine

    subroutine numbers_real64(schema, variable, name, values, status)
        type(gs_schema), intent(in) :: schema
        character(*), intent(in) :: variable, name
        real(real64), intent(in), target, contiguous :: values(..)
        integer, intent(out), optional :: status
        call gs_settle(c_schema_numbers(schema%handle, c_text(variable), c_text(name), gs_float64, size(values), &
            c_loc(values)), status)
    end subroutine

    !> `options` as in groundswell/c/output.h, for example 'mode = thread, checksums = true'; empty for the defaults.
    !> Collective over `comm`, the ranks that compute.
    subroutine gs_output_create(output, comm, options, servers, status)
        type(gs_output), intent(out) :: output
        integer, intent(in) :: comm
        character(*), intent(in) :: options
        type(gs_servers), intent(in), optional :: servers
        integer, intent(out), optional :: status
        type(c_ptr) :: set_apart
        set_apart = c_null_ptr
        if (present(servers)) set_apart = servers%handle
        call gs_settle(c_output_create(int(comm, c_int), c_text(options), set_apart, output%handle), status)
    end subroutine

    !> Returns when everything handed over is on the disk. Collective.
    subroutine gs_output_settle(output, status)
        type(gs_output), intent(in) :: output
        integer, intent(out), optional :: status
        call gs_settle(c_output_settle(output%handle), status)
    end subroutine

    !> Closes what is open, waits for everything, and answers the first error that there was. Collective.
    subroutine gs_output_finish(output, status)
        type(gs_output), intent(inout) :: output
        integer, intent(out), optional :: status
        call gs_settle(c_output_finish(output%handle), status)
    end subroutine

    subroutine gs_output_cost_get(output, cost, status)
        type(gs_output), intent(in) :: output
        type(gs_output_cost), intent(out) :: cost
        integer, intent(out), optional :: status
        call gs_settle(c_output_cost_get(output%handle, cost), status)
    end subroutine

    !> Collective, as all procedures of a file but gs_file_put.
    subroutine gs_file_create(file, output, path, schema, overwrite, status)
        type(gs_file), intent(out) :: file
        type(gs_output), intent(in) :: output
        character(*), intent(in) :: path
        type(gs_schema), intent(in) :: schema
        logical, intent(in) :: overwrite
        integer, intent(out), optional :: status
        call gs_settle(c_file_create(output%handle, c_text(path), schema%handle, merge(1_c_int, 0_c_int, overwrite), &
            file%handle), status)
    end subroutine

    !> Goes on with a file after a restart, without its records later than `last_time`.
    subroutine gs_file_reopen(file, output, path, schema, last_time, status)
        type(gs_file), intent(out) :: file
        type(gs_output), intent(in) :: output
        character(*), intent(in) :: path
        type(gs_schema), intent(in) :: schema
        real(real64), intent(in) :: last_time
        integer, intent(out), optional :: status
        call gs_settle(c_file_reopen(output%handle, c_text(path), schema%handle, last_time, file%handle), status)
    end subroutine

    !> A variable without record dimension: gs_file_write(file, 'position', gs_array(position), rows). Without `rows`
    !> the array is the whole variable, which rank 0 alone needs to have.
    subroutine gs_file_write(file, variable, array, rows, status)
        type(gs_file), intent(in) :: file
        character(*), intent(in) :: variable
        type(gs_array), intent(in) :: array
        type(gs_rows), intent(in), optional :: rows
        integer, intent(out), optional :: status
        if (.not. array%contiguous) then
            call gs_settle(gs_reject('gs_file_write: an array that is not contiguous'), status)
        else
            call gs_settle(c_file_write(file%handle, c_text(variable), array%type, array%ids*array%width, &
                array%address, handle_of(rows)), status)
        end if
    end subroutine

    !> The same for the record under way. The array must stay as it is until gs_file_end_record returns. Local.
    subroutine gs_file_put(file, variable, array, rows, status)
        type(gs_file), intent(in) :: file
        character(*), intent(in) :: variable
        type(gs_array), intent(in) :: array
        type(gs_rows), intent(in), optional :: rows
        integer, intent(out), optional :: status
        if (.not. array%contiguous) then
            call gs_settle(gs_reject('gs_file_put: an array that is not contiguous'), status)
        else
            call gs_settle(c_file_put(file%handle, c_text(variable), array%type, array%ids*array%width, &
                array%address, handle_of(rows)), status)
        end if
    end subroutine

    !> Hands the record over, with its time; every record variable was put.
    subroutine gs_file_end_record(file, time, status)
        type(gs_file), intent(in) :: file
        real(real64), intent(in) :: time
        integer, intent(out), optional :: status
        call gs_settle(c_file_end_record(file%handle, time), status)
    end subroutine

    !> Hands as many records over as there are times, at once: the arrays that were put have one more dimension,
    !> behind all others, that runs over them. Readers see all of them or none, and the call costs what a single
    !> record costs.
    subroutine gs_file_end_records(file, times, status)
        type(gs_file), intent(in) :: file
        real(real64), intent(in) :: times(:)
        integer, intent(out), optional :: status
        call gs_settle(c_file_end_records(file%handle, size(times, kind=int64), times), status)
    end subroutine

    subroutine gs_file_close(file, status)
        type(gs_file), intent(inout) :: file
        integer, intent(out), optional :: status
        call gs_settle(c_file_close(file%handle), status)
    end subroutine

    type(c_ptr) function handle_of(rows)
        type(gs_rows), intent(in), optional :: rows
        handle_of = c_null_ptr
        if (present(rows)) handle_of = rows%handle
    end function

end module groundswell_output
