/**
 * Records the requests to the simulated shop with `dyno record`, and replays this recording on a fresh index with `dyno run`. The replay is
 * recorded too. The second recording shows when each replayed request arrived.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Report } from '../../common/report/model/report';
import type { TrafficRecord } from '../../common/traffic/record';
import { readTraffic } from '../../server/traffic-file/read-traffic';
import { MARK, SHOP_INDEX, useShop, type ShopSize } from './made-shop';

export interface ReplayedDay {
  speed: number;
  /** Number of requests to the simulated shop in the first recording. */
  recorded: number;
  arrived: number;
  /** Requests (client and number) of the first recording that did not reach the target in the replay. */
  missing: string[];
  /**
   * Number of replayed requests that reached the target too early: before the response to the previous request of the same recorded
   * connection.
   */
  outOfOrder: number;
  /**
   * Duration of the replay divided by the expected duration (the recorded duration divided by the speed). 1 means that the replay kept the
   * pace exactly.
   */
  pace: number;
  /** Delay with which replayed requests arrived, relative to the first request: 50th and 99th percentile, in ms. */
  lateMs: { p50: number; p99: number };
  report: Report;
  /** Output of `dyno run`. */
  output: string;
}

export interface Place {
  /** Path of the built command. */
  command: string;
  folder: string;
  elasticsearch: string;
}

/** Runs `dyno record` while `work` sends requests to its address. */
async function recorded<T>(
  { command, folder, elasticsearch }: Place,
  file: string,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const args = ['record', '--target', elasticsearch, '--listen', '127.0.0.1:0', '--to', file];
  const child = spawn(process.execPath, [command, ...args], {
    env: { ...process.env, DYNO_DATA: path.join(folder, 'data'), NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const ended = once(child, 'close');
  try {
    const url = await new Promise<string>((resolve, reject) => {
      const look = (chunk: Buffer): void => {
        output += chunk.toString();
        const found = /http:\/\/127\.0\.0\.1:(\d+)/.exec(output.replaceAll(elasticsearch, ''));
        if (found !== null) resolve(found[0]);
      };
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      void ended.then(() => {
        reject(new Error(`dyno record ended:\n${output}`));
      });
    });
    return await work(url);
  } finally {
    child.kill('SIGINT');
    await ended;
  }
}

/** Records the requests to the simulated shop, whose index is empty at the beginning. Returns the path of the recording. */
export async function recordDay(place: Place, size: ShopSize): Promise<string> {
  const file = path.join(place.folder, 'day.traffic.gz');
  await fetch(`${place.elasticsearch}/shop`, { method: 'DELETE' });
  const { settings, mapping: mappings } = SHOP_INDEX;
  const made = await fetch(`${place.elasticsearch}/shop`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ settings, mappings }),
  });
  if (!made.ok) throw new Error(await made.text());
  await recorded(place, file, (url) => useShop(url, size));
  return file;
}

interface Marked extends TrafficRecord {
  client: string;
  number: number;
}

/** Returns the requests to the simulated shop in a file of recorded traffic. */
async function markedIn(file: string): Promise<Marked[]> {
  const found: Marked[] = [];
  for await (const record of (await readTraffic(file)).records) {
    const mark = MARK.exec(record.query);
    if (mark !== null) found.push({ ...record, client: mark[1]!, number: Number(mark[2]) });
  }
  return found;
}

/** Replays a recorded day at a speed. `seconds`: length of the recording, in s. */
export async function replayDay(
  place: Place,
  file: string,
  { speed, seconds, more = {} }: { speed: number; seconds: number; more?: object },
): Promise<ReplayedDay> {
  const { folder, command } = place;
  const [definition, report] = [
    path.join(folder, `day-${speed}.json`),
    path.join(folder, `day-${speed}.report.json`),
  ];
  const content = {
    version: 1,
    name: `day at speed ${speed}`,
    spread: 'given-hosts',
    index: SHOP_INDEX,
    tasks: [{ name: 'day', replay: { file }, executor: { recorded: { speed } } }],
    measure: { warmup: '0s', duration: `${Math.ceil((3 * seconds) / speed) + 20}s` },
    trials: 1,
    ...more,
  };
  writeFileSync(definition, JSON.stringify(content));
  const relayed = path.join(folder, `replay-${speed}-${Date.now()}.traffic.gz`);
  const output = await recorded(place, relayed, async (url) => {
    const args = ['run', definition, '--elasticsearch', url, '--no-collector', '--report', report];
    const child = spawn(process.execPath, [command, ...args], {
      cwd: folder,
      env: { ...process.env, DYNO_DATA: path.join(folder, 'data'), NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`dyno run ended with ${code}:\n${text}`);
    return text;
  });
  const [before, after] = [await markedIn(file), await markedIn(relayed)];
  const arrived = new Set(after.map(keyOf));
  return {
    speed,
    recorded: before.length,
    arrived: after.length,
    outOfOrder: outOfOrder(before, after),
    missing: before.map(keyOf).filter((key) => !arrived.has(key)),
    ...timing(before, after, speed),
    report: JSON.parse(readFileSync(report, 'utf8')) as Report,
    output,
  };
}

const keyOf = ({ client, number }: Marked): string => `${client} ${number}`;

/**
 * Counts the replayed requests that arrived before the response to the previous request of the same recorded connection. `before`: recorded
 * requests. `after`: replayed requests.
 */
function outOfOrder(before: readonly Marked[], after: readonly Marked[]): number {
  const arrived = new Map(after.map((request) => [keyOf(request), request]));
  const previous = new Map<number, Marked>();
  let count = 0;
  for (const recorded of before) {
    const request = arrived.get(keyOf(recorded));
    if (request === undefined) continue;
    const last = previous.get(recorded.connection);
    previous.set(recorded.connection, request);
    if (last !== undefined && request.at < last.at + (last.answer?.durationUs ?? 0)) count += 1;
  }
  return count;
}

function timing(
  before: readonly Marked[],
  after: readonly Marked[],
  speed: number,
): Pick<ReplayedDay, 'pace' | 'lateMs'> {
  const arrivedAt = new Map(after.map((request) => [keyOf(request), request.at]));
  const pairs = before.flatMap((request) => {
    const at = arrivedAt.get(keyOf(request));
    return at === undefined ? [] : [{ recorded: request.at / speed, arrived: at }];
  });
  const [first, last] = [pairs[0]!, pairs.at(-1)!];
  const late = pairs
    .map((pair) => pair.arrived - first.arrived - (pair.recorded - first.recorded))
    .sort((a, b) => a - b);
  const percentile = (share: number): number => late[Math.floor(share * (late.length - 1))]! / 1000;
  return {
    pace: (last.arrived - first.arrived) / (last.recorded - first.recorded),
    lateMs: { p50: percentile(0.5), p99: percentile(0.99) },
  };
}
