/* Sentences about servers that cannot be reached, with the command or the option that helps.
 *
 * libnats and OpenSSL check certificates; about a bad one they say a number and some words,
 * "...handshake error: 18:self-signed certificate:depth=0:cert=...".  The number decides what the
 * user can do: trust the issuer (SSL_CERT_FILE, OpenSSL's own variable, so no option of ours is
 * needed), use the name in the certificate, or give the server another one. */
#include "run/remote/link_sentences.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool pare_link_is_tls(const char *url)
{
    return strncmp(url, "tls://", 6) == 0;
}

/* How long the host's name is at the start of "HOST[:PORT]"; an IPv6 address is in brackets, the
 * closing one of which may be missing. */
static size_t host_size(const char *address)
{
    if (*address != '[') return strcspn(address, ":");
    const size_t size = strcspn(address, "]");
    return size + (address[size] == ']');
}

/* Names that somebody else's resolver could answer for are not taken for this machine. */
bool pare_link_is_this_machine(const char *address)
{
    const size_t size = host_size(address);
    if (size == 9 && strncmp(address, "localhost", 9) == 0) return true;
    if (size == 5 && strncmp(address, "[::1]", 5) == 0) return true;
    return strncmp(address, "127.", 4) == 0 && strspn(address, "0123456789.") >= size;
}

/* On this machine the server listens to no other one, since it has no credentials; a port is named where it
 * is not the one that NATS uses by itself. */
const char *pare_link_start_command(const char *host, char command[PARE_LINK_COMMAND_BYTES])
{
    const char *address = strstr(host, "://") + 3;
    const size_t size = host_size(address);
    const char *port = address[size] == ':' ? address + size + 1 : "";
    const bool is_here = pare_link_is_this_machine(address), in_brackets = *address == '[';
    const bool is_usual = !*port || strcmp(port, "4222") == 0;
    (void)snprintf(command, PARE_LINK_COMMAND_BYTES, "nats-server --jetstream%s%.*s%s%s%s",
                   is_here ? " --addr " : "", is_here ? (int)size - 2 * in_brackets : 0,
                   address + in_brackets, is_usual ? "" : " --port ", is_usual ? "" : port,
                   pare_link_is_tls(host) ? " --tls --tlscert FILE --tlskey FILE" : "");
    return command;
}

/* Numbers of OpenSSL (X509_V_ERR_...), whose headers nothing else here needs. */
enum {
    NO_ISSUER = 2,
    SELF_SIGNED = 18,
    SELF_SIGNED_IN_CHAIN = 19,
    NO_LOCAL_ISSUER = 20,
    NO_FIRST = 21,
    OTHER_NAME = 62,
    OTHER_ADDRESS = 64
};

/* The certificate is signed by nobody whom this machine trusts; `why` in OpenSSL's words.  OpenSSL says
 * nothing of a file in SSL_CERT_FILE that it cannot read, so that is looked at here. */
static pare_status explain_trust(const char *host, const char *why, pare_error *err)
{
    const char *file = getenv("SSL_CERT_FILE");
    if (!file || !*file)
        return pare_fail(err, PARE_E_IO,
                         "the certificate of %s is not trusted here (%s): name a file with the "
                         "certificate of its issuer by SSL_CERT_FILE=FILE in the environment",
                         host, why);
    if (access(file, R_OK) != 0)
        return pare_fail(err, PARE_E_IO,
                         "the certificate of %s is not trusted here (%s): %.200s, which "
                         "SSL_CERT_FILE names, cannot be read",
                         host, why, file);
    return pare_fail(err, PARE_E_IO,
                     "the certificate of %s is not trusted here (%s): add the certificate of its "
                     "issuer to %.200s, which SSL_CERT_FILE names",
                     host, why, file);
}

/* Without a number it is not the certificate, but the protocol or the connection. */
pare_status pare_link_explain_tls(const char *host, const char *said, pare_error *err)
{
    static const char key[] = "handshake error: ";
    const char *found = said ? strstr(said, key) : NULL;
    char why[120] = "no reason is given", *rest = why;
    if (found) (void)snprintf(why, sizeof why, "%s", found + sizeof key - 1);
    const unsigned long number = strtoul(why, &rest, 10);
    if (rest == why || *rest != ':')
        return pare_fail(err, PARE_E_IO,
                         "there is no encrypted connection to %s (%s): does it have a certificate, "
                         "and TLS 1.2 or later?",
                         host, why);
    char *reason = rest + 1;
    reason[strcspn(reason, ":")] = '\0';
    switch (number) {
    case NO_ISSUER:
    case SELF_SIGNED:
    case SELF_SIGNED_IN_CHAIN:
    case NO_LOCAL_ISSUER:
    case NO_FIRST: return explain_trust(host, reason, err);
    case OTHER_NAME:
    case OTHER_ADDRESS:
        return pare_fail(err, PARE_E_IO,
                         "the certificate of %s is for another host (%s): use the name that is in "
                         "it, or give the server one for this name",
                         host, reason);
    default:
        return pare_fail(err, PARE_E_IO,
                         "the certificate of %s is refused here (%s): give the server another",
                         host, reason);
    }
}
