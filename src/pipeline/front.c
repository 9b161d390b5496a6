/* Front ends.  For now every text is read by its brackets. */
#include "pipeline/front.h"

#include "base/alloc.h"
#include "parse/bracket_parse.h"

struct pare_front {
    pare_tree_rules rules; /* of the trees made */
};

pare_status pare_front_open(const pare_reduce_options *options, pare_front **out,
                            const char **notice, pare_error *err)
{
    (void)options;
    pare_front *front = pare_alloc_zero(1, sizeof *front);
    if (!front) return pare_fail_nomem(err);
    *notice = NULL;
    *out = front;
    return PARE_OK;
}

void pare_front_free(pare_front *front)
{
    pare_release(front);
}

pare_status pare_front_tree(pare_front *front, const pare_text *text, pare_tree **out,
                            pare_error *err)
{
    pare_parse_tree parse = {0};
    pare_status status =
        pare_bracket_parse(pare_text_bytes(text), pare_text_size(text), &parse, err);
    if (!status) status = pare_tree_new(&parse, text, &front->rules, out, err);
    pare_parse_tree_done(&parse);
    return status;
}
