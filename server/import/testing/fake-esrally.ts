/**
 * Creates a Python interpreter with a small replacement of the package `esrally`. It has the part of Rally's interface that
 * `rally-expand.py` uses. It reads a track as plain JSON, and its client writes bodies as the client of Elasticsearch does.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FILES: Readonly<Record<string, string>> = {
  'elastic_transport.py': `
class ApiResponseMeta:
    def __init__(self, **fields):
        self.__dict__.update(fields)

HttpHeaders = dict
`,
  'esrally/__init__.py': '',
  'esrally/config.py': `
class Scope:
    application = "application"

class Config:
    def __init__(self):
        self.values = {}

    def add(self, scope, section, key, value):
        self.values[section + "." + key] = value
`,
  'esrally/client.py': `
import contextlib
import json

class Node:
    config = None

class Pool:
    def __init__(self):
        self.nodes = [Node()]

    def all(self):
        return self.nodes

class Transport:
    def __init__(self):
        self.node_pool = Pool()

class Client:
    def __init__(self):
        self.transport = Transport()

    def on_request_start(self):
        pass

    on_request_end = on_request_start

    def new_request_context(self):
        return contextlib.nullcontext()

    async def perform_request(self, method, path, body=None):
        node = self.transport.node_pool.all()[0]
        given = None if body is None else json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        _, text = await node.perform_request(method, path, body=given, headers=headers)
        return json.loads(text)

class EsClientFactory:
    def __init__(self, hosts, options, distribution_version=None):
        pass

    def create_async(self, client_id=None):
        return Client()
`,
  'esrally/driver/__init__.py': '',
  'esrally/driver/runner.py': `
import contextlib

RUNNERS = {}

def register_runner(name, one, **more):
    RUNNERS[name] = one

def register_default_runners(cfg):
    async def search(es, params):
        await es.perform_request("GET", "/%s/_search?request_cache=false" % params["index"], params["body"])
    RUNNERS["search"] = search

def runner_for(name):
    @contextlib.asynccontextmanager
    async def ready():
        async def call(es, params):
            return await RUNNERS[name](es["default"], params)
        yield call
    return ready()
`,
  'esrally/track/__init__.py': '',
  'esrally/track/params.py': `
SOURCES = {}

class Plain:
    def __init__(self, params):
        self.given = params

    def partition(self, index, of):
        return self

    def params(self):
        return self.given

class Delegating(Plain):
    def __init__(self, track, params, function):
        self.call = lambda: function(track, params)

    def params(self):
        return self.call()

def param_source_for_name(name, track, params):
    return Delegating(track, params, SOURCES[name])

def param_source_for_operation(type, track, params, name):
    return Plain(params)
`,
  'esrally/track/loader.py': `
import importlib
import json
import os
import sys
from types import SimpleNamespace as Thing
from esrally.track import params

class TrackFileReader:
    def __init__(self, cfg):
        self.params = cfg.values["track.params"]

    def read(self, name, file, folder):
        with open(file) as one:
            written = json.load(one)
        def task(element):
            given = dict(element["operation"])
            type, source = given.pop("operation-type"), given.get("param-source")
            operation = Thing(name=given.get("name", type), type=type, param_source=source, params={**given, **self.params})
            return [Thing(name=operation.name, operation=operation)]
        challenges = [Thing(name="default", schedule=[task(one) for one in written["schedule"]], selected=False)]
        return Thing(challenges=challenges, corpora=[], indices=[])

class TrackPluginReader:
    def __init__(self, folder, runners, schedulers, processors):
        self.folder = folder
        self.register_runner = runners
        self.register_track_processor = processors

    def register_param_source(self, name, function):
        params.SOURCES[name] = function

    def can_load(self):
        return os.path.exists(os.path.join(self.folder, "track.py"))

    def load(self):
        sys.path.insert(0, self.folder)
        importlib.import_module("track").register(self)
`,
};

/** Writes the interpreter below `folder` and returns its path. `version`: version of `esrally`; null for a Python without it. */
export function fakeRally(folder: string, version: string | null = '2.13.0'): string {
  const library = path.join(folder, 'library');
  const files = { ...FILES, 'esrally/_version.py': `__version__ = "${version}"` };
  mkdirSync(library, { recursive: true });
  for (const [name, text] of Object.entries(version === null ? {} : files)) {
    mkdirSync(path.dirname(path.join(library, name)), { recursive: true });
    writeFileSync(path.join(library, name), text);
  }
  const python = path.join(folder, 'python3');
  writeFileSync(python, `#!/bin/sh\nPYTHONPATH='${library}' exec python3 -S "$@"\n`);
  chmodSync(python, 0o755);
  return python;
}
