"""Reports what Rally or OpenSearch Benchmark itself makes of tracks, for `npm run bench -- rally FOLDER` and `-- osb FOLDER`.

Arguments: `rally` or `osb`, the folder, and the names of tracks (all by default). Needs `esrally`, written for 2.13, or
`opensearch-benchmark`, written for 2.4. Prints one line of JSON for each track (workload) below the folder: its challenges (test
procedures) with their schedules according to the benchmark's loader, and for each task the requests that its parameter sources and runners
send once, as a server on this machine receives them.
"""

import asyncio
import contextlib
import copy
import glob
import json
import logging
import os
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

IS_RALLY = sys.argv[1] == "rally"
HOME = tempfile.mkdtemp(prefix="dyno-rally-")
os.environ.setdefault("RALLY_HOME", HOME)
os.environ.setdefault("BENCHMARK_HOME", HOME)
logging.disable(logging.CRITICAL)

# pylint: disable=wrong-import-position
# OpenSearch Benchmark began as a copy of Rally, so its modules differ mostly by their names.
if IS_RALLY:
    from esrally import client, config  # noqa: E402
    from esrally.driver import runner  # noqa: E402
    from esrally.track import loader, params  # noqa: E402

    FILE, PACKAGE, SECTION = "track.json", "esrally", "track"
    FileReader, PluginReader = loader.TrackFileReader, loader.TrackPluginReader
else:
    from osbenchmark import client, config  # noqa: E402
    from osbenchmark.worker_coordinator import runner  # noqa: E402
    from osbenchmark.workload import loader, params  # noqa: E402

    FILE, PACKAGE, SECTION = "workload.json", "osbenchmark", "workload"
    FileReader, PluginReader = loader.WorkloadFileReader, loader.WorkloadPluginReader

# Seconds for one task. Some tasks wait for an answer that this server never gives.
PATIENCE = 4.0
# Number of reported requests of one task. Tasks that page or poll send more.
MOST_REQUESTS = 200

# Contains every field that a runner waits for, with the value that it wants.
ANSWER = {
    "took": 1,
    "timed_out": False,
    "acknowledged": True,
    "errors": False,
    "items": [],
    "id": "id-of-the-answer",
    "task": "node:1",
    "completed": True,
    "_scroll_id": "id-of-the-answer",
    "pit_id": "id-of-the-answer",
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
    "snapshots": [{"state": "SUCCESS", "stats": {"total": {"size_in_bytes": 1, "file_count": 1}, "start_time_in_millis": 0, "time_in_millis": 1}}],
    "version": {"number": "9.1.0", "build_flavor": "default", "build_hash": "0", "lucene_version": "10.0.0"},
    "name": "n",
    "cluster_name": "c",
    "tagline": "You Know, for Search",
    "persistent": {},
    "transient": {},
}


class Recorder(BaseHTTPRequestHandler):
    seen = []
    protocol_version = "HTTP/1.1"

    def answer(self):
        length = int(self.headers.get("content-length") or 0)
        body = self.rfile.read(length).decode("utf-8", "replace") if length else None
        url = urlsplit(self.path)
        Recorder.seen.append(
            {
                "method": self.command,
                "path": url.path,
                "params": dict(parse_qsl(url.query, keep_blank_values=True)),
                "body": body[:2_000_000] if body else None,
            }
        )
        text = json.dumps(ANSWER).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("x-elastic-product", "Elasticsearch")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)

    do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = answer

    def log_message(self, *_):
        pass


def configuration():
    cfg = config.Config()
    scope = config.Scope.application
    for root in ("rally.root", "benchmark.root"):
        cfg.add(scope, "node", root, os.path.dirname(sys.modules[PACKAGE].__file__))
    cfg.add(scope, SECTION, "params", {})
    cfg.add(scope, SECTION, "test.mode.enabled", False)
    cfg.add(scope, "driver", "serverless.mode", False)
    cfg.add(scope, "driver", "serverless.operator", False)
    return cfg


@contextlib.asynccontextmanager
async def request_context(es):
    """Both benchmarks time requests in a context, which only Rally enters synchronously."""
    if IS_RALLY:
        with es.new_request_context():
            yield
    else:
        async with es.new_request_context():
            yield


async def requests_of(task, the_track, es):
    """Returns the requests that a task sends once."""
    Recorder.seen.clear()
    operation = task.operation
    given = copy.deepcopy(operation.params)
    if operation.param_source:
        source = params.param_source_for_name(operation.param_source, the_track, given)
    else:
        source = params.param_source_for_operation(operation.type, the_track, given, task.name)
    if operation.type == "bulk" and not operation.param_source:
        return {
            "bulk": {
                "size": source.bulk_size,
                "percentage": source.ingest_percentage,
                "pipeline": source.pipeline,
                "conflicts": source.id_conflicts.name,
                "files": [
                    [docs.document_file, docs.number_of_documents, docs.target_index or docs.target_data_stream]
                    for corpus in source.corpora
                    for docs in corpus.documents
                ],
            }
        }
    part = source.partition(0, 1)
    sent = runner.runner_for(operation.type)
    given = {"operation-type": operation.type, **part.params()}
    if operation.type == "sleep":
        return {"sleep": given["duration"]}
    try:
        async with request_context(es), sent as ready:
            await asyncio.wait_for(ready({"default": es}, given), PATIENCE)
    except asyncio.TimeoutError:
        await asyncio.sleep(0.3)
        raise
    return {"requests": list(Recorder.seen[:MOST_REQUESTS])}


async def recorded(task, the_track, es):
    try:
        sent = await requests_of(task, the_track, es)
    # pylint: disable=broad-except
    except BaseException as error:
        # Requests that are still on their way must not count for the next task.
        await asyncio.sleep(0.3)
        sent = {"requests": list(Recorder.seen[:MOST_REQUESTS]), "error": f"{type(error).__name__}: {error}"[:300]}
    return {
        "name": task.name,
        "type": task.operation.type,
        "source": task.operation.param_source,
        "clients": task.clients,
        "warmup-iterations": task.warmup_iterations,
        "iterations": task.iterations,
        "warmup-time-period": task.warmup_time_period,
        "time-period": task.time_period,
        "ramp-up-time-period": task.ramp_up_time_period,
        "rate": rate_of(task),
        **sent,
    }


def rate_of(task):
    """Returns the target throughput of Rally's task over all clients, in its own unit per second."""
    found = task.target_throughput
    return None if found is None else [found.value, found.unit]


async def main(root, port):
    hosts = [{"host": "127.0.0.1", "port": port}]
    if IS_RALLY:
        runner.register_default_runners(configuration())
        es = client.EsClientFactory(hosts, {"use_ssl": False}, distribution_version="9.1.0").create_async(client_id=0)
    else:
        runner.register_default_runners()
        es = client.OsClientFactory(hosts, {}).create_async()
    only = sys.argv[3:]
    for file in sorted(glob.glob(os.path.join(root, "**", FILE), recursive=True)):
        folder = os.path.dirname(file)
        name = os.path.relpath(folder, root)
        if only and name not in only:
            continue
        line = {"track": name}
        try:
            the_track = FileReader(configuration()).read(name, file, folder)
            processors = []
            plugins = PluginReader(folder, runner.register_runner, lambda *_: None, processors.append)
            # A plugin that misses something on this machine must not hide the rest of its track.
            try:
                if plugins.can_load():
                    plugins.load()
                for processor in processors:
                    getattr(processor, "on_after_load_track", lambda _: None)(the_track)
            # pylint: disable=broad-except
            except BaseException as error:
                line["plugins"] = f"{type(error).__name__}: {error}"[:300]
            line["challenges"] = []
            for challenge in the_track.challenges if IS_RALLY else the_track.test_procedures:
                # Parameter sources change the track that they are given, and Rally executes one challenge at a time.
                own = copy.deepcopy(the_track)
                schedule = [[await recorded(task, own, es) for task in group] for group in challenge.schedule]
                line["challenges"].append({"name": challenge.name, "default": challenge.default, "schedule": schedule})
        # pylint: disable=broad-except
        except BaseException as error:
            line["error"] = f"{type(error).__name__}: {error}"[:500]
        print(json.dumps(line), file=answers, flush=True)
    await es.close()


if __name__ == "__main__":
    # Plugins of tracks also write to standard output.
    answers, sys.stdout = sys.stdout, sys.stderr
    server = ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    tracks = os.path.abspath(sys.argv[2])
    # Operations of some workloads write files to the current folder.
    os.chdir(HOME)
    asyncio.run(main(tracks, server.server_address[1]))
