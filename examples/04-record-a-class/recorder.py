"""Records the calls of concurrent threads as a history that straightedge checks.

One file without dependencies: copy it. Python 3.8 or newer.

    recorder = Recorder("history.jsonl")
    value = recorder.call("client 1", "read", run=lambda: database.read())
    recorder.call("client 2", "write", 5, run=lambda: database.write(5))

Each call is two lines, its events. A lock keeps the lines in the order in which the events happen: the line of a call is
written before the call starts, the line of its end after it has ended. A file that a crash cuts off can still be checked
(`--partial`). Let a process stand for a thread or a task: it makes one call at a time.
"""

import json
import threading


class Recorder:
    """`threw`: errors that are results of the object, such as KeyError. `failed`: errors that prove that the call had no
    effect, such as ConnectionRefusedError. After any other error, the call may have taken effect or not.
    """

    def __init__(self, path, threw=(), failed=()):
        self._file = open(path, "w", encoding="utf-8")
        self._lock = threading.Lock()
        self._threw = tuple(threw)
        self._failed = tuple(failed)

    def call(self, process, method, *args, run, object=None):
        """Calls `run` and records it as `method(*args)` by `process`. Returns or raises what `run` does."""
        who = {"process": process} if object is None else {"process": process, "object": object}
        self._write({"type": "call", **who, "method": method, "args": list(args)})
        try:
            result = run()
        except self._threw as error:
            self._write({"type": "throw", **who, "threw": type(error).__name__})
            raise
        except self._failed as error:
            self._write({"type": "failed", **who, "failed": repr(error)})
            raise
        except BaseException as error:
            self._write({"type": "unknown", **who, "unknown": repr(error)})
            raise
        self._write({"type": "return", **who, "result": result})
        return result

    def annotate(self, text):
        """Records another event, such as an injected fault."""
        self._write({"annotation": text})

    def close(self):
        self._file.close()

    def _write(self, event):
        line = json.dumps(event, ensure_ascii=False, allow_nan=False)
        with self._lock:
            self._file.write(line + "\n")
            self._file.flush()
