#!/bin/bash
# What a newcomer types about tools that read data: see newcomer.sh.
. "$PARE_SOURCE_DIR/tests/cli/newcomer.sh"
run_rows data
