#!/bin/bash
# What a newcomer types about the cases of docs/guide/no-script.md: see newcomer.sh.
. "$PARE_SOURCE_DIR/tests/cli/newcomer.sh"
run_rows corpus
