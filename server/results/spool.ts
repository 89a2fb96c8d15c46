/**
 * Results that cannot be written now wait here, in files, until they can: bounded, and found again after a crash.
 *
 * By hand: an embedded database would be a native package for files that are written in an outage only.
 */
import { appendFile, readFile, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../common/problem';
import { TaskChain } from '../waiting';
import { writeWhole } from '../whole-file';
import { adoptOrphans, ownFolder, releaseFolder, type AdoptedFolder } from './spool-folders';
import type { StoredDocument } from './stored';
import { SAMPLES_ENDING } from './waiting-samples';

/** Runs and trials: a file each, only the newest version. Samples: many to a file, the oldest may be dropped. */
export type Lane = 'documents' | 'samples';

interface SpoolFile {
  name: string;
  lane: Lane;
  bytes: number;
  count: number;
  /** `index/id` of a file of the documents lane, and its version; '' and 0 otherwise. */
  key: string;
  version: number;
}

/** What was taken out to be written; still on disk until it is settled. */
export interface Portion {
  file: string;
  documents: StoredDocument[];
}

export interface SpoolOptions {
  /** Shared by all writers of a host; each makes its own folder in it. */
  folder: string;
  /** Samples beyond it are dropped, the oldest first; runs and trials never are. */
  boundBytes: number;
  /** Documents that are gone, and why. */
  onLost: (documents: number, why: string) => void;
}

const LARGEST_FILE = 4 * 1024 ** 2;

export class Spool {
  private readonly options: SpoolOptions;
  private readonly fileBytes: number;
  /** In the order of their making. */
  private files: SpoolFile[] = [];
  private folder: string | undefined;
  private sequence = 0;
  private open: SpoolFile | undefined;
  private busy: string | undefined;
  /** Files are appended to, sent and removed from several sides: one step at a time. */
  private readonly steps = new TaskChain();

  constructor(options: SpoolOptions) {
    this.options = options;
    this.fileBytes = Math.min(LARGEST_FILE, Math.max(1024, Math.floor(options.boundBytes / 16)));
  }

  /** Documents that wait. */
  get count(): number {
    return this.files.reduce((sum, { count }) => sum + count, 0);
  }

  private get bytes(): number {
    return this.files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Rejects with the file system's error; what was not kept then is the caller's to report. */
  append(lane: Lane, documents: readonly StoredDocument[]): Promise<void> {
    return this.steps.add(async () => {
      this.folder ??= await ownFolder(this.options.folder);
      const { folder } = this;
      if (lane === 'samples') await this.appendSamples(folder, documents);
      else
        for (const document of documents)
          await this.makingRoom(folder, () => this.keepNewest(folder, document));
      await this.enforceBound(this.folder);
    });
  }

  private async appendSamples(folder: string, documents: readonly StoredDocument[]): Promise<void> {
    const text = linesOf(documents);
    const file = this.open ?? this.addFile('samples');
    // A failure may leave half a line at its end: the next line must not stand behind that.
    this.open = undefined;
    try {
      await appendFile(path.join(folder, file.name), text);
    } catch (error) {
      if (file.count === 0) await this.remove(folder, file.name);
      throw error;
    }
    file.bytes += Buffer.byteLength(text);
    file.count += documents.length;
    if (file.bytes < this.fileBytes) this.open = file;
  }

  private async keepNewest(folder: string, document: StoredDocument): Promise<void> {
    const { version = 0 } = document;
    const key = keyOf(document);
    const older = this.files.filter(
      (file) => file.key === key && file.version <= version && file.name !== this.busy,
    );
    const name = this.nextName('documents');
    const text = linesOf([document]);
    await writeWhole(path.join(folder, name), text);
    this.files.push({ name, lane: 'documents', bytes: Buffer.byteLength(text), count: 1, key, version });
    for (const file of older) await this.remove(folder, file.name);
  }

  private async enforceBound(folder: string): Promise<void> {
    while (this.bytes > this.options.boundBytes) {
      const dropped = await this.dropOldestSamples(folder, 'the spool is full');
      if (!dropped) return;
    }
  }

  /** Runs and trials are worth more than samples where the disk has no room for both. */
  private async makingRoom(folder: string, write: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!isFull(error) || !(await this.dropOldestSamples(folder, 'the disk is full'))) throw error;
      }
    }
  }

  private async dropOldestSamples(folder: string, why: string): Promise<boolean> {
    const oldest = this.files.find(({ lane, name }) => lane === 'samples' && name !== this.busy);
    if (oldest === undefined) return false;
    if (oldest === this.open) this.open = undefined;
    await this.remove(folder, oldest.name);
    this.options.onLost(oldest.count, `${why}: the oldest samples are dropped`);
    return true;
  }

  /** The next documents to write, runs and trials first, then the oldest samples; undefined when none wait. */
  take(): Promise<Portion | undefined> {
    return this.steps.add(async () => {
      const next = this.files.find(({ lane }) => lane === 'documents') ?? this.files[0];
      if (next === undefined || this.folder === undefined) return undefined;
      if (next === this.open) this.open = undefined;
      this.busy = next.name;
      try {
        const { documents } = parseLines(await readFile(path.join(this.folder, next.name), 'utf8'));
        return { file: next.name, documents };
      } catch (error) {
        await this.remove(this.folder, next.name);
        this.options.onLost(next.count, `a file of the spool cannot be read (${messageOf(error)})`);
        return { file: next.name, documents: [] };
      }
    });
  }

  /** Keeps `remaining` of a portion and forgets the rest. */
  settle({ file }: Portion, remaining: readonly StoredDocument[]): Promise<void> {
    return this.steps.add(async () => {
      this.busy = undefined;
      const entry = this.files.find(({ name }) => name === file);
      if (entry === undefined || this.folder === undefined) return;
      const superseded =
        entry.key !== '' &&
        this.files.some(({ key, version }) => key === entry.key && version > entry.version);
      if (remaining.length === 0 || superseded) return await this.remove(this.folder, file);
      if (remaining.length === entry.count) return;
      const text = linesOf(remaining);
      await writeWhole(path.join(this.folder, file), text);
      entry.bytes = Buffer.byteLength(text);
      entry.count = remaining.length;
    });
  }

  /** Takes over what dead processes left behind; resolves to how many documents that are. */
  adoptLeftovers(): Promise<number> {
    return this.steps.add(async () => {
      let adopted = 0;
      for (const folder of await adoptOrphans(this.options.folder)) {
        this.folder ??= await ownFolder(this.options.folder);
        adopted += await this.moveIn(this.folder, folder);
      }
      return adopted;
    });
  }

  private async moveIn(folder: string, { from, names }: AdoptedFolder): Promise<number> {
    let moved = 0;
    for (const name of names) {
      const lane: Lane = name.endsWith(SAMPLES_ENDING) ? 'samples' : 'documents';
      const { documents, torn } = parseLines(await readFile(path.join(from, name), 'utf8'));
      if (torn > 0)
        this.options.onLost(torn, 'documents in the spool were cut off by the end of their process');
      const file = this.addFile(lane, lane === 'documents' ? documents[0] : undefined);
      await rename(path.join(from, name), path.join(folder, file.name));
      const text = linesOf(documents);
      if (torn > 0) await writeWhole(path.join(folder, file.name), text);
      file.bytes = Buffer.byteLength(text);
      file.count = documents.length;
      moved += documents.length;
    }
    await rmdir(from);
    return moved;
  }

  /** Leaves what still waits for a later process. */
  close(): Promise<void> {
    return this.steps.add(async () => {
      if (this.folder === undefined) return;
      await releaseFolder(this.folder, this.files.length === 0);
      this.folder = undefined;
    });
  }

  private addFile(lane: Lane, document?: StoredDocument): SpoolFile {
    const key = document ? keyOf(document) : '';
    const version = document?.version ?? 0;
    const file: SpoolFile = { name: this.nextName(lane), lane, bytes: 0, count: 0, key, version };
    this.files.push(file);
    return file;
  }

  private nextName(lane: Lane): string {
    this.sequence += 1;
    return `${String(this.sequence).padStart(8, '0')}.${lane}.ndjson`;
  }

  private async remove(folder: string, name: string): Promise<void> {
    await rm(path.join(folder, name), { force: true });
    this.files = this.files.filter((file) => file.name !== name);
  }
}

const isFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');

const keyOf = ({ index, id }: StoredDocument): string => `${index}/${id}`;

const linesOf = (documents: readonly StoredDocument[]): string =>
  documents.map((document) => `${JSON.stringify(document)}\n`).join('');

/** Whatever wrote the file: what names no place cannot be stored. */
const isStored = (value: unknown): value is StoredDocument => {
  if (typeof value !== 'object' || value === null) return false;
  const { index, id, version, source } = value as Partial<Record<keyof StoredDocument, unknown>>;
  return (
    typeof index === 'string' &&
    typeof id === 'string' &&
    (version === undefined || typeof version === 'number') &&
    typeof source === 'object' &&
    source !== null
  );
};

function parseLines(text: string): { documents: StoredDocument[]; torn: number } {
  const documents: StoredDocument[] = [];
  let torn = 0;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    try {
      const document: unknown = JSON.parse(line);
      if (isStored(document)) documents.push(document);
      else torn += 1;
    } catch {
      torn += 1;
    }
  }
  return { documents, torn };
}
