/** Runs the real command on every file in `files/`, with a real Elasticsearch. The cases are in cases.ts. */
import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { workplace, type Workplace } from '../integration/support/dyno';
import { ask, sharedElasticsearch } from '../integration/support/elasticsearch';
import { until } from '../support/until';
import { CASES, type InputCase } from './cases';

const FILES = path.join(__dirname, 'files');
/** Number of parallel commands that measure nothing. They run beside the one command that measures. */
const LOOKS = 2;
/** Number of documents in the corpus that is so small that it ends in the warm-up. */
const LINES = 2000;

jest.setTimeout(240_000);

const url = sharedElasticsearch();
const places: Workplace[] = [];
const proxies: ChildProcess[] = [];

interface Outcome {
  code: number | null;
  printed: string;
  wire: string;
  folder: string;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** Starts a proxy in front of the cluster. Resolves when it listens. */
async function startProxy(
  [tool, ...modes]: NonNullable<InputCase['proxy']>,
  log: string,
): Promise<{ address: string; end: () => void }> {
  const port = await freePort();
  const file = path.join(__dirname, `${tool}-proxy.mjs`);
  const logging = tool === 'wire' ? ['--log', log] : [];
  const child = spawn(process.execPath, [file, '--port', String(port), '--to', url(), ...logging, ...modes], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  proxies.push(child);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await until('the proxy', () => output.includes('listening'));
  return { address: `http://127.0.0.1:${port}`, end: () => child.kill() };
}

/** Creates a folder with the input files, and with a corpus that is too large for the repository. */
function folderOf({ env }: InputCase): Workplace {
  const place = workplace(env);
  places.push(place);
  cpSync(FILES, place.folder, { recursive: true });
  mkdirSync(path.join(place.folder, 'docs-per-second'));
  const lines = Array.from({ length: LINES }, (_, n) => `${JSON.stringify({ n, t: `k${n % 10}` })}\n`);
  writeFileSync(path.join(place.folder, 'docs-per-second', 'lines.json'), lines.join(''));
  return place;
}

async function carryOut(one: InputCase): Promise<Outcome> {
  const place = folderOf(one);
  for (const [method, at, body] of one.before ?? []) {
    const { status } = await ask(method, `${url()}${at}`, body as Record<string, unknown>);
    if (status >= 300) throw new Error(`${method} ${at} was answered with ${status}`);
  }
  const log = path.join(place.folder, 'wire.log');
  const proxy = one.proxy && (await startProxy(one.proxy, log));
  const address = proxy ? `${proxy.address}${one.path ?? ''}` : url();
  const target = one.besideCluster ? `${url()},${address}` : address;
  const more =
    one.command[0] === 'run' ? ['--elasticsearch', target, '--results', url(), '--no-collector'] : [];
  const { code, stdout, stderr } = await place.dyno(...one.command, ...more);
  proxy?.end();
  return {
    code,
    printed: `${stdout}\n${stderr}`,
    wire: existsSync(log) ? readFileSync(log, 'utf8') : '',
    folder: place.folder,
  };
}

/** Returns the text of a file, or of all files below a folder. */
function textOf(at: string): string {
  if (!existsSync(at)) return '';
  if (!statSync(at).isDirectory()) return readFileSync(at, 'utf8');
  return readdirSync(at, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(at, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

const outcomes = new Map<InputCase, Promise<Outcome>>();

/** Starts all commands. Runs measure one at a time on the cluster, and commands that only read files run in parallel. */
beforeAll(() => {
  const lane = (cases: readonly InputCase[]): void => {
    let last: Promise<unknown> = Promise.resolve();
    for (const one of cases) {
      const outcome = last.then(() => carryOut(one));
      last = outcome.catch(() => undefined);
      outcomes.set(one, outcome);
    }
  };
  const isRun = ({ command: [name] }: InputCase): boolean => name === 'run';
  lane(CASES.filter(isRun));
  const looks = CASES.filter((one) => !isRun(one));
  for (let at = 0; at < LOOKS; at += 1) lane(looks.filter((_, number) => number % LOOKS === at));
});

afterAll(async () => {
  await Promise.allSettled(outcomes.values());
  for (const proxy of proxies) proxy.kill();
  for (const place of places) place.remove();
});

/** Returns descriptions of what differs from the expected outcome of a case. */
function unmetBy(
  { code, printed, wire, folder }: Outcome,
  { exitCode, says, never, wire: sent, wrote }: InputCase['expect'],
): string[] {
  const missing = (where: string, text: string, patterns: readonly RegExp[] = []): string[] =>
    patterns.filter((one) => !one.test(text)).map((one) => `${where} lacks ${String(one)}`);
  const found = (where: string, text: string, patterns: readonly RegExp[] = []): string[] =>
    patterns.filter((one) => one.test(text)).map((one) => `${where} contains ${String(one)}`);
  // The output is wrapped at the width of a terminal.
  const unwrapped = printed.replaceAll(/\s+/g, ' ');
  const text = wrote === undefined ? '' : textOf(path.join(folder, wrote.path));
  const isGood = exitCode === 'any' || (exitCode === 'not 0' ? code !== 0 : code === exitCode);
  return [
    ...(isGood ? [] : [`exit code ${code} instead of ${exitCode}`]),
    ...missing('the output', unwrapped, says),
    ...found('the output', `${printed}\n${unwrapped}`, never),
    ...missing('the wire', wire, sent?.has),
    ...found('the wire', wire, sent?.never),
    ...missing(`${wrote?.path}`, text, wrote?.has),
    ...found(`${wrote?.path}`, text, wrote?.never),
  ];
}

/** Maximum number of characters of the output that are shown. */
const MOST_SHOWN = 4000;

test.each(CASES.map((one): [string, InputCase] => [one.name, one]))('%s', async (_, one) => {
  const outcome = await outcomes.get(one)!;
  const unmet = unmetBy(outcome, one.expect);
  expect(unmet.length === 0 ? [] : [...unmet, outcome.printed.slice(0, MOST_SHOWN)]).toEqual([]);
});

test('every file has a case', () => {
  const named = new Set(CASES.flatMap(({ files }) => files));
  expect(readdirSync(FILES).filter((file) => !named.has(file))).toEqual([]);
  expect([...named].filter((file) => !existsSync(path.join(FILES, file)))).toEqual([]);
});
