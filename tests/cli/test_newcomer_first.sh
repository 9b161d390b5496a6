#!/bin/bash
# What a newcomer types first of all: see newcomer.sh.
. "$PARE_SOURCE_DIR/tests/cli/newcomer.sh"
run_rows first
