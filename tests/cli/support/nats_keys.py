"""Keys and credentials of NATS, for tests: made as nk and nsc make them, by openssl.

    nats_keys.py pair             a user's seed and public key, a line each
    nats_keys.py account FOLDER   an operator, an account with JetStream and users of it: server.conf (to be
                                  included: operator, accounts), user.creds, expired.creds, stranger.creds
"""
import base64
import binascii
import hashlib
import json
import os
import subprocess
import sys
import time

SEED, OPERATOR, ACCOUNT, USER = 18 << 3, 14 << 3, 0, 20 << 3
ALL = -1


def openssl(*words, given=None):
    return subprocess.run(["openssl", *words], input=given, check=True, capture_output=True).stdout


def in_base32(raw):
    """With its CRC-16, as seeds and keys are written."""
    return base64.b32encode(raw + binascii.crc_hqx(raw, 0).to_bytes(2, "little")).decode().rstrip("=")


def in_base64(raw):
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


class Pair:
    """A seed is 2 bytes that say what it is of, and the 32 bytes of an ed25519 key; a public key has 1 and 32."""

    def __init__(self, kind):
        self.secret = openssl("genpkey", "-algorithm", "ed25519", "-outform", "DER")
        public = openssl("pkey", "-inform", "DER", "-pubout", "-outform", "DER", given=self.secret)
        self.seed = in_base32(bytes([SEED | kind >> 5, (kind & 31) << 3]) + self.secret[-32:])
        self.public = in_base32(bytes([kind]) + public[-32:])

    def sign(self, text, folder):
        """openssl reads what it signs, and the key, from files."""
        names = [os.path.join(folder, name) for name in ("signed.key", "signed.text")]
        for name, content in zip(names, (self.secret, text.encode())):
            with open(name, "wb") as file:
                file.write(content)
        try:
            return openssl("pkeyutl", "-sign", "-rawin", "-keyform", "DER", "-inkey", names[0], "-in", names[1])
        finally:
            for name in names:
                os.remove(name)


def claim(issuer, subject, name, nats, folder, expires=None):
    """A JSON web token of the second version of NATS."""
    body = {"iat": int(time.time()) - 60, "iss": issuer.public, "name": name, "sub": subject.public,
            "nats": {**nats, "version": 2}}
    if expires:
        body["exp"] = expires
    body["jti"] = base64.b32encode(hashlib.sha256(json.dumps(body).encode()).digest()).decode().rstrip("=")
    head = {"typ": "JWT", "alg": "ed25519-nkey"}
    text = ".".join(in_base64(json.dumps(part).encode()) for part in (head, body))
    return text + "." + in_base64(issuer.sign(text, folder))


def account_claim(operator, account, name, folder):
    limits = dict.fromkeys(("subs", "data", "payload", "imports", "exports", "conn", "leaf"), ALL)
    if name != "SYS":
        limits |= dict.fromkeys(("mem_storage", "disk_storage", "streams", "consumer"), ALL)
    return claim(operator, account, name, {"type": "account", "limits": {**limits, "wildcards": True}}, folder)


def write_user(account, name, folder, expires=None):
    user = Pair(USER)
    unlimited = dict.fromkeys(("subs", "data", "payload"), ALL)
    token = claim(account, user, name, {"type": "user", "pub": {}, "sub": {}, **unlimited}, folder, expires)
    with open(os.path.join(folder, name + ".creds"), "w") as file:
        print("-----BEGIN NATS USER JWT-----", token, "------END NATS USER JWT------", "",
              "-----BEGIN USER NKEY SEED-----", user.seed, "------END USER NKEY SEED------", sep="\n", file=file)


def write_account(folder):
    operator, system, account, other = Pair(OPERATOR), Pair(ACCOUNT), Pair(ACCOUNT), Pair(ACCOUNT)
    tokens = {system.public: account_claim(operator, system, "SYS", folder),
              account.public: account_claim(operator, account, "team", folder)}
    with open(os.path.join(folder, "server.conf"), "w") as file:
        print("operator:", claim(operator, operator, "house", {"type": "operator"}, folder), file=file)
        print("system_account:", system.public, file=file)
        print("resolver: MEMORY\nresolver_preload: {", file=file)
        for public, token in tokens.items():
            print("   ", public + ":", token, file=file)
        print("}", file=file)
    write_user(account, "user", folder)
    write_user(account, "expired", folder, expires=int(time.time()) - 30)
    write_user(other, "stranger", folder)


if __name__ == "__main__":
    if sys.argv[1] == "pair":
        pair = Pair(USER)
        print(pair.seed, pair.public, sep="\n")
    else:
        write_account(sys.argv[2])
