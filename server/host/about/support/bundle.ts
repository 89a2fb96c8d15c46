/**
 * Creates the support bundle for Kibana's plugin and the standalone server. The bundle is a zip with the information that support needs.
 * Every text in the zip passes through the redactor, which removes secrets.
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

/** A file of the bundle. */
export interface BundlePart {
  /** Path of the file within the zip. */
  name: string;
  /** Description of the file's contents, for users who decide whether to share the bundle. */
  what: string;
  /**
   * Returns the contents of the file, or a promise of them. Contents that are not text are written as JSON. If the promise rejects, the
   * bundle lists the file as missing, with the reason.
   */
  make: () => unknown;
}

export interface Bundle {
  fileName: string;
  stream: Readable;
  /** Files that could not be created, with the reasons. */
  missing: { name: string; why: string }[];
}

/** Maximum number of bytes of each log in the bundle, counted from the end of the log. */
const TAIL_BYTES = 1024 ** 2;
/** Maximum number of runs whose documents the bundle contains. These are the newest runs. */
const RUNS = 10;
/** Maximum number of spool files whose names the bundle lists. */
const MOST_LISTED = 5000;
/** Mode of the extracted files: only the owner of a file may read or write it. */
const FILE_MODE = 0o100600;

/** Returns the last bytes of a file, beginning with the first complete line among them. Rejects with the error of the file system. */
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

/**
 * Returns the newest files of `folder` whose names end with one of `endings`. Returns at most `most` files; none if the folder does not
 * exist.
 */
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
        const stats = await stat(file).catch(() => undefined);
        return { file, at: stats?.isFile() ? stats.mtimeMs : -1, size: stats?.size ?? 0 };
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
  /** Returns the settings with which Dyno is running in this host. */
  configuration: () => unknown;
  /** Returns the reader of the results cluster. Throws if no results cluster is configured. */
  reader: () => Pick<ResultsReader, 'listRuns'>;
  spoolFolder: string;
}

/** Pattern of the environment variables that affect Dyno. Other variables are not in the bundle. */
const VARIABLES =
  /^(DYNO_\w+|NODE_OPTIONS|NODE_ENV|JAVA_HOME|ES_JAVA_OPTS|ES_JAVA_HOME|LANG|LC_ALL|TZ|(HTTPS?|NO|ALL)_PROXY|NODE_EXTRA_CA_CERTS)$/i;

/** Environment variables whose values never contain a secret. For other variables, the bundle only says that they are set. */
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

/** Returns the files that the bundle contains in both Kibana and the standalone server. */
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
  { name: 'configuration.json', what: 'effective settings, without secrets', make: configuration },
  {
    name: 'environment.json',
    what: 'environment variables of Dyno, Node.js, Java and proxies; for those that may contain a secret, only whether they are set',
    make: () => variables(process.env),
  },
  {
    name: 'runs.json',
    what: `documents of the last ${RUNS} runs: definitions, plans, provenance, states, verdicts; no samples`,
    make: () => reader().listRuns({ limit: RUNS }),
  },
  {
    name: 'spool.json',
    what: 'names, sizes and times of the files in the spool, without their contents',
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
    // The folder does not exist until the first file has to wait.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  const files = await Promise.all(
    names
      .sort()
      .slice(0, MOST_LISTED)
      .map(async (name) => {
        const stats = await stat(path.join(folder, name)).catch(() => undefined);
        return stats?.isFile() ? { name, bytes: stats.size, changed: stats.mtime.toISOString() } : undefined;
      }),
  );
  return {
    files: files.filter((file) => file !== undefined),
    unlisted: Math.max(0, names.length - MOST_LISTED),
  };
}

/** Returns a description of the bundle's contents, with one line per file. */
export const bundleLines = (parts: readonly BundlePart[]): string[] =>
  [
    ...parts.map(({ name, what }) => `${name}: ${what}`),
    'README.txt: time of creation, and missing files',
  ].sort();

const textOf = (made: unknown): string =>
  typeof made === 'string' ? made : `${JSON.stringify(made, null, 2)}\n`;

/** Creates the bundle. If a file cannot be created, the bundle lists it as missing, and contains the other files. */
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
      // The redactor first removes the values of keys with secret names from objects. It then searches the text for secrets, as in any
      // other text.
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

/** Returns the name of the bundle, such as `dyno-support-20261124-2203.zip`. The time is in UTC. */
export const bundleName = (now: Date): string =>
  `dyno-support-${now.toISOString().slice(0, 16).replaceAll(/[-:]/g, '').replace('T', '-')}.zip`;

const readme = (
  version: string,
  now: Date,
  parts: readonly BundlePart[],
  missing: Bundle['missing'],
): string =>
  [
    `Support bundle of Dyno ${version}, created ${now.toISOString()}.`,
    '',
    'Passwords, keys, tokens, cookies and private keys were removed: [removed] replaces them. Names of hosts, indices,',
    'experiments and folders are included. Check the files before you share the bundle.',
    '',
    'It contains:',
    ...parts
      .filter(({ name }) => missing.every((one) => one.name !== name))
      .map(({ name, what }) => `- ${name}: ${what}`),
    ...(missing.length === 0
      ? []
      : ['', 'These files could not be created:', ...missing.map(({ name, why }) => `- ${name}: ${why}`)]),
    '',
  ].join('\n');

/** Returns the contents of *About* as lines for a terminal, problems first. */
export const aboutText = (about: About): string[] => [
  ...about.problems.map(({ what, next }) => `${what} ${next}`),
  ...aboutLines(about),
];
