import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Expansion } from '../../common/import/rally/expansion';
import { DynoError, describeProblem } from '../../common/problem';
import { expandTrack, TRACK_REFUSED, type ExpandOrder } from './rally-python';
import { fakeRally } from './testing/fake-esrally';

const SCRIPT = path.resolve('server/import/rally-expand.py');
const hasPython = spawnSync('python3', ['--version']).status === 0;
const withPython = hasPython ? describe : describe.skip;

let folder: string;
let python: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'dyno-expand-'));
  mkdirSync(path.join(folder, 'shop'));
  if (hasPython) python = fakeRally(path.join(folder, 'rally'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const expand = (operation: object, code: string, more: Partial<ExpandOrder> = {}): Promise<Expansion> => {
  const shop = path.join(folder, 'shop');
  writeFileSync(path.join(shop, 'track.json'), JSON.stringify({ schedule: [{ operation }] }));
  writeFileSync(path.join(shop, 'track.py'), code);
  const order = { python, script: SCRIPT, folder: shop, file: 'track.json', challenge: null, params: {} };
  return expandTrack({ ...order, values: 5, ...more });
};

const refusal = async (work: Promise<Expansion>): Promise<string> => {
  const error: unknown = await work.catch((caught: unknown) => caught);
  if (!(error instanceof DynoError)) throw new Error('is not refused');
  return describeProblem(error.problems[0]!);
};

const FIND = { name: 'find', 'operation-type': 'search', 'param-source': 'mine' };
const source = (body: string): string => `
from itertools import count
numbers = count()

def mine(track, params):
    number = next(numbers)
    ${body}

def register(registry):
    registry.register_param_source("mine", mine)
`;
const runner = (body: string): string => `
import asyncio, os, socket, subprocess, time

async def own(es, params):
    ${body}

def register(registry):
    registry.register_runner("own", own, async_runner=True)
`;
const OWN = { name: 'do', 'operation-type': 'own', key: 'value' };

withPython('a Python with Rally (needs python3 on the PATH)', () => {
  test('reports the requests of several calls of a parameter source, with exact numbers in their order', async () => {
    const code = source(
      'return {"index": "shop", "body": {"size": 1.0, "9": 9007199254740993 + number, "b": params["n"]}}',
    );
    const expansion = await expand(FIND, code, { values: 2, params: { n: 7 } });
    expect(expansion.task('default', 'find')!.calls).toEqual(
      [3, 4].map((end) => [
        {
          method: 'GET',
          path: '/shop/_search',
          params: { request_cache: 'false' },
          headers: {},
          type: 'application/json',
          body: `{"size":1.0,"9":900719925474099${end},"b":7}`,
        },
      ]),
    );
    expect(expansion.schedule('default')).toMatchObject({ tasks: ['find'], corpora: [] });
  });

  test('calls a source that never changes until that is certain, and reports it once', async () => {
    const code = source('return {"index": "shop", "body": {}}');
    const expansion = await expand(FIND, code, { values: 1000 });
    expect(expansion.task('default', 'find')!.calls).toHaveLength(1);
  });

  test('reports what a runner of the track sends, and what a track processor changes', async () => {
    const code = `${runner('await es.perform_request("POST", "/_x/" + params["key"], {"a": 1})')}
    registry.register_track_processor(Processor())

class Processor:
    def on_after_load_track(self, track):
        track.challenges[0].schedule[0][0].operation.params["key"] = "changed"
`;
    const task = (await expand(OWN, code)).task('default', 'do')!;
    expect(task).toMatchObject({ runner: true, params: '{"name": "do", "key": "changed"}' });
    expect(task.calls).toMatchObject([[{ method: 'POST', path: '/_x/changed', body: '{"a":1}' }]]);
  });

  test.each([
    [
      'uses an answer',
      'await es.perform_request("GET", "/_x/" + (await es.perform_request("GET", "/"))["id"])',
      { left: 'puts values of answers into later requests' },
    ],
    ['waits', 'await asyncio.sleep(30)', { left: 'waits between its requests' }],
    [
      'never ends',
      'while True: await es.perform_request("GET", "/")',
      { left: 'sends more than 100 requests in one call' },
    ],
    ['fails', 'raise ValueError("no such thing")', { error: 'ValueError: no such thing' }],
    [
      'lacks a module',
      'import no_such_module',
      { error: "No module named 'no_such_module'; install it into this Python" },
    ],
    [
      'opens a connection',
      'socket.create_connection(("127.0.0.1", 9))',
      { error: expect.stringContaining('must not use the network') },
    ],
    [
      'starts a program',
      'subprocess.run(["true"])',
      { error: expect.stringContaining('must not start programs') },
    ],
    ['starts a shell', 'os.system("true")', { error: expect.stringContaining('must not start programs') }],
  ])('reports that a runner %s', async (_, body, found) => {
    const task = (await expand(OWN, runner(body))).task('default', 'do')!;
    expect(task.calls).toBeUndefined();
    expect(task).toMatchObject(found);
  });

  test('does not mix what the track prints with the output', async () => {
    const code = source('print("noise"); os.write(1, b"noise"); return {"index": "shop", "body": {}}');
    const expansion = await expand(FIND, `import os\n${code}`);
    expect(expansion.task('default', 'find')!.calls).toHaveLength(5);
  });

  test('does not pass secrets of the environment to the code of the track, and leaves no files', async () => {
    process.env['DYNO_TEST_PASSWORD'] = 'Hunter2';
    const code = source(
      'return {"index": "shop", "body": {"e": [os.environ.get("DYNO_TEST_PASSWORD"), os.environ["RALLY_HOME"]]}}',
    );
    const expansion = await expand(FIND, `import os\n${code}`);
    delete process.env['DYNO_TEST_PASSWORD'];
    const { e } = JSON.parse(expansion.task('default', 'find')!.calls![0]![0]!.body!) as { e: string[] };
    expect(e[0]).toBeNull();
    expect(existsSync(e[1]!)).toBe(false);
    expect(readdirSync(path.join(folder, 'shop')).sort()).toEqual(['track.json', 'track.py']);
  });

  test('is refused if it has no esrally, and the error says how to install it', async () => {
    python = fakeRally(path.join(folder, 'bare'), null);
    expect(await refusal(expand(FIND, ''))).toMatch(/has no esrally.*pip install "esrally>=2.11,<3"/);
  });

  test.each(['1.4.1', '2.9.0', '3.0.0'])(
    'is refused with esrally %s, with the versions that are supported',
    async (version) => {
      python = fakeRally(path.join(folder, 'other'), version);
      expect(await refusal(expand(FIND, ''))).toContain(
        `has esrally ${version}; supported is esrally 2.11 or later, before 3.0`,
      );
    },
  );

  test('refuses a track that it cannot load, with the reason', async () => {
    const work = expand(FIND, 'import no_such_module');
    expect(await refusal(work)).toContain("its Python code does not load: No module named 'no_such_module'");
    await expect(work).rejects.toMatchObject({ problems: [{ code: TRACK_REFUSED }] });
  });

  test('is stopped when it takes too long', async () => {
    const message = await refusal(expand(OWN, runner('time.sleep(60)'), { limit: 2000 }));
    expect(message).toContain('took longer than 2s to expand the track');
  });

  test('that ends early is refused with the last line of its output', async () => {
    expect(await refusal(expand(OWN, 'import os\nos.write(2, b"last words")\nos._exit(3)'))).toContain(
      'ended before it had expanded the track: last words',
    );
  });
});

test('a program that is missing or not Python is refused, and the error says how to get one', async () => {
  python = path.join(folder, 'none');
  expect(await refusal(expand(FIND, ''))).toMatch(/no such program exists.*pip install "esrally>=2.11,<3"/);
  writeFileSync(python, '#!/bin/sh\necho hello\n');
  chmodSync(python, 0o755);
  expect(await refusal(expand(FIND, ''))).toContain('printed a line that is not from the script of Dyno');
});
