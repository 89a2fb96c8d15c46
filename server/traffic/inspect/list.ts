/** Lists the files with traffic (recorded requests) in a folder. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { TrafficKindOfFile } from '../../../common/files/recognise';
import { recogniseFile } from '../../load/sources/file-head';
import { isOwn } from '../../traffic-file/own-file';
import { summarizeTraffic } from '../../traffic-file/read-traffic';
import { isDraft } from '../../whole-file';

export interface FoundTraffic {
  /** Path relative to the folder, with `/` between folders. */
  file: string;
  format: TrafficKindOfFile;
  /** Number of files of the recording. */
  files: number;
  bytes: number;
  modifiedMs: number;
  /** Start of the recording, in ms since the epoch. Null if it is only known after reading the whole file. */
  startedAt: number | null;
  /** Time from the start of the recording until its last request, in ms. Null if it is only known after reading the whole file. */
  durationMs: number | null;
  /** Number of requests. Null if it is only known after reading the whole file. */
  requests: number | null;
}

/** Maximum number of files that are examined. */
const MOST_FILES = 2000;
/** Maximum depth of the folders that are examined. */
const DEEPEST = 5;

interface Described {
  found: FoundTraffic;
  /** Paths of all files of the recording, the first file first. */
  paths: readonly string[];
}

/** Finds the files with traffic in a folder. Caches the facts about files that do not change. */
export class TrafficList {
  private readonly known = new Map<string, { stamp: string; described: Described | null }>();

  constructor(private readonly folder: string) {}

  /**
   * Returns the recordings in the folder, the newest first. `isCut`: whether the folder contains too many files to list all. If the folder
   * does not exist, the list is empty.
   */
  async find(): Promise<{ files: FoundTraffic[]; isCut: boolean }> {
    const paths: string[] = [];
    const isCut = !(await collect(this.folder, paths, 0));
    const described: Described[] = [];
    for (const file of paths) {
      const one = await this.describe(file);
      if (one !== null) described.push(one);
    }
    for (const file of this.known.keys()) if (!paths.includes(file)) this.known.delete(file);
    // Further files of a recording are not listed, because reading the first file reads all of them.
    const further = new Set(described.flatMap((one) => one.paths.slice(1)));
    return {
      files: described
        .filter(({ paths: [first] }) => !further.has(first!))
        .map(({ found }) => found)
        .sort((a, b) => b.modifiedMs - a.modifiedMs || (a.file < b.file ? -1 : 1)),
      isCut,
    };
  }

  private async describe(file: string): Promise<Described | null> {
    const facts = await stat(file).catch(() => null);
    if (facts === null) return null;
    const stamp = `${facts.size} ${facts.mtimeMs}`;
    const known = this.known.get(file);
    // The facts about a recording of Dyno are read again, because it may get further files although its first file does not change.
    if (known?.stamp === stamp && (known.described?.found.startedAt ?? null) === null) return known.described;
    const described = await this.read(file, facts.size, facts.mtimeMs).catch(() => null);
    this.known.set(file, { stamp, described });
    return described;
  }

  private async read(file: string, bytes: number, modifiedMs: number): Promise<Described | null> {
    if (!(await isOwn(file))) return this.readForeign(file, bytes, modifiedMs);
    const { header, files, bytes: all, records, lastAt } = await summarizeTraffic(file);
    const times = await Promise.all(
      files.slice(1).map((each) =>
        stat(each).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        ),
      ),
    );
    return {
      paths: files,
      found: {
        file: this.nameOf(file),
        format: 'dyno',
        files: files.length,
        bytes: Math.max(bytes, all),
        modifiedMs: Math.max(modifiedMs, ...times),
        startedAt: header.startedAt,
        durationMs: lastAt / 1000,
        requests: records,
      },
    };
  }

  private async readForeign(file: string, bytes: number, modifiedMs: number): Promise<Described | null> {
    const format = await formatOf(file);
    if (format === undefined) return null;
    const unknown = { startedAt: null, durationMs: null, requests: null };
    return {
      paths: [file],
      found: { file: this.nameOf(file), format, files: 1, bytes, modifiedMs, ...unknown },
    };
  }

  private readonly nameOf = (file: string): string =>
    path.relative(this.folder, file).split(path.sep).join('/');
}

/** Adds the paths of the complete files in a folder and its subfolders to `paths`. Returns false if there are too many files. */
async function collect(folder: string, paths: string[], depth: number): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const whole = path.join(folder, entry.name);
    if (entry.isDirectory() && depth < DEEPEST && !(await collect(whole, paths, depth + 1))) return false;
    if (!entry.isFile() || isDraft(entry.name)) continue;
    if (paths.length === MOST_FILES) return false;
    paths.push(whole);
  }
  return true;
}

/**
 * Returns whether a file contains recorded traffic. A log of searches does not count, because it does not contain other requests. False if
 * the file cannot be read.
 */
export const isTraffic = async (file: string): Promise<boolean> =>
  (await isOwn(file).catch(() => false)) || (await formatOf(file)) !== undefined;

/** Returns the format of a file that is not a recording of Dyno; undefined if the file contains no traffic or cannot be read. */
const formatOf = async (file: string): Promise<TrafficKindOfFile | undefined> =>
  recogniseFile(file).then(
    ({ traffic }) => traffic,
    () => undefined,
  );
