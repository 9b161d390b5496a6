#!/bin/bash
# What a newcomer types about compilers and build tools: see newcomer.sh.
. "$PARE_SOURCE_DIR/tests/cli/newcomer.sh"
run_rows compilers
