!> The runtime of groundswell for Fortran models: `use groundswell` brings everything.
module groundswell
    use groundswell_arrays, only: gs_array
    use groundswell_errors, only: gs_defect, gs_done, gs_error_message, gs_error_speaks, gs_failed, gs_refused
    use groundswell_halo
    use groundswell_input
    use groundswell_messages
    use groundswell_output
    implicit none
    public
    private :: handle_of
end module groundswell
