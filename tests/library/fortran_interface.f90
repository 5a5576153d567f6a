!> What the Fortran module promises beyond the example: arrays of every kind and rank are exchanged and written, both
!> kinds of ids are taken, and wrong calls are answered with a status and a message.
module listening
    use groundswell, only: gs_message_info
    implicit none
    character(:), allocatable :: heard
contains
    subroutine keep(level, text)
        integer, intent(in) :: level
        character(*), intent(in) :: text
        if (level == gs_message_info) heard = heard//text
    end subroutine
end module

program fortran_interface
    use, intrinsic :: iso_c_binding, only: c_f_pointer, c_ptr, c_size_t
    use, intrinsic :: iso_fortran_env, only: error_unit, int32, int64, real32, real64
    use groundswell
    use listening, only: heard, keep
    use mpi
    implicit none

    integer :: failures, error, rank, ranks

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    failures = 0
    call every_transport_kind_and_rank()
    call memory_that_neighbours_read()
    call plans_that_share_an_array()
    call contributions_are_added()
    call messages()
    call wrong_calls()
    call kinds_in_a_file()
    call samples_of_receivers()
    call MPI_Allreduce(MPI_IN_PLACE, failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call MPI_Finalize(error)
    if (failures > 0) error stop 1

contains

    subroutine expect(condition, what)
        logical, intent(in) :: condition
        character(*), intent(in) :: what
        if (condition) return
        failures = failures + 1
        write (error_unit, '(a, i0, 2a)') 'rank ', rank, ': ', what
    end subroutine

    !> Three ids a rank, dealt out like cards, in a ring; the next id of each is needed.
    function owned_ids() result(ids)
        integer :: ids(3), i
        ids = [(rank + 1 + i*ranks, i=0, 2)]
    end function

    function needed_ids() result(ids)
        integer :: ids(3)
        ids = modulo(owned_ids(), 3*ranks) + 1
    end function

    subroutine every_transport_kind_and_rank()
        integer(int32), target :: a(6)
        integer(int64), target :: b(2, 6)
        real(real32), target :: c(2, 2, 6)
        real(real64), target :: d(1, 6)
        integer :: all_ids(6), i, number
        character(:), allocatable :: name
        type(gs_halo_plan) :: plan
        type(gs_halo) :: halo
        type(gs_halo_cost) :: cost
        logical :: available
        all_ids = [owned_ids(), needed_ids()]
        call gs_halo_plan_create(plan, MPI_COMM_WORLD, int(owned_ids(), int64), int(needed_ids(), int64))
        do number = 1, gs_halo_transport_count()
            name = gs_halo_transport_name(number)
            call gs_halo_transport_available(plan, name, available)
            if (.not. available) cycle
            call gs_halo_create(halo, plan, name, [gs_array(a), gs_array(b), gs_array(c), gs_array(d)])
            a = 0
            b = 0
            c = 0
            d = 0
            do i = 1, 3
                a(i) = all_ids(i)
                b(:, i) = 2_int64**40 + all_ids(i)
                c(:, :, i) = all_ids(i) + 0.5_real32
                d(:, i) = all_ids(i)/3.0_real64
            end do
            call gs_halo_start(halo, [gs_array(a), gs_array(b), gs_array(c), gs_array(d)])
            call gs_halo_poll(halo)
            call gs_halo_finish(halo)
            do i = 1, 6
                call expect(a(i) == all_ids(i), name//': int32')
                call expect(all(b(:, i) == 2_int64**40 + all_ids(i)), name//': int64')
                call expect(all(c(:, :, i) == all_ids(i) + 0.5_real32), name//': real32')
                call expect(all(d(:, i) == all_ids(i)/3.0_real64), name//': real64')
            end do
            call gs_halo_cost_get(halo, cost)
            call expect(cost%exchanges == 1, name//': exchanges counted')
            call expect(len(gs_halo_transport(halo)) > 0, name//': has a name')
            call gs_halo_destroy(halo)
        end do
        call expect(gs_halo_transport_name(0) == '', 'no transport 0')
        call gs_halo_plan_destroy(plan)
    end subroutine

    subroutine memory_that_neighbours_read()
        type(gs_halo_plan) :: plan
        type(gs_halo_memory) :: memory
        type(gs_halo) :: halo
        type(c_ptr) :: address
        real(real64), pointer :: values(:, :)
        call gs_halo_plan_create(plan, MPI_COMM_WORLD, owned_ids(), needed_ids())
        call gs_halo_memory_create(memory, plan, 16_c_size_t, address)
        call c_f_pointer(address, values, [2, 6])
        call expect(all(values == 0), 'memory is zero at first')
        values(1, :3) = owned_ids()
        values(2, :3) = -owned_ids()
        call gs_halo_create(halo, plan, 'shared', [gs_array(values)])
        call gs_halo_start(halo, [gs_array(values)])
        call gs_halo_finish(halo)
        call expect(all(nint(values(1, 4:)) == needed_ids()) .and. all(nint(values(2, 4:)) == -needed_ids()), &
            'shared memory holds the owners'' values')
        call gs_halo_destroy(halo)
        call gs_halo_memory_destroy(memory)
        call gs_halo_plan_destroy(plan)
    end subroutine

    !> Even and odd ids by a plan each: first the owned ids, then the needed ones of the first plan, then of the second.
    subroutine plans_that_share_an_array()
        type(gs_halo_plan) :: plans(2)
        type(gs_halo_memory) :: memory
        type(gs_halo) :: halo, halos(2)
        type(c_ptr) :: address
        real(real32), pointer :: values(:)
        integer, allocatable :: needed(:), place(:), all_ids(:)
        integer :: i, parity, status
        all_ids = owned_ids()
        do parity = 0, 1
            needed = pack(needed_ids(), modulo(needed_ids(), 2) == parity)
            place = [(size(all_ids) + i, i=1, size(needed))]
            call gs_halo_plan_create_at(plans(parity + 1), MPI_COMM_WORLD, owned_ids(), needed, place)
            all_ids = [all_ids, needed]
        end do
        call gs_halo_memory_create_for(memory, plans, 4_c_size_t, address)
        call c_f_pointer(address, values, [6])
        values(:3) = owned_ids()
        do parity = 1, 0, -1
            call gs_halo_create(halo, plans(parity + 1), 'posted', [gs_array(values)])
            call gs_halo_start(halo, [gs_array(values)])
            call gs_halo_finish(halo)
            do i = 4, 6
                call expect(nint(values(i)) == merge(all_ids(i), 0, parity == 0 .or. modulo(all_ids(i), 2) == 1), &
                    'each plan brings its own')
            end do
            call gs_halo_destroy(halo)
        end do
        call gs_halo_create_set(halos, plans, 'neighbor', [gs_array(values)], .true., status)
        call expect(status == gs_refused, 'transports in lockstep serve no ranks out of step')
        call gs_halo_create_set(halos, plans, 'shared', [gs_array(values)], .true.)
        do i = 1, 2
            call gs_halo_start(halos(i), [gs_array(values)])
            call gs_halo_finish(halos(i))
            call gs_halo_destroy(halos(i))
        end do
        call gs_halo_create(halo, plans(2), 'posted', [gs_array(values)])
        call gs_halo_start(halo, [gs_array(values(:2))], status)
        call expect(status == gs_defect, 'an array that ends before the plan is refused')
        call gs_halo_destroy(halo)
        call gs_halo_memory_destroy(memory)
        call gs_halo_plan_destroy(plans(1))
        call gs_halo_plan_destroy(plans(2))
        call gs_halo_plan_create_at(plans(1), MPI_COMM_WORLD, owned_ids(), needed_ids(), [4, 5], status)
        call expect(status == gs_defect, 'places are as many as needed ids')
        call gs_halo_plan_create_at(plans(1), MPI_COMM_WORLD, owned_ids(), needed_ids(), [3, 4, 5], status)
        call expect(status == gs_refused, 'a place among the owned ids is refused')
    end subroutine

    !> Each id passes ten times its number on to the next one.
    subroutine contributions_are_added()
        type(gs_halo_plan) :: plan
        type(gs_halo) :: halo
        integer(int64), target, asynchronous :: values(2, 6)
        integer :: before(3)
        logical :: ready
        call gs_halo_plan_create(plan, MPI_COMM_WORLD, owned_ids(), needed_ids())
        values(:, :3) = spread(owned_ids(), 1, 2)
        values(:, 4:) = 10*spread(owned_ids(), 1, 2)
        call gs_halo_create_adding(halo, plan, 'posted', [gs_array(values)], int(owned_ids(), int64))
        call gs_halo_start(halo, [gs_array(values)])
        call gs_halo_ready(halo, ready)
        call gs_halo_finish(halo)
        before = modulo(owned_ids() - 2, 3*ranks) + 1
        call expect(all(values(1, :3) == owned_ids() + 10*before) .and. all(values(2, :3) == values(1, :3)), &
            'what stands at needed ids is added to the owners'' values')
        call gs_halo_destroy(halo)
        call gs_halo_plan_destroy(plan)
    end subroutine

    !> A choice is told at level info, by one rank, and goes where the model wants it.
    subroutine messages()
        heard = ''
        call gs_messages_to(keep)
        call choose_a_transport()
        call expect(heard == '', 'a choice is not told at first')
        call gs_messages_level(gs_message_info)
        call choose_a_transport()
        call expect(index(heard, 'halo transport') > 0 .eqv. rank == 0, 'rank 0 tells what was chosen: '//heard)
        call gs_messages_level(gs_message_warning)
        call gs_messages_to()
    end subroutine

    subroutine choose_a_transport()
        type(gs_halo_plan) :: plan
        type(gs_halo) :: halo
        real(real64), target :: values(6)
        call gs_halo_plan_create(plan, MPI_COMM_WORLD, owned_ids(), needed_ids())
        call gs_halo_create(halo, plan, 'auto', [gs_array(values)])
        call gs_halo_destroy(halo)
        call gs_halo_plan_destroy(plan)
    end subroutine

    subroutine wrong_calls()
        type(gs_halo_plan) :: plan
        type(gs_halo) :: halo
        type(gs_output) :: output
        real(real64), target :: values(2, 6), wide(4, 6)
        integer :: status
        call gs_halo_plan_create(plan, MPI_COMM_WORLD, owned_ids(), [-5], status)
        call expect(status == gs_refused, 'a negative id is refused')
        call expect(index(gs_error_message(), '-5') > 0, 'the message names the id: '//gs_error_message())
        call gs_halo_plan_create(plan, MPI_COMM_WORLD, owned_ids(), needed_ids(), status)
        call expect(status == gs_done, 'a plan')
        call gs_halo_create(halo, plan, 'carrier-pigeon', [gs_array(values)], status)
        call expect(status == gs_refused, 'an unknown transport is refused')
        call gs_halo_create(halo, plan, 'posted', [gs_array(values)], status)
        call expect(status == gs_done, 'an exchange')
        call gs_halo_start(halo, [gs_array(wide(::2, :))], status)
        call expect(status == gs_defect .and. index(gs_error_message(), 'contiguous') > 0, 'sections are refused')
        call gs_halo_start(halo, [gs_array(values(:, :5))], status)
        call expect(status == gs_defect, 'an array of too few ids is refused')
        call gs_halo_finish(halo, status)
        call expect(status == gs_defect, 'nothing was started')
        call gs_halo_destroy(halo)
        call gs_halo_plan_destroy(plan)
        call gs_output_create(output, MPI_COMM_WORLD, 'mode = smoke', status=status)
        call expect(status == gs_refused, 'an unknown mode is refused')
    end subroutine

    !> Each kind as a variable and as an attribute, scalar and array. The file stays for another test to look at.
    subroutine kinds_in_a_file()
        integer(int32), target :: a(3)
        integer(int64), target :: b(3)
        real(real32), target :: c(2, 3)
        real(real64), target :: d(3), scalar
        type(gs_schema) :: schema
        type(gs_output) :: output
        type(gs_output_cost) :: cost
        type(gs_rows) :: rows
        type(gs_file) :: file
        integer :: status
        character(32) :: path
        write (path, '(a, i0, a)') 'fortran_interface_', ranks, '.nc'
        call gs_schema_create(schema)
        call gs_schema_dimension(schema, 'time', gs_unlimited)
        call gs_schema_dimension(schema, 'cell', 3_int64*ranks)
        call gs_schema_dimension(schema, 'pair', 2_int64)
        call gs_schema_variable(schema, 'time', gs_float64, ['time'])
        call gs_schema_variable(schema, 'a', gs_int32, ['cell'])
        call gs_schema_variable(schema, 'b', gs_int64, ['cell'])
        call gs_schema_variable(schema, 'c', gs_float32, ['pair', 'cell', 'time'])
        call gs_schema_variable(schema, 'd', gs_float64, ['cell', 'time'])
        call gs_schema_variable(schema, 's', gs_float64, [character(1) ::])
        call gs_schema_numbers(schema, 'a', '_FillValue', -1_int32)
        call gs_schema_numbers(schema, 'b', 'valid_range', [1_int64, 2_int64**41])
        call gs_schema_numbers(schema, 'c', 'missing_value', -9.0_real32)
        call gs_schema_numbers(schema, '', 'pi', [3.14_real64])
        call gs_schema_text(schema, 'd', 'units', 'm')
        a = owned_ids()
        b = 2_int64**40 + a
        c = spread(real(a, real32), 1, 2)
        d = a/3.0_real64
        scalar = 42
        call gs_output_create(output, MPI_COMM_WORLD, 'mode = serial')
        call gs_rows_create(rows, MPI_COMM_WORLD, 3*ranks, owned_ids())
        call gs_file_create(file, output, path, schema, overwrite=.true.)
        call gs_file_write(file, 'a', gs_array(a), rows)
        call gs_file_write(file, 'b', gs_array(b), rows)
        call gs_file_write(file, 's', gs_array(scalar))
        call gs_file_put(file, 'c', gs_array(c), rows)
        call gs_file_put(file, 'd', gs_array(d(3:1:-1)), rows, status)
        call expect(status == gs_defect, 'a section that runs backwards is refused')
        call gs_file_put(file, 'd', gs_array(d), rows)
        call gs_file_end_record(file, 1.0_real64)
        call gs_file_put(file, 'd', gs_array(c), rows)
        call gs_file_put(file, 'c', gs_array(c), rows)
        call gs_file_end_record(file, 2.0_real64, status)
        call expect(status == gs_defect, 'values of another type are refused')
        call gs_file_close(file)
        call gs_file_reopen(file, output, path, schema, 1.0_real64)
        call gs_file_put(file, 'c', gs_array(c), rows)
        call gs_file_put(file, 'd', gs_array(d), rows)
        call gs_file_end_record(file, 3.0_real64)
        call gs_output_settle(output)
        call gs_output_cost_get(output, cost)
        call expect(cost%records == 2, 'two records are on the disk')
        call gs_output_finish(output)
        call gs_rows_destroy(rows)
        call gs_schema_destroy(schema)
    end subroutine

    !> Many records at once, of rows that stand behind another dimension, and the way back.
    subroutine samples_of_receivers()
        integer, parameter :: samples = 20, depths = 2
        real(real32), target :: velocity(3, depths, samples)
        real(real64) :: again(3, depths), times(samples)
        real(real64) :: step(1)
        integer(int64) :: records, length
        integer :: sample, depth, status
        type(gs_schema) :: schema
        type(gs_output) :: output
        type(gs_rows) :: rows
        type(gs_file) :: file
        type(gs_input) :: input
        character(32) :: path
        character(10) :: title
        write (path, '(a, i0, a)') 'fortran_samples_', ranks, '.nc'
        call gs_schema_create(schema)
        call gs_schema_dimension(schema, 'time', gs_unlimited)
        call gs_schema_dimension(schema, 'station', 3_int64*ranks)
        call gs_schema_dimension(schema, 'depth', int(depths, int64))
        call gs_schema_variable(schema, 'time', gs_float64, ['time'])
        call gs_schema_variable(schema, 'velocity', gs_float32, [character(7) :: 'station', 'depth', 'time'])
        call gs_schema_distributed(schema, 'velocity', 'station')
        call gs_schema_text(schema, '', 'title', 'samples')
        call gs_schema_numbers(schema, 'time', 'step', 0.001_real64)
        do sample = 1, samples
            times(sample) = 0.001_real64*sample
            do depth = 1, depths
                velocity(:, depth, sample) = real(1000*sample + 100*depth + owned_ids(), real32)
            end do
        end do
        call gs_output_create(output, MPI_COMM_WORLD, 'mode = serial, checksums = true')
        call gs_rows_create(rows, MPI_COMM_WORLD, 3*ranks, owned_ids())
        call gs_file_create(file, output, path, schema, overwrite=.true.)
        call gs_file_put(file, 'velocity', gs_array(velocity), rows)
        call gs_file_end_records(file, times)
        call gs_output_finish(output)

        call gs_input_open(input, MPI_COMM_WORLD, path)
        call gs_input_records(input, records)
        call expect(records == samples, 'all samples are in the file')
        call gs_input_length(input, 'station', length)
        call expect(length == 3*ranks, 'a dimension has its length')
        call gs_input_text(input, '', 'title', title)
        call expect(title == 'samples', 'a text attribute: '//title)
        call gs_input_numbers(input, 'time', 'step', step)
        call expect(step(1) == 0.001_real64, 'a number')
        again = 0
        call gs_input_read(input, 'velocity', again, rows, record=7_int64, dimension='station')
        call expect(all(again == velocity(:, :, 7)), 'own rows are read back')
        call gs_input_read(input, 'velocity', again, rows, record=21_int64, status=status)
        call expect(status /= gs_done, 'there is no record 21')
        call gs_input_close(input)
        call gs_rows_destroy(rows)
        call gs_schema_destroy(schema)
    end subroutine

end program fortran_interface
