#!/usr/bin/env python3
"""A tracker on this machine for tests: the parts of GitHub, GitLab and Bugzilla that pare uses.

Usage: tracker.py MODE FILE

Prints its port, then serves until its standard input ends.  MODE: ok; 500, every answer is one;
garbage; silent, it takes requests and never answers; lost, it makes the issue and then closes the
connection without an answer; late, its search does not know the issues yet.  FILE gets a line for
each request: method, path, and whether the right token came along.
"""
import json
import sys
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOKEN = "s3cret"
issues = []


class Tracker(BaseHTTPRequestHandler):
    def log_message(self, *unused):
        pass

    def has_token(self):
        return (self.headers.get("Authorization") == "Bearer " + TOKEN
                or self.headers.get("PRIVATE-TOKEN") == TOKEN
                or self.headers.get("X-BUGZILLA-API-KEY") == TOKEN)

    def answer(self, code, value):
        body = json.dumps(value).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def note(self):
        with open(sys.argv[2], "a", encoding="utf-8") as log:
            log.write(f"{self.command} {self.path.split('?')[0]} {self.has_token()}\n")

    def fail(self):
        """True if the mode has answered."""
        if sys.argv[1] == "500":
            self.answer(500, {"message": "it is on fire"})
        elif sys.argv[1] == "garbage":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n\x00\x1b[2J<html>")
            self.close_connection = True
        elif sys.argv[1] == "silent":
            threading.Event().wait()
        else:
            return False
        return True

    def do_GET(self):
        self.note()
        if self.fail():
            return
        url = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(url.query)
        found = issues
        if url.path == "/search/issues":
            words = query["q"][0].split('"')[1]
            found = [i for i in issues if words in i["body"] or words in i["title"]]
            if sys.argv[1] == "late":
                found = []
            self.answer(200, {"items": found, "total_count": len(found)})
        elif url.path == "/rest/bug":
            field = {"longdesc": "body", "short_desc": "title"}[query["f1"][0]]
            found = [i for i in issues if query["v1"][0] in i[field]]
            self.answer(200, {"bugs": [{"id": i["id"], "summary": i["title"]} for i in found]})
        else:
            field = {"description": "description", "title": "title"}.get(
                query.get("in", [""])[0], "title")
            words = query.get("search", [""])[0]
            self.answer(200, [i for i in issues if words in i[field]])

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.note()
        if self.fail():
            return
        if not self.has_token():
            self.answer(401, {"message": "Bad credentials"})
            return
        issue = {"id": len(issues) + 1, "title": body.get("title", body.get("summary")),
                 "body": body.get("body", body.get("description"))}
        issue["description"] = issue["body"]
        issue["html_url"] = issue["web_url"] = f"https://tracker.example.org/{issue['id']}"
        issues.append(issue)
        if sys.argv[1] == "lost":
            sys.argv[1] = "ok"
            self.close_connection = True
            return
        self.answer(201, issue)


server = ThreadingHTTPServer(("127.0.0.1", 0), Tracker)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
