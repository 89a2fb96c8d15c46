/**
 * The support bundle: what those need who are to help, as a zip, in both hosts. Every text of it goes through the redactor
 * here, and by no other way into the zip.
 */
import { open, readdir, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { aboutLines } from '../../../../common/about/problems';
import type { About, AboutPaths } from '../../../../common/api/about';
import { messageOf } from '../../../../common/problem';
import { formatBytes } from '../../../../common/units/format';
import type { ResultsReader } from '../../../results/reader';
import type { Redactor } from '../../../../common/secrets/redact';

/** One file of it. */
export interface BundlePart {
  /** Path within the zip. */
  name: string;
  /** What it contains, for those who decide whether to give it away. */
  what: string;
  /** A value, or one to wait for, becomes JSON. Where it rejects, the bundle says that there is nothing and why. */
  make: () => unknown;
}

export interface Bundle {
  fileName: string;
  stream: Readable;
  /** Parts that could not be made, each with the reason. */
  missing: { name: string; why: string }[];
}

/** Of the end of each log, bytes. */
const TAIL_BYTES = 1024 ** 2;
/** Documents of as many runs, the newest. */
const RUNS = 10;
/** Files of the spool that are listed. */
const MOST_LISTED = 5000;
/** As zip files are extracted: nobody else's. */
const FILE_MODE = 0o100600;

/** The end of a file, from the first whole line on. Rejects with the file system's error. */
export async function tailOf(file: string, bytes = TAIL_BYTES): Promise<string> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - bytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
    const text = buffer.toString('utf8', 0, bytesRead);
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await handle.close();
  }
}

/** The newest files of `folder` with one of `endings`, at most `most`; none where it is not there. */
export async function newestFiles(
  folder: string,
  endings: readonly string[],
  most: number,
): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(
    names
      .filter((name) => endings.some((ending) => name.endsWith(ending)))
      .map(async (name) => {
        const file = path.join(folder, name);
        const told = await stat(file).catch(() => undefined);
        return { file, at: told?.isFile() ? told.mtimeMs : -1, size: told?.size ?? 0 };
      }),
  );
  return found
    .filter(({ at, size }) => at >= 0 && size > 0)
    .sort((a, b) => b.at - a.at)
    .slice(0, most)
    .map(({ file }) => file)
    .sort();
}

export const logPart = (name: string, what: string, file: string): BundlePart => ({
  name,
  what: `${what}, the last ${formatBytes(TAIL_BYTES)} at most`,
  make: () => tailOf(file),
});

interface Common {
  about: () => Promise<About>;
  paths: () => Promise<AboutPaths['paths']>;
  /** Settings of the host as they are in force. */
  configuration: () => unknown;
  /** Of the results cluster; throws where there is none. */
  reader: () => Pick<ResultsReader, 'listRuns'>;
  spoolFolder: string;
}

/** Variables that say how a Dyno runs; no other is named. */
const VARIABLES =
  /^(DYNO_\w+|NODE_OPTIONS|NODE_ENV|JAVA_HOME|ES_JAVA_OPTS|ES_JAVA_HOME|LANG|LC_ALL|TZ|(HTTPS?|NO|ALL)_PROXY|NODE_EXTRA_CA_CERTS)$/i;

/** Those whose values never hold a secret. Of the others, the bundle says only that they are set. */
const SHOWN_VARIABLES = new Set([
  ...['DYNO_CACHE', 'DYNO_DATA', 'DYNO_HOST_NAMES', 'DYNO_JAVA_HOME', 'DYNO_KEEP_SAMPLES'],
  ...['ES_JAVA_HOME', 'JAVA_HOME', 'LANG', 'LC_ALL', 'NODE_ENV', 'NODE_EXTRA_CA_CERTS', 'TZ'],
]);

const variables = (environment: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment)
      .filter(([name, value]) => VARIABLES.test(name) && value !== undefined)
      .map(([name, value]) => [name, SHOWN_VARIABLES.has(name) ? value! : 'set']),
  );

/** What both hosts have. */
export const commonParts = ({ about, paths, configuration, reader, spoolFolder }: Common): BundlePart[] => [
  {
    name: 'about.json',
    what: 'the page About: versions, health of the results cluster, spool, collector, queue, schedules, certification, disks, memory',
    make: about,
  },
  { name: 'paths.json', what: 'folders of Dyno', make: paths },
  {
    name: 'machine.json',
    what: 'operating system, processors, memory, load, limits of this machine',
    make: machine,
  },
  { name: 'configuration.json', what: 'settings in force, without secrets', make: configuration },
  {
    name: 'environment.json',
    what: 'environment variables of Dyno, Node.js, Java and proxies; of those that may hold a secret only that they are set',
    make: () => variables(process.env),
  },
  {
    name: 'runs.json',
    what: `documents of the last ${RUNS} runs: definitions, plans, places, states, verdicts; no samples`,
    make: () => reader().listRuns({ limit: RUNS }),
  },
  {
    name: 'spool.json',
    what: 'names, sizes and times of what waits in the spool, not its contents',
    make: () => listing(spoolFolder),
  },
];

function machine(): unknown {
  const cpus = os.cpus();
  return {
    system: { type: os.type(), release: os.release(), version: os.version(), architecture: os.arch() },
    processors: { count: cpus.length, available: os.availableParallelism(), model: cpus[0]?.model ?? '' },
    memoryBytes: { total: os.totalmem(), available: os.freemem() },
    load: os.loadavg(),
    uptimeS: Math.round(os.uptime()),
    node: { ...process.versions, options: process.execArgv },
    process: { uptimeS: Math.round(process.uptime()), memoryBytes: process.memoryUsage() },
  };
}

async function listing(folder: string): Promise<unknown> {
  const names = await readdir(folder, { recursive: true }).catch((error: unknown) => {
    // It is made when something has to wait for the first time.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  const files = await Promise.all(
    names
      .sort()
      .slice(0, MOST_LISTED)
      .map(async (name) => {
        const told = await stat(path.join(folder, name)).catch(() => undefined);
        return told?.isFile() ? { name, bytes: told.size, changed: told.mtime.toISOString() } : undefined;
      }),
  );
  return {
    files: files.filter((file) => file !== undefined),
    unlisted: Math.max(0, names.length - MOST_LISTED),
  };
}

/** What it contains, a line for each file. */
export const bundleLines = (parts: readonly BundlePart[]): string[] =>
  [
    ...parts.map(({ name, what }) => `${name}: ${what}`),
    'README.txt: when it was made, and what is missing',
  ].sort();

const textOf = (made: unknown): string =>
  typeof made === 'string' ? made : `${JSON.stringify(made, null, 2)}\n`;

/** Never rejects for a part that cannot be made: the others are worth as much. */
export async function makeBundle(
  parts: readonly BundlePart[],
  redactor: Redactor,
  { version, now = new Date() }: { version: string; now?: Date },
): Promise<Bundle> {
  const missing: Bundle['missing'] = [];
  const files: { name: string; text: string }[] = [];
  for (const { name, make } of parts) {
    try {
      const made = await make();
      // Values lose what stands under a secret's name; the text of them is looked through like any other.
      files.push({
        name,
        text: redactor.text(textOf(typeof made === 'string' ? made : redactor.value(made))),
      });
    } catch (error) {
      missing.push({ name, why: redactor.text(messageOf(error)) });
    }
  }
  files.push({ name: 'README.txt', text: redactor.text(readme(version, now, parts, missing)) });
  const zip = new ZipFile();
  for (const { name, text } of files)
    zip.addBuffer(Buffer.from(text), `dyno-support/${name}`, { mtime: now, mode: FILE_MODE });
  zip.end();
  return { fileName: bundleName(now), stream: zip.outputStream, missing };
}

/** `dyno-support-20261124-2203.zip`, in UTC. */
export const bundleName = (now: Date): string =>
  `dyno-support-${now.toISOString().slice(0, 16).replaceAll(/[-:]/g, '').replace('T', '-')}.zip`;

const readme = (
  version: string,
  now: Date,
  parts: readonly BundlePart[],
  missing: Bundle['missing'],
): string =>
  [
    `Support bundle of Dyno ${version}, made ${now.toISOString()}.`,
    '',
    'Passwords, keys, tokens, cookies and private keys were removed: [removed] stands in their place. Names of hosts, indices,',
    'experiments and folders are in it. Look through it before you give it away.',
    '',
    'It contains:',
    ...parts
      .filter(({ name }) => missing.every((one) => one.name !== name))
      .map(({ name, what }) => `- ${name}: ${what}`),
    ...(missing.length === 0
      ? []
      : ['', 'These could not be made:', ...missing.map(({ name, why }) => `- ${name}: ${why}`)]),
    '',
  ].join('\n');

/** What *About* says, for a terminal: problems first. */
export const aboutText = (about: About): string[] => [
  ...about.problems.map(({ what, next }) => `${what} ${next}`),
  ...aboutLines(about),
];
