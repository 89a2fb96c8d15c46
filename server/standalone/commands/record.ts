/** `dyno record`: passes requests from clients on to a cluster, and records them. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { DynoError, inputError, messageOf, runError } from '../../../common/problem';
import {
  formatBytes,
  formatDuration,
  formatMs,
  formatNumber,
  formatPercent,
  plural,
} from '../../../common/units/format';
import { unreachable } from '../../target-cluster/failure';
import { checkAllowedHosts } from '../../target-cluster/guard-rails';
import { parseHosts } from '../../target-cluster/hosts';
import { isNamed, lookupUnreserved } from '../../target-cluster/reserved-addresses';
import { keepHeapSmall } from '../../traffic/record/garbage';
import { startRecording, type RecordCounts, type Recording } from '../../traffic/record/recorder';
import { connectTo, type RelayListen, type RelayTarget } from '../../traffic/record/relay';
import { callAfter } from '../../waiting';
import { allowedHosts, readCa } from '../connection-settings';
import { asDiskError } from '../disk-error';
import type { Console } from '../terminal/console';
import { ONCE_MORE, onSignal } from '../terminal/signals';

export interface RecordCommandOptions {
  target: string;
  listen: { host: string; port: number };
  to: string;
  /** Share of the connections that is recorded, in (0, 1]. */
  share: number;
  /** Time after which the recording ends, in ms. Without it, the user ends the recording. */
  for?: number;
  /** Maximum size of the recording in bytes. Unlimited if undefined. */
  most?: number;
  /** Size in bytes at which a file of the recording ends and the next one begins. */
  rotate: number;
  ca?: string;
  insecure?: boolean;
  cert?: string;
  key?: string;
  json?: boolean;
}

const CONNECT_MS = 5000;
const PROGRESS_MS = 10_000;
/** Time in ms for requests that are still active at the end of the recording. */
const GRACE_MS = 5000;
/**
 * Size of the young generation in the heap of the writing thread, in MB. Node.js would reserve 48 MB by default, most of the recorder's
 * memory.
 */
const YOUNG_MB = 3;

/** Number of file descriptors for everything except connections: files, threads, standard streams. */
const OTHER_DESCRIPTORS = 64;

/**
 * Returns how many connections the limit of open files allows. Each connection needs two descriptors. Undefined if the limit is unknown,
 * because only Linux shows it in a file.
 */
export async function connectionsWithinLimit(file = '/proc/self/limits'): Promise<number | undefined> {
  const limits = await readFile(file, 'utf8').catch(() => '');
  const most = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return most === undefined ? undefined : Math.max(1, Math.floor((Number(most) - OTHER_DESCRIPTORS) / 2));
}

/** Executes `dyno record`. Resolves to the exit code. */
export async function recordCommand(
  options: RecordCommandOptions,
  { console, recordFile }: { console: Console; recordFile: string },
): Promise<number> {
  const { share, rotate: rotateBytes, most: mostBytes = Infinity, for: forMs } = options;
  const url = targetUrl(options.target);
  const listen: RelayListen = { ...options.listen, ...(await listeningTls(options)) };
  const target: RelayTarget = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
    ...(url.protocol === 'https:'
      ? { tls: { ca: await readCa(options.ca), verifyCertificates: options.insecure !== true } }
      : {}),
    ...(isNamed(url.href, allowedHosts()) ? {} : { lookup: lookupUnreserved }),
  };
  const place = url.href.replace(/\/+$/, '');
  await checkTarget(place, target);
  const file = path.resolve(options.to);
  let recording: Recording;
  try {
    recording = await startRecording({
      ...{ target, listen, file, share, rotateBytes, mostBytes },
      basePath: url.pathname.replace(/\/+$/, ''),
      mostConnections: await connectionsWithinLimit(),
      onProblem: console.warn,
      startWriting: (settings) =>
        new Worker(recordFile, {
          name: 'dyno-record',
          workerData: settings,
          resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
        }),
    });
  } catch (error) {
    throw startError(error, listen, options.to);
  }
  keepHeapSmall();
  const ended = new AbortController();
  const release = onSignal(
    (signal) => {
      console.say(
        `${signal}: waiting for the requests in flight, then writing the end of the file${ONCE_MORE[signal]}`,
      );
      ended.abort();
    },
    () => process.exit(3),
  );
  const began = performance.now();
  const cancelEnd = forMs === undefined ? undefined : callAfter(forMs, () => ended.abort());
  const progress = setInterval(
    () => console.say(progressText(recording.counts, performance.now() - began)),
    PROGRESS_MS,
  );
  try {
    for (const line of startLines(recording, place, listen, options, console)) console.say(line);
    if (!ended.signal.aborted) await once(ended.signal, 'abort');
    const counts = await recording.stop(GRACE_MS);
    const ms = performance.now() - began;
    console.print(
      options.json === true
        ? JSON.stringify({ durationMs: ms, ...counts }, null, 2)
        : summary(counts, ms).join('\n'),
    );
    return 0;
  } finally {
    cancelEnd?.();
    clearInterval(progress);
    release();
  }
}

/** Parses `--target`. Throws an input error if it is not the URL of a single host, or if it contains credentials. */
function targetUrl(text: string): URL {
  const hosts = parseHosts(text);
  if (hosts.length !== 1)
    throw inputError('record.target', '--target', 'several hosts are given', {
      allowed: 'the URL of one host: a node, or a load balancer',
    });
  const url = new URL(hosts[0]!);
  if (url.username !== '' || url.password !== '')
    throw inputError(
      'record.target',
      '--target',
      'contains a user or password, which the recorder would not use',
      {
        allowed: 'a URL without them: the credentials of the clients are passed on',
      },
    );
  checkAllowedHosts([url.href], allowedHosts());
  return url;
}

async function listeningTls({ cert, key }: RecordCommandOptions): Promise<Pick<RelayListen, 'tls'>> {
  if (cert === undefined && key === undefined) return {};
  if (cert === undefined || key === undefined)
    throw inputError('record.tls', cert === undefined ? '--key' : '--cert', 'works only with the other one', {
      allowed: '--cert FILE --key FILE, or neither of them',
    });
  const read = async (option: string, file: string): Promise<string> => {
    try {
      return await readFile(file, 'utf8');
    } catch (error) {
      throw inputError('record.tls', option, `cannot be read: ${messageOf(error)}`, { found: file });
    }
  };
  return { tls: { cert: await read('--cert', cert), key: await read('--key', key) } };
}

/** Opens and closes a connection to the target. Rejects with a DynoError `elasticsearch.unreachable`. */
async function checkTarget(url: string, target: RelayTarget): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      const socket = connectTo(target, () => {
        socket.destroy();
        resolve();
      });
      socket.on('error', reject);
      socket.setTimeout(CONNECT_MS, () =>
        socket.destroy(Object.assign(new Error('no connection'), { code: 'ETIMEDOUT' })),
      );
    });
  } catch (error) {
    throw unreachable([{ url, error }]);
  }
}

const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is already used by another process',
  EADDRNOTAVAIL: 'this machine does not have this address',
  EACCES: 'this user may not listen on this port: ports below 1024 need more rights',
  ENOTFOUND: 'this name of a host is unknown',
};

/** Converts an error at the start of the recording, such as a port in use, to a DynoError. Returns other errors unchanged. */
function startError(error: unknown, { host, port, tls }: RelayListen, file: string): unknown {
  if (error instanceof DynoError) return error;
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  const sentence = LISTEN_ERRORS[code];
  if (sentence !== undefined && /^(listen|bind|getaddrinfo)$/.test(syscall))
    return inputError('record.listen', '--listen', sentence, {
      found: `${host}:${port}`,
      allowed: 'another HOST:PORT',
    });
  if (tls !== undefined && /^ERR_(OSSL|SSL|TLS|CRYPTO)|^ERR_INVALID_ARG/.test(code))
    return inputError('record.tls', '--cert', `certificate and key cannot be used: ${messageOf(error)}`);
  const known = asDiskError(error, file);
  return known instanceof DynoError ? known : runError('record.start', '', messageOf(error), error);
}

const isLoopback = (host: string): boolean => /^127\.|^::1$|^localhost$/.test(host);

function startLines(
  { host, port }: Recording,
  target: string,
  listen: RelayListen,
  { to, share }: RecordCommandOptions,
  console: Console,
): string[] {
  const at = `${listen.tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (listen.tls === undefined && target.startsWith('https:') && !isLoopback(host))
    console.warn(
      'clients send their credentials to this address without encryption, because it listens without TLS: use --cert and --key',
    );
  return [
    `recording what clients send to ${at}, and passing it on to ${target}; Ctrl-C ends it`,
    `${to}: ${share === 1 ? 'all connections' : `${formatPercent(share)} of the connections`}`,
  ];
}

const progressText = (counts: RecordCounts, ms: number): string =>
  [
    `${formatDuration(ms)}: ${plural(counts.recorded, 'request')} recorded`,
    ...(counts.dropped === 0 ? [] : [`${formatNumber(counts.dropped)} dropped`]),
    ...(counts.unread === 0 ? [] : [`${formatNumber(counts.unread)} unread`]),
    `${plural(counts.openConnections, 'connection')} open`,
    ...failedText(counts),
    `${formatBytes(counts.fileBytes)} written`,
  ].join(' · ');

const failedText = ({ failedConnections, lastFailure }: RecordCounts): string[] =>
  failedConnections === 0 ? [] : [`${plural(failedConnections, 'connection')} failed (last: ${lastFailure})`];

const formatUs = (us: number | null): string => formatMs(us === null ? null : us / 1000);

/** Returns the lines that the command prints at the end of a recording. */
export function summary(counts: RecordCounts, ms: number): string[] {
  const { recorded, dropped, unread, redacted, withoutFacts, costs } = counts;
  return [
    `Recorded ${plural(recorded, 'request')} in ${formatDuration(ms)}, ${formatNumber(recorded / (ms / 1000))} per second.`,
    `${formatNumber(dropped)} dropped, because memory and disk had no room. ${formatNumber(unread)} unread: incomplete, or not HTTP/1.1.`,
    ...(redacted === 0
      ? []
      : [`${plural(redacted, 'request')} without a credential in the query, which is never stored.`]),
    ...(withoutFacts === 0
      ? []
      : [
          `${plural(withoutFacts, 'request has', 'requests have')} no facts of the answer, so a replay cannot compare it.`,
        ]),
    `${plural(counts.connections, 'connection')}, ${formatNumber(counts.recordedConnections)} of them recorded; ${formatBytes(counts.relayedBytes)} passed on.`,
    ...failedText(counts).map((text) => `${text}.`),
    `Cost: each piece was passed on within ${formatUs(costs.p50Us)} (p50) and ${formatUs(costs.p99Us)} (p99); ${formatNumber(counts.cores)} cores.`,
    ...counts.files,
    `${formatBytes(counts.fileBytes)} in ${plural(counts.files.length, 'file')}. Next: dyno inspect ${counts.files[0] ?? ''}`,
  ];
}
