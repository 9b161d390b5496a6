/* Failures that the sandbox makes: which messages are about a wall, and what is advised. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include <pare/switch.h>

#include "session/test/sandbox_fault.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

static const char *const words[] = {"prog", "@@"};
static const pare_input_options input = {.path = "in.txt"};

/* A run whose learnt diagnostic is `kept` and that printed `printed` on the input `text`. */
static pare_status look(const char *text, const char *kept, const char *printed,
                        pare_switch network, pare_error *err)
{
    pare_text *copy = NULL;
    pare_signature signature = {.ended = PARE_ENDED_EXIT, .code = 1};
    pare_diagnostics offered = {.n = 0};
    const pare_test_options test = {.program = words, .n_program = 2, .safety.network = network};
    pare_status status = pare_text_copy(text, strlen(text), &copy, err);
    if (status) return status;
    (void)snprintf(signature.diagnostic, sizeof signature.diagnostic, "%s", kept);
    const pare_sandbox_run run = {.input = &input,
                                  .test = &test,
                                  .text = copy,
                                  .kept = &signature,
                                  .offered = &offered,
                                  .printed = printed};
    status = pare_sandbox_fault(&run, err);
    pare_text_unref(copy);
    return status;
}

static void assert_advised(const char *kept, const char *printed, const char *option)
{
    pare_error err = {0};
    char wanted[256];
    assert_int_equal(look("the input", kept, printed, PARE_OFF, &err), PARE_E_STATE);
    (void)snprintf(wanted, sizeof wanted, "pare reduce in.txt %s -- prog @@;", option);
    if (!strstr(err.message, wanted)) fail_msg("'%s' is not in: %s", wanted, err.message);
}

static void test_sandbox_fault__advises_what_helps(void **state)
{
    (void)state;
    const char *whole = geteuid() ? "--sandbox off" : "--sandbox devices";
    assert_advised("Error: cache initialization failed: Operation not permitted",
                   "netlink: Error: cache initialization failed: Operation not permitted\n", whole);
    assert_advised("Failed to create '*': Read-only file system",
                   "x\nFailed to create '/run/a': Read-only file system\n", whole);
    assert_advised("error: Permission denied", "error: Permission denied", whole);
    assert_advised("ConnectionRefusedError: [Errno *] Connection refused",
                   "Traceback\nConnectionRefusedError: [Errno 111] Connection refused\n",
                   "--network");
    assert_advised("Error: getaddrinfo EAI_AGAIN db.local", "Error: getaddrinfo EAI_AGAIN db.local",
                   "--network");
    assert_advised("curl: (*) Failed to connect to * port *",
                   "curl: (7) Failed to connect to 127.0.0.1 port 80 after 0 ms", "--network");
    assert_advised("error: Failed to connect to bus", "error: Failed to connect to bus", whole);
    /* Nothing was said that could be kept: any line counts. */
    assert_advised("", "hello\ncurl: (6) Could not resolve host: a.b\n", "--network");
}

/* The message names a socket that is there: its folder is enough. */
/* A machine may have no interface but the loopback, as a container. */
static void test_sandbox_fault__knows_the_interfaces_of_the_machine(void **state)
{
    char printed[400], name[256] = "";
    pare_error err = {0};
    (void)state;
    DIR *folder = opendir("/sys/class/net");
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        if (*entry->d_name != '.' && strcmp(entry->d_name, "lo") != 0)
            (void)snprintf(name, sizeof name, "%s", entry->d_name);
    if (folder) (void)closedir(folder);
    if (*name) {
        (void)snprintf(printed, sizeof printed, "WARNING - interface %s for V1 doesn't exist",
                       name);
        assert_advised(printed, printed, "--network");
    }
    assert_int_equal(look("x", "error: interface Shop does not exist",
                          "error: interface Shop does not exist", PARE_OFF, &err),
                     PARE_OK);
    assert_int_equal(
        look("x", "no address on interface lo", "no address on interface lo", PARE_OFF, &err),
        PARE_OK);
}

static void test_sandbox_fault__shows_the_folder_of_a_socket(void **state)
{
    (void)state;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char folder[64], said[256], option[128];
    const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_true(listener >= 0);
    assert_non_null(getcwd(folder, sizeof folder));
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s/.s.5432", folder);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    (void)snprintf(said, sizeof said, "error: cannot connect to \"%s\". Is the server running?",
                   address.sun_path);
    (void)snprintf(option, sizeof option, "--visible %s", folder);
    assert_advised("error: cannot connect to *", said, option);
    assert_int_equal(close(listener), 0);
}

static void test_sandbox_fault__leaves_other_failures_alone(void **state)
{
    (void)state;
    pare_error err = {0};
    static const char denied[] = "cat: x: Permission denied\nTypeError: no\n";
    /* A complaint about a wall stands beside the failure, the words are the input's, the network
     * is there. */
    assert_int_equal(look("in", "TypeError: no", denied, PARE_OFF, &err), PARE_OK);
    assert_int_equal(look("raise E('permission DENIED')", "E: permission DENIED",
                          "E: permission DENIED\n", PARE_OFF, &err),
                     PARE_OK);
    assert_int_equal(look("in", "e: connection refused", "e: connection refused", PARE_ON, &err),
                     PARE_OK);
    assert_int_equal(look("in", "", "all is well\n", PARE_OFF, &err), PARE_OK);
    assert_int_equal(look("in", "", NULL, PARE_OFF, &err), PARE_OK);
}

/* A file that is there, and that the program names: whether it is said to be what the program cannot write. */
static void test_sandbox_fault__a_file_that_cannot_be_written_stands_near_these_words(void **state)
{
    static const char *const own[] = {"prog", "@@", "out", "-o", "made"};
    static const struct {
        const char *line;
        bool is_written;
    } cases[] = {
        {"cannot create out", true},
        {"Cannot create output file '/home/a/out' - abort", true},
        {"error: cannot open out for writing", true},
        {"could not open file for output: \"out\".", true},
        {"/home/a/out: Read-only file system", true},
        {"error: cannot create the outline", false},
        {"error: cannot create out.txt", false},
        {"error: cannot create logout", false},
        {"error: out has no such rule, which no other file has: cannot create a shop", false},
        {"error: unknown option 'x' for output in out", false},
        {"error: the output file out has a bad line", false},
        {"error: cannot create made", false},       /* it is in the test's own directory */
        {"error: cannot write DATA to out", false}, /* words of the input */
    };
    (void)state;
    scratch_write("out", "x", 0644);
    scratch_write("made", "x", 0644);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pare_error err = {0};
        pare_text *text = NULL;
        pare_signature signature = {.ended = PARE_ENDED_EXIT, .code = 1};
        pare_diagnostics offered = {.n = 0};
        const pare_test_options test = {.program = own, .n_program = 5};
        assert_int_equal(pare_text_copy("say cannot write", 16, &text, &err), PARE_OK);
        (void)snprintf(signature.diagnostic, sizeof signature.diagnostic, "%s", cases[k].line);
        const pare_sandbox_run run = {
            .input = &input, .test = &test, .text = text, .kept = &signature, .offered = &offered};
        const pare_status status = pare_sandbox_fault(&run, &err);
        if (status != (cases[k].is_written ? PARE_E_STATE : PARE_OK)) fail_msg("%s", cases[k].line);
        if (status) assert_non_null(strstr(err.message, "the program writes 'out'"));
        if (status) assert_non_null(strstr(err.message, "prog @@ new-out -o made"));
        if (status) assert_non_null(strstr(err.message, "--sandbox full"));
        pare_text_unref(text);
    }
}

static pare_status one_look(void *context)
{
    pare_error *err = context;
    const pare_status status =
        look("in", "e: Permission denied", "x\ne: Permission denied", PARE_OFF, err);
    return status == PARE_E_STATE ? PARE_OK : status;
}

static void test_sandbox_fault__out_of_memory(void **state)
{
    (void)state;
    pare_error err = {0};
    sweep_allocations(one_look, &err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sandbox_fault__advises_what_helps),
        cmocka_unit_test(test_sandbox_fault__knows_the_interfaces_of_the_machine),
        cmocka_unit_test_setup_teardown(test_sandbox_fault__shows_the_folder_of_a_socket,
                                        scratch_setup, scratch_teardown),
        cmocka_unit_test(test_sandbox_fault__leaves_other_failures_alone),
        cmocka_unit_test_setup_teardown(
            test_sandbox_fault__a_file_that_cannot_be_written_stands_near_these_words,
            scratch_setup, scratch_teardown),
        cmocka_unit_test(test_sandbox_fault__out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
