"""A receiver of webhooks that uses only Python's standard library.

    python3 receiver.py 9000 webhook-secret

It listens on 127.0.0.1 behind a proxy that ends TLS. The second argument is a file
with the signing secrets, one per line: two during a rotation.
"""
import hashlib
import hmac
import json
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE = 300  # seconds
MAX_BODY = 1 << 20


def verify(body: bytes, header: str, secrets: list[str], now: float) -> bool:
    """Report whether one of the secrets signed body, at most TOLERANCE from now."""
    entries = header.split(",")
    times = [e[2:] for e in entries if e.startswith("t=")]
    signatures = [e[3:] for e in entries if e.startswith("v1=")]
    if len(times) != 1 or not re.fullmatch("[0-9]{1,11}", times[0]):
        return False
    if abs(now - int(times[0])) > TOLERANCE:
        return False
    for secret in secrets:
        want = hmac.new(secret.encode(), times[0].encode() + b"." + body, hashlib.sha256).hexdigest()
        if any(hmac.compare_digest(want.encode(), got.encode()) for got in signatures):
            return True
    return False


class Receiver(BaseHTTPRequestHandler):
    timeout = 10  # seconds without a byte
    seen: set[str] = set()  # in production: a table with the event id as primary key

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal():
            return self.answer(411)
        if int(length) > MAX_BODY:
            return self.answer(413)
        body = self.rfile.read(int(length))  # verify the bytes as received, before parsing them
        with open(sys.argv[2], encoding="ascii") as file:
            secrets = file.read().split()
        if not verify(body, self.headers.get("X-Service-Signature", ""), secrets, time.time()):
            return self.answer(400)
        event = json.loads(body)
        if event["id"] not in self.seen:
            self.seen.add(event["id"])
            print("verified", event["type"], event["id"], flush=True)  # in production: queue the work
        self.answer(204)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_) -> None:
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver)
    print("listening on http://%s:%d" % server.server_address, flush=True)
    server.serve_forever()
