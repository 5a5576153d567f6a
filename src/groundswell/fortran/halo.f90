!> The halo exchange: groundswell/c/halo.h for Fortran. Every procedure takes an optional `status` as its last
!> argument (module groundswell_errors); without it an error ends the program with a message.
module groundswell_halo
    use, intrinsic :: iso_fortran_env, only: int32, int64
    use groundswell_c, exchange => gs_halo_exchange, field => gs_halo_field, &
        gs_halo_transport_count => c_halo_transport_count
    use groundswell_arrays, only: gs_array
    use groundswell_errors, only: c_text, fortran_text, gs_reject, gs_settle
    implicit none
    private

    public :: gs_halo_plan, gs_halo_plan_create, gs_halo_plan_destroy
    public :: gs_halo_memory, gs_halo_memory_create, gs_halo_memory_destroy
    public :: gs_halo_plan_create_at, gs_halo_memory_create_for
    public :: gs_halo, gs_halo_create, gs_halo_create_set, gs_halo_create_adding, gs_halo_destroy
    public :: gs_halo_start, gs_halo_poll, gs_halo_ready, gs_halo_finish
    public :: gs_halo_cost, gs_halo_cost_get, gs_halo_transport
    public :: gs_halo_transport_count, gs_halo_transport_name, gs_halo_transport_available

    !> The communication pattern: which rank sends which ids to which.
    type :: gs_halo_plan
        private
        type(c_ptr) :: handle = c_null_ptr
        integer(int64) :: ids = 0   ! that an array has, or more of them if
        integer(int64) :: needed = 0
        logical :: shares = .false. ! the plan shares it with others
    end type

    !> Memory for the values of a plan's ids, where neighbours on the same host can read it.
    type :: gs_halo_memory
        private
        type(c_ptr) :: handle = c_null_ptr
    end type

    !> One way to exchange one set of arrays.
    type :: gs_halo
        private
        type(c_ptr) :: handle = c_null_ptr
        integer(int64) :: ids = 0
        logical :: shares = .false.
    end type

    !> call gs_halo_plan_create(plan, comm, owned_ids, needed_ids [, status])
    !>
    !> Ids are numbers from 0 on, with any gaps, each owned by exactly one rank; int32 or int64. Local index i is
    !> owned_ids(i), and after them size(owned_ids) + j is needed_ids(j). `comm` is the integer of `use mpi`, or
    !> comm%mpi_val of `use mpi_f08`; it must outlive the plan and what is made of it. Refused if an id is
    !> needed that no rank owns, or owned twice, or negative. Collective.
    !>
    !> call gs_halo_plan_create_at(plan, comm, owned_ids, needed_ids, needed_index [, status])
    !>
    !> puts needed_ids(j) at local index needed_index(j), behind the owned ones and each another: so several plans
    !> share one array, which then has as many ids as reach all of them, or more.
    interface gs_halo_plan_create
        procedure create_plan_int32, create_plan_int64
    end interface

    interface gs_halo_plan_create_at
        procedure create_plan_at_int32, create_plan_at_int64
    end interface

    !> call gs_halo_memory_create(memory, plan, bytes, address [, status])
    !> call gs_halo_memory_create_for(memory, plans, bytes, address [, status])
    !>
    !> Room for `bytes` of each id of a plan, or of several that share an array, zero at first; c_f_pointer makes
    !> an array of `address`, whose last dimension runs over the owned and then the needed ids. Any array can be
    !> exchanged; the transport "shared" saves a copy with this memory. Collective.
    interface gs_halo_memory_create
        procedure create_memory
    end interface

    interface gs_halo_memory_create_for
        procedure create_memory_for
    end interface

contains

    subroutine create_plan_int64(plan, comm, owned_ids, needed_ids, status)
        type(gs_halo_plan), intent(out) :: plan
        integer, intent(in) :: comm
        integer(int64), intent(in) :: owned_ids(:), needed_ids(:)
        integer, intent(out), optional :: status
        plan%ids = size(owned_ids, kind=int64) + size(needed_ids, kind=int64)
        plan%needed = size(needed_ids, kind=int64)
        call gs_settle(c_halo_plan_create(int(comm, c_int), size(owned_ids, kind=int64), owned_ids, &
            size(needed_ids, kind=int64), needed_ids, plan%handle), status)
    end subroutine

    subroutine create_plan_int32(plan, comm, owned_ids, needed_ids, status)
        type(gs_halo_plan), intent(out) :: plan
        integer, intent(in) :: comm
        integer(int32), intent(in) :: owned_ids(:), needed_ids(:)
        integer, intent(out), optional :: status
        call create_plan_int64(plan, comm, int(owned_ids, int64), int(needed_ids, int64), status)
    end subroutine

    subroutine create_plan_at_int64(plan, comm, owned_ids, needed_ids, needed_index, status)
        type(gs_halo_plan), intent(out) :: plan
        integer, intent(in) :: comm
        integer(int64), intent(in) :: owned_ids(:), needed_ids(:)
        integer(int32), intent(in) :: needed_index(:)
        integer, intent(out), optional :: status
        integer(int64) :: needed
        needed = merge(size(needed_ids, kind=int64), -1_int64, size(needed_ids) == size(needed_index))
        plan%ids = size(owned_ids, kind=int64)
        if (size(needed_index) > 0) plan%ids = max(plan%ids, int(maxval(needed_index), int64))
        plan%shares = .true.
        plan%needed = size(needed_ids, kind=int64)
        call gs_settle(c_halo_plan_create_at(int(comm, c_int), size(owned_ids, kind=int64), owned_ids, needed, &
            needed_ids, int(needed_index - 1, c_int32_t), plan%handle), status)
    end subroutine

    subroutine create_plan_at_int32(plan, comm, owned_ids, needed_ids, needed_index, status)
        type(gs_halo_plan), intent(out) :: plan
        integer, intent(in) :: comm
        integer(int32), intent(in) :: owned_ids(:), needed_ids(:), needed_index(:)
        integer, intent(out), optional :: status
        call create_plan_at_int64(plan, comm, int(owned_ids, int64), int(needed_ids, int64), needed_index, status)
    end subroutine

    !> Not collective. Takes a plan that was never made, too.
    subroutine gs_halo_plan_destroy(plan, status)
        type(gs_halo_plan), intent(inout) :: plan
        integer, intent(out), optional :: status
        call gs_settle(c_halo_plan_destroy(plan%handle), status)
    end subroutine

    subroutine create_memory(memory, plan, bytes, address, status)
        type(gs_halo_memory), intent(out) :: memory
        type(gs_halo_plan), intent(in) :: plan
        integer(c_size_t), intent(in) :: bytes
        type(c_ptr), intent(out) :: address
        integer, intent(out), optional :: status
        call gs_settle(c_halo_memory_create(plan%handle, bytes, memory%handle, address), status)
    end subroutine

    subroutine create_memory_for(memory, plans, bytes, address, status)
        type(gs_halo_memory), intent(out) :: memory
        type(gs_halo_plan), intent(in) :: plans(:)
        integer(c_size_t), intent(in) :: bytes
        type(c_ptr), intent(out) :: address
        integer, intent(out), optional :: status
        type(c_ptr) :: handles(size(plans))
        integer :: i
        do i = 1, size(plans)
            handles(i) = plans(i)%handle
        end do
        call gs_settle(c_halo_memory_create_for(size(plans), handles, bytes, memory%handle, address), status)
    end subroutine

    subroutine gs_halo_memory_destroy(memory, status)
        type(gs_halo_memory), intent(inout) :: memory
        integer, intent(out), optional :: status
        call gs_settle(c_halo_memory_destroy(memory%handle), status)
    end subroutine

    !> An exchange of such arrays, all in one message per neighbour: gs_halo_create(halo, plan, 'auto',
    !> [gs_array(heat), gs_array(salt)]). The last dimension of each runs over the owned and then the needed
    !> ids. 'auto' tries all transports and takes the fastest. Refused if there is no such transport, or this MPI
    !> library lacks it. Collective.
    subroutine gs_halo_create(halo, plan, transport, arrays, status)
        type(gs_halo), intent(out) :: halo
        type(gs_halo_plan), intent(in) :: plan
        character(*), intent(in) :: transport
        type(gs_array), intent(in) :: arrays(:)
        integer, intent(out), optional :: status
        halo%ids = plan%ids
        halo%shares = plan%shares
        call gs_settle(c_halo_create(plan%handle, c_text(transport), size(arrays), fields_of(arrays), halo%handle), &
            status)
    end subroutine

    !> An exchange that goes the other way: what these arrays hold at needed ids is added to the owners' values,
    !> in ascending order of `order`, a number for each needed id; without it (on all ranks) in the order of the
    !> ranks. With a needed id for each contribution, also of ids that the rank owns, sums have the same bits on any
    !> number of ranks. Collective.
    subroutine gs_halo_create_adding(halo, plan, transport, arrays, order, status)
        type(gs_halo), intent(out) :: halo
        type(gs_halo_plan), intent(in) :: plan
        character(*), intent(in) :: transport
        type(gs_array), intent(in) :: arrays(:)
        integer(int64), intent(in), optional, target :: order(:)
        integer, intent(out), optional :: status
        type(field), target :: fields(size(arrays))
        integer(c_int), target :: types(size(arrays))
        integer(int64), target, allocatable :: numbers(:)
        type(exchange) :: wanted
        type(c_ptr) :: handles(1)
        fields = fields_of(arrays)
        types = arrays%type
        wanted = exchange(plan%handle, size(arrays), c_loc(fields), c_loc(types), c_null_ptr)
        if (present(order)) then
            if (size(order) /= plan%needed) types = -1  ! rejected on all ranks
            allocate (numbers(max(size(order), 1)))
            numbers(:size(order)) = order
            wanted%order = c_loc(numbers)
        end if
        halo%ids = plan%ids
        halo%shares = plan%shares
        handles = c_null_ptr
        call gs_settle(c_halo_create_set(1, [wanted], c_text(transport), 0, handles), status)
        halo%handle = handles(1)
    end subroutine

    !> gs_halo_create for each of several plans over the same arrays: 'auto' takes one transport for all of them.
    !> Where ranks go through the exchanges in orders of their own, say out_of_step: then transports that are
    !> collective in start or finish are refused. Collective.
    subroutine gs_halo_create_set(halos, plans, transport, arrays, out_of_step, status)
        type(gs_halo_plan), intent(in) :: plans(:)
        type(gs_halo), intent(out) :: halos(size(plans))
        character(*), intent(in) :: transport
        type(gs_array), intent(in) :: arrays(:)
        logical, intent(in) :: out_of_step
        integer, intent(out), optional :: status
        type(field), target :: fields(size(arrays))
        type(exchange) :: wanted(size(plans))
        type(c_ptr) :: handles(size(plans))
        integer :: i
        fields = fields_of(arrays)
        do i = 1, size(plans)
            wanted(i) = exchange(plans(i)%handle, size(arrays), c_loc(fields), c_null_ptr, c_null_ptr)
            halos(i)%ids = plans(i)%ids
            halos(i)%shares = plans(i)%shares
        end do
        handles = c_null_ptr
        call gs_settle(c_halo_create_set(size(plans), wanted, c_text(transport), merge(1, 0, out_of_step), handles), status)
        do i = 1, size(plans)
            halos(i)%handle = handles(i)
        end do
    end subroutine

    !> Collective.
    subroutine gs_halo_destroy(halo, status)
        type(gs_halo), intent(inout) :: halo
        integer, intent(out), optional :: status
        call gs_settle(c_halo_destroy(halo%handle), status)
    end subroutine

    !> Begins an exchange of these arrays: as many as in gs_halo_create, of the same types and shapes. Until
    !> gs_halo_finish the owned values of ids that others need must not be written, nor the needed ones
    !> touched. Collective.
    subroutine gs_halo_start(halo, arrays, status)
        type(gs_halo), intent(in) :: halo
        type(gs_array), intent(in) :: arrays(:)
        integer, intent(out), optional :: status
        if (.not. all(arrays%contiguous)) then
            call gs_settle(gs_reject('gs_halo_start: an array that is not contiguous'), status)
        else if (any(arrays%ids < halo%ids) .or. (.not. halo%shares .and. any(arrays%ids /= halo%ids))) then
            call gs_settle(gs_reject('gs_halo_start: an array whose last dimension is not the ids of the plan'), status)
        else
            call gs_settle(c_halo_start(halo%handle, size(arrays), fields_of(arrays)), status)
        end if
    end subroutine

    !> Lets messages move on during a computation; cheap, and harmless while nothing is under way.
    subroutine gs_halo_poll(halo, status)
        type(gs_halo), intent(in) :: halo
        integer, intent(out), optional :: status
        call gs_settle(c_halo_poll(halo%handle), status)
    end subroutine

    !> The same, and tells whether gs_halo_finish has nothing to wait for, as far as the transport knows.
    subroutine gs_halo_ready(halo, ready, status)
        type(gs_halo), intent(in) :: halo
        logical, intent(out) :: ready
        integer, intent(out), optional :: status
        integer(c_int) :: found, answer
        found = 0
        answer = c_halo_ready(halo%handle, found)
        ready = found /= 0
        call gs_settle(answer, status)
    end subroutine

    !> Returns when the needed values are in place. Collective.
    subroutine gs_halo_finish(halo, status)
        type(gs_halo), intent(in) :: halo
        integer, intent(out), optional :: status
        call gs_settle(c_halo_finish(halo%handle), status)
    end subroutine

    subroutine gs_halo_cost_get(halo, cost, status)
        type(gs_halo), intent(in) :: halo
        type(gs_halo_cost), intent(out) :: cost
        integer, intent(out), optional :: status
        call gs_settle(c_halo_cost_get(halo%handle, cost), status)
    end subroutine

    !> The name of the transport; of the one chosen, for 'auto'.
    function gs_halo_transport(halo) result(name)
        type(gs_halo), intent(in) :: halo
        character(:), allocatable :: name
        name = ''
        if (c_associated(halo%handle)) name = fortran_text(c_halo_transport(halo%handle))
    end function

    !> The name of transport `number` from 1 to gs_halo_transport_count(); empty outside.
    function gs_halo_transport_name(number) result(name)
        integer, intent(in) :: number
        character(:), allocatable :: name
        type(c_ptr) :: text
        text = c_halo_transport_name(int(number - 1, c_int))
        name = ''
        if (c_associated(text)) name = fortran_text(text)
    end function

    !> Whether this MPI library has that transport on the ranks of the plan; where not, gs_error_message() tells
    !> why. Collective.
    subroutine gs_halo_transport_available(plan, transport, available, status)
        type(gs_halo_plan), intent(in) :: plan
        character(*), intent(in) :: transport
        logical, intent(out) :: available
        integer, intent(out), optional :: status
        integer(c_int) :: found, answer
        found = 0
        answer = c_halo_transport_available(plan%handle, c_text(transport), found)
        available = found /= 0
        call gs_settle(answer, status)
    end subroutine

    function fields_of(arrays) result(fields)
        type(gs_array), intent(in) :: arrays(:)
        type(field) :: fields(size(arrays))
        integer :: i
        do i = 1, size(arrays)
            fields(i) = field(arrays(i)%address, arrays(i)%bytes_per_id(), 0)
        end do
    end function

end module groundswell_halo
