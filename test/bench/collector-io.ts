/**
 * Compares the disk and network metrics of Dyno's collector (dynobeat) with the kernel's counters. This process writes, reads and sends
 * data. Over the same time, it reads /proc/diskstats, as iostat does, and /proc/net/dev.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { figure, type Row } from './table';

const LOOK_EVERY_MS = 100;
const WRITE_EVERY_MS = 250;
const WRITE_BYTES = 2 * 1024 ** 2;
/** Size of a sector in /proc/diskstats, in bytes. It does not depend on the disk. */
const SECTOR = 512;
/** Network interfaces whose counters are compared. This process sends over the loopback interface `lo`. */
const INTERFACES = ['lo', 'eth0'];
const LARGEST_DIFFERENCE = 0.01;

const WHAT = ['bytes read', 'bytes written', 'reads', 'writes', 'bytes received', 'bytes sent'] as const;
type Counts = Record<(typeof WHAT)[number], number>;
interface Look extends Counts {
  at: number;
}

async function look(disk: string): Promise<Look> {
  const [disks, interfaces] = await Promise.all([
    readFile('/proc/diskstats', 'utf8'),
    readFile('/proc/net/dev', 'utf8'),
  ]);
  const at = Date.now();
  const own = disks
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find((fields) => fields[2] === disk)!
    .map(Number);
  let [received, sent] = [0, 0];
  for (const line of interfaces.split('\n')) {
    const [name = '', figures = ''] = line.split(':');
    if (!INTERFACES.includes(name.trim())) continue;
    const counts = figures.trim().split(/\s+/).map(Number);
    received += counts[0]!;
    sent += counts[8]!;
  }
  return {
    at,
    'bytes read': own[5]! * SECTOR,
    'bytes written': own[9]! * SECTOR,
    reads: own[3]!,
    writes: own[7]!,
    'bytes received': received,
    'bytes sent': sent,
  };
}

/** Interpolates the kernel's counter for the time `at`: this process and Dyno's collector read the counters at different times. */
function countsAt(looks: readonly Look[], at: number, what: keyof Counts): number {
  const after = looks.find((one) => one.at >= at) ?? looks.at(-1)!;
  const before = looks.findLast((one) => one.at <= at) ?? looks[0]!;
  const part = after.at === before.at ? 0 : (at - before.at) / (after.at - before.at);
  return before[what] + part * (after[what] - before[what]);
}

interface HostEvent {
  '@timestamp': string;
  dyno?: {
    host?: {
      interval?: { ms: number };
      io?: Record<'read' | 'written', { bytes: { change: number } }> &
        Record<'reads' | 'writes', { change: number }>;
      network?: Record<'rx' | 'tx', { bytes: { change: number } }>;
    };
  };
}

/** Generates load until the returned function is called: writes to disk, reads without the page cache, and sends data to itself. */
async function busy(folder: string): Promise<() => Promise<void>> {
  const file = await open(path.join(folder, 'load'), 'w+');
  const block = Buffer.alloc(WRITE_BYTES, 'dyno');
  const server = net.createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const socket = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1');
  let at = 0;
  let working = Promise.resolve();
  const timer = setInterval(() => {
    working = working.then(async () => {
      await file.write(block, 0, block.length, (at % 32) * WRITE_BYTES);
      await file.datasync();
      socket.write(block);
      const skip = Math.max(0, (at % 32) - 4);
      at += 1;
      await new Promise((resolve) =>
        spawn(
          'dd',
          [
            `if=${path.join(folder, 'load')}`,
            'of=/dev/null',
            'iflag=direct',
            'bs=2M',
            'count=1',
            `skip=${skip}`,
          ],
          {
            stdio: 'ignore',
          },
        ).once('exit', resolve),
      );
    });
  }, WRITE_EVERY_MS);
  return async () => {
    clearInterval(timer);
    await working;
    socket.destroy();
    server.close();
    await file.close();
  };
}

async function eventsIn(folder: string): Promise<HostEvent[]> {
  const files = (await readdir(folder)).filter((name) => name.startsWith('events')).sort();
  const texts = await Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8')));
  return texts
    .flatMap((text) => text.split('\n').filter(Boolean))
    .map((line) => JSON.parse(line) as HostEvent)
    .sort((a, b) => (a['@timestamp'] < b['@timestamp'] ? -1 : 1));
}

/**
 * Compares the metrics of Dyno's collector with the kernel's counters for `seconds` seconds. Throws if they differ by more than 1%.
 * `binary`: path of the dynobeat for this machine.
 */
export async function benchCollectorIo(binary: string, disk: string, seconds: number): Promise<Row[]> {
  // The folder is not in /tmp, because /tmp may be in memory.
  const folder = await mkdtemp(path.join(process.cwd(), 'build', 'collector-io-'));
  const configuration = path.join(folder, 'dynobeat.yml');
  await writeFile(
    configuration,
    JSON.stringify({
      'dynobeat.modules': [
        { module: 'dyno', metricsets: ['host'], period: '1s', disks: [disk], interfaces: INTERFACES },
      ],
      'dynobeat.marker.enabled': false,
      'output.file': { path: folder, filename: 'events' },
      'setup.template.enabled': false,
      path: {
        home: folder,
        config: folder,
        data: path.join(folder, 'data'),
        logs: path.join(folder, 'logs'),
      },
    }),
    { mode: 0o600 },
  );
  const end = await busy(folder);
  const looks: Look[] = [];
  const looking = setInterval(() => void look(disk).then((one) => looks.push(one)), LOOK_EVERY_MS);
  const collector = spawn(binary, ['run', '-c', configuration, '--strict.perms=false'], { stdio: 'ignore' });
  try {
    await new Promise((resolve) => setTimeout(resolve, (seconds + 5) * 1000));
    collector.kill('SIGTERM');
    await new Promise((resolve) => collector.once('exit', resolve));
    clearInterval(looking);
    looks.sort((a, b) => a.at - b.at);
    return compared(await eventsIn(folder), looks);
  } finally {
    clearInterval(looking);
    collector.kill('SIGKILL');
    await end();
    await rm(folder, { recursive: true, force: true });
  }
}

function compared(events: readonly HostEvent[], looks: readonly Look[]): Row[] {
  const reported = events.flatMap(({ '@timestamp': at, dyno }) => {
    const { interval, io, network } = dyno?.host ?? {};
    return interval && io && network ? [{ at: Date.parse(at), ms: interval.ms, io, network }] : [];
  });
  const [first, last] = [reported[0], reported.at(-1)];
  if (first === undefined || last === undefined || reported.length < 10)
    throw new Error(`the collector reported ${reported.length} events: too few to compare`);
  const [from, to] = [first.at - first.ms, last.at];
  const ms = reported.reduce((sum, one) => sum + one.ms, 0);
  const changes: Counts = {
    'bytes read': 0,
    'bytes written': 0,
    reads: 0,
    writes: 0,
    'bytes received': 0,
    'bytes sent': 0,
  };
  for (const { io, network } of reported) {
    changes['bytes read'] += io.read.bytes.change;
    changes['bytes written'] += io.written.bytes.change;
    changes.reads += io.reads.change;
    changes.writes += io.writes.change;
    changes['bytes received'] += network.rx.bytes.change;
    changes['bytes sent'] += network.tx.bytes.change;
  }
  const rows = WHAT.map((what) => {
    const collector = (changes[what] * 1000) / ms;
    const kernel = ((countsAt(looks, to, what) - countsAt(looks, from, what)) * 1000) / (to - from);
    return { what, collector, kernel, difference: collector / kernel - 1 };
  });
  const apart = rows.filter(({ difference }) => !(Math.abs(difference) <= LARGEST_DIFFERENCE));
  const shown = rows.map(({ what, collector, kernel, difference }) => ({
    [`per second, over ${figure((to - from) / 1000)} s on ${os.hostname()}`]: what,
    collector: figure(collector),
    '/proc': figure(kernel),
    'difference %': figure(difference * 100),
  }));
  if (apart.length > 0) throw new Error(`these differ by more than 1%: ${JSON.stringify(shown)}`);
  return shown;
}
