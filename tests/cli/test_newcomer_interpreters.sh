#!/bin/bash
# What a newcomer types about interpreters: see newcomer.sh.
. "$PARE_SOURCE_DIR/tests/cli/newcomer.sh"
run_rows interpreters
