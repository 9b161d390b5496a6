/* The bytes of a fuzz target as a grammar, a NUL byte, and a text. */
#ifndef PARE_TESTS_SPLIT_INPUT_H
#define PARE_TESTS_SPLIT_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct split_input {
    const char *grammar, *text; /* never NULL */
    size_t grammar_size, text_size;
};

static inline struct split_input split_input(const uint8_t *data, size_t size)
{
    const uint8_t *end = size ? memchr(data, 0, size) : NULL;
    size_t length = end ? (size_t)(end - data) : size;
    return (struct split_input){.grammar = size ? (const char *)data : "",
                                .text = end ? (const char *)end + 1 : "",
                                .grammar_size = length,
                                .text_size = end ? size - length - 1 : 0};
}

#endif
