#!/bin/bash
# What a newcomer types first of all: see newcomer.sh.  And the page of all rows is theirs.
. "$PARE_SOURCE_DIR/tests/cli/newcomer.sh"
"$data/newcomer/table.sh" > page.md
claim "docs/guide/newcomer.md is what tests/data/newcomer/table.sh prints" \
    cmp -s page.md "$PARE_SOURCE_DIR/docs/guide/newcomer.md"
run_rows first
