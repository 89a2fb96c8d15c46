"""Prints the requests that the Python code of a Rally track makes, for `dyno import rally TRACK --python PYTHON`.

Arguments: the folder of the track, and the name of its file. Standard input: one JSON object with

* `params`: the track parameters,
* `challenge`: the only challenge to expand, or null for all challenges,
* `values`: maximum number of calls of each parameter source.

Rally's own loader reads the track. Each operation with a parameter source or a runner of the track is then called as Rally would call
it, with an Elasticsearch client that records requests instead of sending them. Standard output is one JSON object per line:

* `{"refused": CODE, "message": TEXT}`: nothing can be expanded. CODE is `esrally`, `version` or `track`.
* `{"challenge": NAME, "tasks": [NAME, ...], "corpora": [NAME, ...]}`: the schedule, and the corpora that the code has added.
* `{"challenge": NAME, "task": NAME, ...}`: a task that depends on Python code; see `expand`.
* `{"done": true}`: the last line.

JSON that belongs to the track (bodies of requests, parameters of operations) is printed as text, so that its numbers keep their notation.
"""

import asyncio
import contextlib
import copy
import importlib
import json
import logging
import os
import random
import signal
import sys
import time
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

OLDEST = (2, 11)
NEXT_MAJOR = (3, 0)
SUPPORTED = "2.11 or later, before 3.0"

# Limits for one task.
MOST_SECONDS = 30
# Number of characters of all requests, and number of characters in which they differ from the first call.
MOST_CHARACTERS = 64_000_000
MOST_DIFFERING = 4_000_000
MOST_REQUESTS_PER_CALL = 100
# Number of equal results after which a parameter source counts as constant.
ALIKE = 50

# A request that contains this text depends on the answer to an earlier request.
ID = "dyno-id-of-an-answer"

# The answer to every request. It reports success in the form of every API that a runner is likely to call.
ANSWER = {
    "took": 1,
    "timed_out": False,
    "acknowledged": True,
    "errors": False,
    "items": [],
    "total": 1,
    "id": ID,
    "task": f"{ID}:1",
    "completed": True,
    "_scroll_id": ID,
    "pit_id": ID,
    "is_running": False,
    "is_partial": False,
    "status": "green",
    "relocating_shards": 0,
    "number_of_data_nodes": 1,
    "hits": {"total": {"value": 1, "relation": "eq"}, "hits": []},
    "_shards": {"total": 1, "successful": 1, "skipped": 0, "failed": 0},
    "_all": {"total": {"merges": {"current": 0}}},
    "columns": [],
    "values": [],
    "rows": [],
    "nodes": {},
    "count": 1,
    "profile": {},
    "snapshots": [{"state": "SUCCESS", "stats": {"total": {"size_in_bytes": 1, "file_count": 1}, "start_time_in_millis": 0, "time_in_millis": 1}}],
    "version": {"number": "9.1.0", "build_flavor": "default", "build_hash": "0", "lucene_version": "10.0.0"},
    "name": "node",
    "cluster_name": "cluster",
    "tagline": "You Know, for Search",
    "persistent": {},
    "transient": {},
}

# Headers that the client itself adds. They are not part of a request.
OWN_HEADERS = {"accept", "accept-encoding", "authorization", "connection", "content-type", "user-agent", "x-elastic-client-meta"}

# Actions that the code of a track must not take here: using the network, or starting a program that could use it.
FORBIDDEN = {
    "socket.connect": "use the network",
    "socket.bind": "use the network",
    "socket.sendto": "use the network",
    "socket.sendmsg": "use the network",
    "socket.getaddrinfo": "use the network",
    "socket.gethostbyname": "use the network",
    "subprocess.Popen": "start programs",
    "os.system": "start programs",
    "os.exec": "start programs",
    "os.posix_spawn": "start programs",
    "os.spawn": "start programs",
    "os.fork": "start programs",
    "os.forkpty": "start programs",
    "pty.spawn": "start programs",
}


# This class derives from BaseException, so that no `except Exception` in a track catches it.
class Stopped(BaseException):
    """The call of an operation was stopped. The message is the end of a sentence about the operation."""


class Answer(NamedTuple):
    meta: object
    body: bytes


def forbid(event, _):
    if event in FORBIDDEN:
        raise PermissionError(f"the code of a track must not {FORBIDDEN[event]} during the import")


def words(error):
    """Describes the first cause of an error in one line."""
    while error.__cause__ is not None or error.__context__ is not None:
        error = error.__cause__ or error.__context__
    text = " ".join(str(error).split())[:400]
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f"{text}; install it into this Python"
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def common_length(length, is_common):
    """Returns the greatest number up to `length` for which `is_common` is true. It must be true for all smaller numbers too."""
    low = 0
    while low < length:
        middle = (low + length + 1) // 2
        if is_common(middle):
            low = middle
        else:
            length = middle - 1
    return low


def differing(one, other):
    """Returns the length of the part of `one` between the beginning and the end that it has in common with `other`."""
    shortest = min(len(one), len(other))
    begin = common_length(shortest, lambda length: one[:length] == other[:length])
    return len(one) - begin - common_length(shortest - begin, lambda length: length == 0 or one[-length:] == other[-length:])


def say(**line):
    print(json.dumps(line), file=answers, flush=True)


def refuse(code, message):
    say(refused=code, message=message)
    sys.exit(0)


def import_rally():
    """Imports the parts of Rally that are needed, as global names."""
    try:
        found = importlib.import_module("esrally._version").__version__
    except ImportError as error:
        if (error.name or "").split(".")[0] == "esrally":
            refuse("esrally", "has no esrally")
        refuse("esrally", f"cannot import esrally: {words(error)}")
    number = tuple(int(part) for part in found.split(".")[:2] if part.isdigit())
    if not OLDEST <= number < NEXT_MAJOR:
        refuse("version", f"has esrally {found}; supported is esrally {SUPPORTED}")
    try:
        for name, module in {
            "client": "esrally.client",
            "config": "esrally.config",
            "runner": "esrally.driver.runner",
            "loader": "esrally.track.loader",
            "params": "esrally.track.params",
            "transport": "elastic_transport",
        }.items():
            globals()[name] = importlib.import_module(module)
    # pylint: disable=broad-except
    except Exception as error:
        refuse("esrally", f"cannot import esrally {found}: {words(error)}")


def configuration(track_params):
    cfg = config.Config()
    scope = config.Scope.application
    cfg.add(scope, "node", "rally.root", os.path.dirname(sys.modules["esrally"].__file__))
    cfg.add(scope, "track", "params", track_params)
    cfg.add(scope, "track", "params.ignore_unused", True)
    cfg.add(scope, "track", "test.mode.enabled", False)
    cfg.add(scope, "driver", "serverless.mode", False)
    cfg.add(scope, "driver", "serverless.operator", False)
    return cfg


class Recorder:
    """Records requests instead of sending them over the client's connections, and answers all of them with success."""

    def __init__(self):
        self.requests = []

    def client(self):
        es = client.EsClientFactory(
            [{"host": "127.0.0.1", "port": 9200}], {"use_ssl": False}, distribution_version="9.1.0"
        ).create_async(client_id=0)
        for node in es.transport.node_pool.all():
            node.perform_request = self.record(es, node)
        return es

    def record(self, es, node):
        async def perform_request(method, target, body=None, headers=None, **_):
            # Runners compute times from these two calls.
            es.on_request_start()
            es.on_request_end()
            url = urlsplit(target)
            given = {name.lower(): value for name, value in (headers or {}).items()}
            self.requests.append(
                {
                    "method": method,
                    "path": url.path,
                    "params": dict(parse_qsl(url.query, keep_blank_values=True)),
                    "headers": {name: value for name, value in given.items() if name not in OWN_HEADERS},
                    "type": given.get("content-type"),
                    "body": body.decode("utf-8") if isinstance(body, bytes) else body,
                }
            )
            if len(self.requests) > MOST_REQUESTS_PER_CALL:
                raise Stopped(f"sends more than {MOST_REQUESTS_PER_CALL} requests in one call")
            meta = transport.ApiResponseMeta(
                node=node.config,
                duration=0.001,
                http_version="1.1",
                status=200,
                headers=transport.HttpHeaders({"content-type": "application/json", "x-elastic-product": "Elasticsearch"}),
            )
            return Answer(meta, b"" if method == "HEAD" else json.dumps(ANSWER).encode())

        return perform_request


async def calls_of(task, track, most):
    """Returns the requests of each call of a task: a list of lists."""
    operation = task.operation
    given = copy.deepcopy(operation.params)
    if operation.param_source:
        source = params.param_source_for_name(operation.param_source, track, given)
    else:
        source = params.param_source_for_operation(operation.type, track, given, task.name)
        # If the track has no parameter source for the operation, every call has the same parameters.
        most = 1
    part = source.partition(0, 1)
    recorder = Recorder()
    es = recorder.client()
    calls = []
    first = None
    size = 0
    different = 0
    begun = time.monotonic()
    while len(calls) < most and size < MOST_CHARACTERS and different < MOST_DIFFERING and time.monotonic() - begun < MOST_SECONDS / 2:
        try:
            own = {"operation-type": operation.type, **part.params()}
        except StopIteration:
            break
        if any("stream" in one for one in own.get("requests") or [] if isinstance(one, dict)):
            raise Stopped("sends several streams of requests at once")
        recorder.requests = []
        with es.new_request_context():
            async with runner.runner_for(operation.type) as ready:
                await ready({"default": es}, own)
        text = json.dumps(recorder.requests)
        if ID in text:
            raise Stopped("puts values of answers into later requests")
        calls.append(recorder.requests)
        first = first or text
        size += len(text)
        different += differing(text, first)
        if len(calls) == ALIKE and all(one == calls[0] for one in calls):
            return calls[:1]
    if not calls:
        raise Stopped("has a parameter source that returns no parameters")
    return calls


def out_of_time(*_):
    raise Stopped(f"takes longer than {MOST_SECONDS} s")


async def no_sleep(delay, result=None):
    if delay > 0:
        raise Stopped("waits between its requests")
    return result


def expand(task, track, most):
    """Calls a task. Returns `calls`, or `error` (a failure of the code) or `left` (why it cannot become a definition)."""
    # The seed is fixed, so that two imports of the same track draw the same values.
    random.seed(0)
    signal.setitimer(signal.ITIMER_REAL, MOST_SECONDS)
    try:
        return {"calls": asyncio.run(calls_of(task, track, most))}
    except Stopped as stopped:
        return {"left": str(stopped)}
    # pylint: disable=broad-except
    except (Exception, SystemExit) as error:
        return {"error": words(error)}
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def tasks_of(challenge):
    return [task for group in challenge.schedule for task in group]


def expand_challenge(name, whole, processors, own_runners, most):
    # The track is copied, because parameter sources and processors change it. Rally executes one challenge at a time.
    track = copy.deepcopy(whole)
    challenge = next(one for one in track.challenges if one.name == name)
    for one in track.challenges:
        one.selected = one is challenge
    written = {task.name: copy.deepcopy(task.operation.params) for task in tasks_of(challenge)}
    corpora = {corpus.name for corpus in track.corpora}
    failure = None
    for processor in processors:
        try:
            getattr(processor, "on_after_load_track", lambda _: None)(track)
        # pylint: disable=broad-except
        except (Exception, SystemExit) as error:
            failure = failure or words(error)
    tasks = tasks_of(challenge)
    say(
        challenge=name,
        tasks=[task.name for task in tasks],
        corpora=[corpus.name for corpus in track.corpora if corpus.name not in corpora],
        **({} if failure is None else {"failure": failure}),
    )
    for task in tasks:
        if os.getppid() != parent:
            # The process of the import has ended, so nobody reads the output.
            sys.exit(1)
        operation = task.operation
        line = {}
        if written.get(task.name) != operation.params:
            try:
                line["params"] = json.dumps(operation.params, allow_nan=False)
            except (TypeError, ValueError) as error:
                line["error"] = words(error)
        # Bulks send documents, which a definition reads from the files of a corpus.
        if operation.type != "bulk" and (operation.param_source or operation.type in own_runners):
            line["runner"] = operation.type in own_runners
            line.update(expand(task, track, most))
        if line:
            say(challenge=name, task=task.name, **line)


def main(folder, file, order):
    import_rally()
    cfg = configuration(order["params"])
    runner.register_default_runners(cfg)
    try:
        track = loader.TrackFileReader(cfg).read(os.path.basename(folder), os.path.join(folder, file), folder)
    # pylint: disable=broad-except
    except (Exception, SystemExit) as error:
        refuse("track", words(error))
    own_runners = set()
    processors = []

    def register(name, one, **more):
        own_runners.add(str(name))
        runner.register_runner(name, one, **more)

    sys.addaudithook(forbid)
    asyncio.sleep = no_sleep
    signal.signal(signal.SIGALRM, out_of_time)
    plugins = loader.TrackPluginReader(folder, register, lambda *_: None, processors.append)
    try:
        if plugins.can_load():
            plugins.load()
    # pylint: disable=broad-except
    except (Exception, SystemExit) as error:
        refuse("track", f"its Python code does not load: {words(error)}")
    for challenge in track.challenges:
        if order["challenge"] in (None, challenge.name):
            expand_challenge(challenge.name, track, processors, own_runners, order["values"])
    say(done=True)


if __name__ == "__main__":
    # The import reads only `answers`. Output of Rally and the track must not get into it.
    parent = os.getppid()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.dont_write_bytecode = True
    logging.disable(logging.CRITICAL)
    with contextlib.redirect_stdout(sys.stderr):
        main(os.path.abspath(sys.argv[1]), sys.argv[2], json.load(sys.stdin))
