"""Follow the feed of events: store every event once, in order, in a SQLite file.

    python3 follow.py https://finance.example.com token events.db [--once]

The second argument is a file with the token. The table `events` has the events in the
order of the feed, and each poll continues after its last row. --once stops at the end of
the feed, for cron.
"""
import http.client
import json
import sqlite3
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

PAUSE = 5  # seconds between two polls


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """Refuse redirects, so that the token goes to no other server."""

    def redirect_request(self, *_):
        return None


def page(base: str, token: str, after: str) -> dict:
    """Return the newest page of the feed, or the page older than the event after."""
    query = {"limit": 100} | ({"starting_after": after} if after else {})
    request = urllib.request.Request(
        f"{base}/api/ext/v1/events?{urllib.parse.urlencode(query)}", headers={"Authorization": f"Bearer {token}"}
    )
    opener = urllib.request.build_opener(NoRedirects)
    while True:
        try:
            with opener.open(request, timeout=15) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code != 429 and error.code < 500:
                raise  # a retry would not help
            wait = error.headers.get("Retry-After", "")
            time.sleep(int(wait) if wait.isdecimal() else PAUSE)
        except (OSError, http.client.HTTPException, ValueError):
            time.sleep(PAUSE)  # no connection, or no complete response in time


def poll(base: str, token: str, known: str) -> tuple[list[dict], bool]:
    """Return the events after the known one, oldest first, and whether the feed still has it."""
    chain: list[dict] = []  # newest first
    after = ""
    while True:
        answer = page(base, token, after)
        for event in answer["data"]:
            if event["id"] == known:
                return chain[::-1], True
            chain.append(event)
        after = answer["next_cursor"]
        if not after:
            return chain[::-1], not known


def follow(base: str, token: str, path: str, once: bool) -> None:
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE IF NOT EXISTS events (n INTEGER PRIMARY KEY, id TEXT UNIQUE, type TEXT, body TEXT)")
    while True:
        last = db.execute("SELECT id FROM events ORDER BY n DESC LIMIT 1").fetchone()
        fresh, met = poll(base, token, last[0] if last else "")
        if not met:
            print("the feed does not go back to", last[0], "any more: events may be missing", file=sys.stderr)
        with db:  # one transaction: all new events or none
            db.executemany(
                "INSERT OR IGNORE INTO events (id, type, body) VALUES (?, ?, ?)",
                [(event["id"], event["type"], json.dumps(event)) for event in fresh],
            )
        if once:
            return
        time.sleep(PAUSE)


if __name__ == "__main__":
    with open(sys.argv[2], encoding="ascii") as file:
        follow(sys.argv[1].rstrip("/"), file.read().strip(), sys.argv[3], "--once" in sys.argv[4:])
