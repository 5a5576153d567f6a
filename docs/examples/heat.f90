!> Heat diffuses around a ring of cells while dye is carried along: a small model in Fortran on groundswell's halo
!> exchange and output.
!>
!>   mpirun -n 4 heat FILE.nc [TRANSPORT [OUTPUT_OPTIONS [SERVERS]]]      defaults: auto, none, 0
!>
!> Heat: h += k (left - 2 h + right), so wave number m decays by 1 - 4 k sin²(π m / cells) a step. Dye moves on by one
!> cell a step. The program checks both against these exact solutions; exit code 1 if they are not met. heat.c is the
!> same model in C; their files are equal.
module heat_log
    use, intrinsic :: iso_fortran_env, only: error_unit
    use groundswell, only: gs_message_error
    implicit none
contains
    !> What the library has to say goes where this model's own messages go.
    subroutine tell(level, text)
        integer, intent(in) :: level
        character(*), intent(in) :: text
        character(:), allocatable :: kind
        kind = ''
        if (level == gs_message_error) kind = 'error: '
        write (error_unit, '(3a)') 'heat: ', kind, text
    end subroutine
end module

program heat_on_a_ring
    use, intrinsic :: iso_fortran_env, only: int64, real32, real64
    use groundswell
    use heat_log, only: tell
    use mpi
    implicit none

    integer, parameter :: cells = 120, levels = 3, steps = 60, record_every = 20
    real(real64), parameter :: k = 0.2_real64, pi = 3.14159265358979323846_real64

    ! The last dimension runs over the owned cells, then over the two that are needed; the values of two steps.
    real(real64), allocatable, target, asynchronous :: heat(:, :, :)
    real(real32), allocatable, target, asynchronous :: dye(:, :)
    real(real64), allocatable, target :: angle(:)
    integer, allocatable :: ids(:)
    type(gs_servers) :: servers
    type(gs_halo_plan) :: plan
    type(gs_halo) :: halo
    type(gs_output) :: output
    type(gs_rows) :: rows
    type(gs_file) :: file
    integer :: given, error, comm, rank, ranks, begin, owned, i, l, step, now, next, wrong
    real(real64) :: decay
    logical :: is_server

    call MPI_Init_thread(MPI_THREAD_MULTIPLE, given, error)
    if (command_argument_count() < 1) error stop 'usage: heat FILE.nc [TRANSPORT [OUTPUT_OPTIONS [SERVERS]]]'

    call gs_messages_level(gs_message_info)  ! also what was chosen
    call gs_messages_to(tell)

    ! Ranks that only write, if any were asked for.
    call gs_servers_split(servers, MPI_COMM_WORLD, argument(4, '0'), comm, is_server)
    if (is_server) then
        call MPI_Finalize(error)
        stop
    end if
    call MPI_Comm_rank(comm, rank, error)
    call MPI_Comm_size(comm, ranks, error)

    ! The cells of this rank, and those that it needs: one on the left, one on the right.
    begin = cells*rank/ranks
    owned = cells*(rank + 1)/ranks - begin
    ids = [(begin + i, i=1, owned)]
    call gs_halo_plan_create(plan, comm, ids, [modulo(begin - 1, cells) + 1, modulo(begin + owned, cells) + 1])

    ! Both fields travel in one message.
    allocate (heat(levels, owned + 2, 2), dye(owned + 2, 2))
    now = 1
    next = 2
    call gs_halo_create(halo, plan, argument(2, 'auto'), [gs_array(heat(:, :, now)), gs_array(dye(:, now))])

    ! The file; this rank's rows of it are its cells.
    call gs_output_create(output, comm, argument(3, ''), servers)
    call gs_rows_create(rows, comm, cells, ids)
    call create_file(file, argument(1, ''))
    angle = [(360.0_real64*(begin + i)/cells, i=0, owned - 1)]
    call gs_file_write(file, 'angle', gs_array(angle), rows)

    do i = 1, owned
        heat(:, i, now) = [(first_heat(ids(i), l), l=1, levels)]
        dye(i, now) = first_dye(ids(i))
    end do
    do step = 0, steps
        if (modulo(step, record_every) == 0) then
            call gs_file_put(file, 'heat', gs_array(heat(:, :owned, now)), rows)
            call gs_file_put(file, 'dye', gs_array(dye(:owned, now)), rows)
            call gs_file_end_record(file, real(step, real64))
        end if
        if (step == steps) exit
        call gs_halo_start(halo, [gs_array(heat(:, :, now)), gs_array(dye(:, now))])
        call update(2, owned - 1)  ! needs no other rank's cells
        call gs_halo_finish(halo)
        call update(1, 1)
        if (owned > 1) call update(owned, owned)
        now = 3 - now
        next = 3 - next
    end do

    wrong = 0
    do i = 1, owned
        do l = 1, levels
            decay = 1 - 4*k*sin(pi*l/cells)**2
            if (abs(heat(l, i, now) - decay**steps*first_heat(ids(i), l)) > 1e-12_real64) wrong = wrong + 1
        end do
        if (dye(i, now) /= first_dye(ids(i) - steps)) wrong = wrong + 1
    end do
    call MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_INTEGER, MPI_SUM, comm, error)
    if (rank == 0) print '(2a, i0, a)', gs_halo_transport(halo), ': ', wrong, ' wrong values'

    call gs_file_close(file)
    call gs_output_finish(output)
    call gs_halo_destroy(halo)
    call gs_rows_destroy(rows)
    call gs_halo_plan_destroy(plan)
    call gs_servers_release(servers)
    call MPI_Finalize(error)
    if (wrong > 0) error stop 1

contains

    !> Cells from `first` to `last` of the owned ones. The needed ones stand behind: left, then right.
    subroutine update(first, last)
        integer, intent(in) :: first, last
        integer :: cell, left, right
        do cell = first, last
            left = merge(cell - 1, owned + 1, cell > 1)
            right = merge(cell + 1, owned + 2, cell < owned)
            heat(:, cell, next) = heat(:, cell, now) &
                + k*(heat(:, left, now) - 2*heat(:, cell, now) + heat(:, right, now))
            dye(cell, next) = dye(left, now)
        end do
    end subroutine

    subroutine create_file(created, path)
        type(gs_file), intent(out) :: created
        character(*), intent(in) :: path
        type(gs_schema) :: schema
        call gs_schema_create(schema)
        call gs_schema_dimension(schema, 'time', gs_unlimited)
        call gs_schema_dimension(schema, 'cell', int(cells, int64))
        call gs_schema_dimension(schema, 'level', int(levels, int64))
        call gs_schema_variable(schema, 'time', gs_float64, ['time'])
        call gs_schema_variable(schema, 'angle', gs_float64, ['cell'])
        call gs_schema_variable(schema, 'heat', gs_float64, ['level', 'cell ', 'time '])
        call gs_schema_variable(schema, 'dye', gs_float32, ['cell', 'time'])
        call gs_schema_text(schema, '', 'title', 'heat and dye on a ring')
        call gs_schema_text(schema, 'time', 'units', 'seconds since 2000-01-01 00:00:00')
        call gs_schema_text(schema, 'angle', 'units', 'degree')
        call gs_schema_numbers(schema, 'heat', 'diffusivity', k)
        call gs_file_create(created, output, path, schema, overwrite=.true.)
        call gs_schema_destroy(schema)
    end subroutine

    real(real64) function first_heat(id, level)
        integer, intent(in) :: id, level
        first_heat = cos(2*pi*level*(id - 1)/cells)
    end function

    real(real32) function first_dye(id)
        integer, intent(in) :: id
        first_dye = merge(1.0_real32, 0.0_real32, modulo(id - 1, cells) < 10)
    end function

    !> A word of the command line, or what stands for it.
    function argument(number, otherwise) result(word)
        integer, intent(in) :: number
        character(*), intent(in) :: otherwise
        character(:), allocatable :: word
        integer :: length
        word = otherwise
        if (command_argument_count() < number) return
        call get_command_argument(number, length=length)
        deallocate (word)
        allocate (character(length) :: word)
        call get_command_argument(number, word)
    end function

end program heat_on_a_ring
