# Sourced by the other scripts: where things are, what MPI needs, and a clock for each phase.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 3
venv="$root/build/venv"
export PATH="$root/build/release/bin:$venv/bin:$PATH"
export PYTHONNOUSERSITE=1

# Open MPI refuses root unless told twice, and ranks that share a core must yield while they wait.
if [ "$(id -u)" = 0 ]; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_hwloc_base_binding_policy=none

# Without this ccache leaves alone what is compiled with precompiled headers.
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}

cores=$(nproc)

say() { printf 'groundswell: %s\n' "$*" >&2; }

phase_names=()
phase_seconds=()

# phase NAME COMMAND...: runs the command and prints how long it took. Returns what the command returned.
phase() {
    local name=$1 begin end status=0
    shift
    say "$name ..."
    begin=$(date +%s%N)
    "$@" || status=$?
    end=$(date +%s%N)
    local seconds
    seconds=$(printf '%d.%d' $(((end - begin) / 1000000000)) $(((end - begin) / 100000000 % 10)))
    phase_names+=("$name")
    phase_seconds+=("$seconds")
    if [ "$status" = 0 ]; then
        say "$name: $seconds s"
    else
        say "$name: failed with status $status after $seconds s"
    fi
    return "$status"
}

# One line for each phase so far, and the seconds since the script began.
phase_summary() {
    local i
    for i in "${!phase_names[@]}"; do
        printf 'groundswell: %-22s %8s s\n' "${phase_names[$i]}" "${phase_seconds[$i]}" >&2
    done
    printf 'groundswell: %-22s %8d.0 s\n' total "$SECONDS" >&2
}

# results_stand OUTPUT INGREDIENTS FILE...: whether these files of the folder were made from the same as now (INGREDIENTS, as
# remember_ingredients noted it) and nobody has changed them since.
results_stand() {
    local output=$1 made_from=$1/.made-from ingredients=$2
    shift 2
    [ "$(cat "$made_from" 2>/dev/null)" = "$ingredients" ] &&
        (cd "$output" && ls "$@") >/dev/null 2>&1 &&
        [ -z "$(find "$output" \( -name '*.nc' -o -name '*.msh' \) -newer "$made_from")" ]
}
remember_ingredients() { echo "$2" >"$1/.made-from"; }
