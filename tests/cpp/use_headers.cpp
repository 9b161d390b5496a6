/* A C++17 program that uses libpare: every public header compiles, every function links by
 * its C name, and options, results and errors work as they do in C. */
#pragma GCC visibility push(hidden)
#include <pare/algorithm.h>
#include <pare/derivations.h>
#include <pare/events.h>
#include <pare/export.h>
#include <pare/generate.h>
#include <pare/graph.h>
#include <pare/graph_explore.h>
#include <pare/graph_weigh.h>
#include <pare/guide.h>
#include <pare/input.h>
#include <pare/isolate.h>
#include <pare/keep.h>
#include <pare/language.h>
#include <pare/learn.h>
#include <pare/limits.h>
#include <pare/outcome.h>
#include <pare/output.h>
#include <pare/pare.h>
#include <pare/page.h>
#include <pare/parse.h>
#include <pare/record.h>
#include <pare/reduce.h>
#include <pare/reduce_list.h>
#include <pare/result.h>
#include <pare/status.h>
#include <pare/stop.h>
#include <pare/survivors.h>
#include <pare/switch.h>
#include <pare/sync.h>
#include <pare/test.h>
#pragma GCC visibility pop

#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

namespace
{
/* An address can only be had of what is there under its C name. */
template <typename... Functions> bool are_linked(Functions... functions)
{
    return (... && (functions != nullptr));
}

bool all_functions_are_linked()
{
    return are_linked(pare_algorithm_at, pare_unit_at, pare_count_tokens, pare_derivations_new,
                      pare_derivations_free, pare_derivations_find, pare_derivations_name,
                      pare_derived_symbols_done, pare_derived_symbols_have, pare_generate_sized,
                      pare_recorded_done, pare_record_sized, pare_is_recorded, pare_isolated_done,
                      pare_isolate_sized, pare_language_at, pare_language_find,
                      pare_language_for_file, pare_language_inspect, pare_language_add,
                      pare_language_remove, pare_learned_done, pare_learn_sized, pare_outcome_name,
                      pare_version, pare_parsed_done, pare_parse_file_sized, pare_result_done,
                      pare_reduce_sized, pare_reduce_list_sized, pare_list_free, pare_page_made_done,
                      pare_page_make_sized, pare_status_name,
                      pare_stop_new, pare_stop_free, pare_stop_request, pare_survivors_done,
                      pare_survivors_find);
}

struct Needle {
    std::string_view text;
    unsigned tests = 0;
};

pare_outcome contains(void *context, const void *bytes, size_t size)
{
    auto &needle = *static_cast<Needle *>(context);
    const std::string_view candidate(static_cast<const char *>(bytes), size);
    needle.tests++;
    return candidate.find(needle.text) == candidate.npos ? PARE_PASS : PARE_FAIL;
}

bool reduces()
{
    const std::string hay = "some hay, a needle, more hay\n";
    Needle needle{"needle"};
    pare_reduce_options options{};
    options.input.bytes = hay.data();
    options.input.size_bytes = hay.size();
    options.test.predicate = contains;
    options.test.context = &needle;
    options.limits.jobs = 1;
    pare_result result{};
    pare_error error{};
    const bool reduced = pare_reduce(&options, &result, &error) == PARE_OK &&
                         std::string_view(reinterpret_cast<const char *>(result.bytes),
                                          result.size_bytes) == needle.text &&
                         needle.tests > 0;
    if (!reduced) std::fprintf(stderr, "reduce: %s\n", error.message);
    pare_result_done(&result);
    return reduced;
}

/* What C writes as {0} is valid here too, but for structs whose first member is an enum. */
bool zero_is_the_same()
{
    pare_error error = {0};
    pare_result result = {0};
    pare_reduce_options options = {0};
    const bool refused = pare_reduce(&options, &result, &error) == PARE_E_ARG;
    pare_result_done(&result);
    return refused && error.status == PARE_E_ARG && error.message[0] != '\0';
}
} // namespace

int main()
{
    if (!all_functions_are_linked() || !reduces() || !zero_is_the_same()) return 1;
    if (std::strcmp(pare_version(), PARE_VERSION) != 0) return 2;
    std::puts("C++17: all headers, all functions");
    return 0;
}
