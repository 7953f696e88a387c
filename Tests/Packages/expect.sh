# For the tests of the packages, in bash: checks of commands, which end the test at the first failure.

# expect STATUS PATTERN COMMAND…: the command's exit status, and an extended regular expression that its output must match.
# In a status, `*` is any.
expect() {
    local status=$1 pattern=$2 got=0
    shift 2
    output=$("$@" 2>&1) || got=$?
    # shellcheck disable=SC2053  # the status may be a pattern
    if [[ $got == $status ]] && grep -Eq -- "$pattern" <<< "$output"; then
        # The line that matches, or the command if that is empty.
        echo "ok: $(grep -Em1 -- "$pattern" <<< "$output" | grep . || echo "$*")" | cut -c 1-150
    else
        printf 'FAIL: %s\nexit status %s, not %s, or no match for: %s\n%s\n' "$*" "$got" "$status" "$pattern" "$output"
        exit 1
    fi
}

# eventually COMMAND…: waits until the command succeeds, for at most a minute.
eventually() {
    local end=$((SECONDS + 60))
    until "$@" > /dev/null 2>&1; do
        [ $SECONDS -lt $end ] || { echo "FAIL: not within a minute: $*"; exit 1; }
        sleep 0.2
    done
}
