/**
 * Stores results on disk until the results cluster has stored them. Every result is first written here.
 *
 * A *segment* contains one document of a run or trial, or many samples. A profile is treated like a sample, although it is larger. New segments are in memory. About once a second, all of
 * them are written to disk and synced. A save is reported as successful only after that. A segment on disk is a file in this
 * process's folder. The *shipper* sends the files to the results cluster and removes each file once its documents are stored. It
 * sends a segment from memory only while the disk refuses writes.
 *
 * | segment is | event                                           | then                                                    |
 * | ---------- | ----------------------------------------------- | ------------------------------------------------------- |
 * | in memory  | it is written and synced                        | on disk                                                 |
 * | in memory  | the disk refuses it                             | in memory; the shipper may send it from there           |
 * | in memory  | a newer version of its document arrives         | removed                                                 |
 * | in memory  | too many samples are in memory                  | the oldest samples are lost and counted                 |
 * | in memory  | the process is killed                           | lost; its save was never reported as successful         |
 * | in memory  | the journal is closed                           | in a results file                                       |
 * | on disk    | a newer version of its document is on disk      | removed                                                 |
 * | on disk    | the journal exceeds its maximum size, disk full | the oldest samples are lost and counted                 |
 * | on disk    | the process ends or crashes                     | on disk; another process takes over the folder          |
 * | either     | the shipper begins to send it                   | being sent; it also stays in memory or on disk          |
 * | being sent | stored, refused for good, or saved in a file    | removed                                                 |
 * | being sent | the cluster did not store it                    | as before: in memory or on disk                         |
 * | being sent | not stored, but a newer version exists          | removed                                                 |
 *
 * If a file cannot be removed, its documents are not sent again, and the removal is tried again later. If a process is killed
 * after the documents were stored and before the file was removed, the file is sent twice. Sending it twice is harmless: documents
 * have versions, and samples have fixed ids.
 *
 * The journal is not an embedded database, because that would need a native package for a queue of a few files.
 */
import { open, readFile, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../common/problem';
import { TaskChain } from '../waiting';
import { syncFolder, writeWhole } from '../whole-file';
import { linesOf, parseLines } from './journal-lines';
import { adoptOrphans, ownFolder, releaseFolder, type AdoptedFolder } from './spool-folders';
import { keyOf, type StoredDocument } from './stored';
import { SAMPLES_ENDING } from './waiting-samples';

/**
 * Kind of documents in a segment. `documents`: one document of a run or trial, which a newer version replaces. `samples`: many samples, of
 * which the oldest may be dropped.
 */
type Lane = 'documents' | 'samples';

/** A segment of the journal: a file, or documents in memory that will be written to a file. */
interface Segment {
  lane: Lane;
  /** Name of the file; '' while the segment is in memory. */
  name: string;
  /** Documents of the segment while it is in memory; empty after the file was written. */
  documents: StoredDocument[];
  count: number;
  /** Number of samples that need about as much memory as the documents. A profile counts as several samples. */
  asSamples: number;
  /** Size of the file in bytes; 0 while the segment is in memory. */
  bytes: number;
  /** Key that identifies the document in the segment ({@link keyOf}); '' for a segment of samples. */
  key: string;
  /** Version of the document in the segment; 0 for a segment of samples. */
  version: number;
  /**
   * Time at which the oldest document of the segment began to wait, in ms of `performance.now()`. -Infinity for documents of an earlier
   * process.
   */
  since: number;
  /**
   * Whether the segment is finished, which means stored, replaced by a newer version, or dropped. A finished segment is neither sent nor
   * counted, and is removed as soon as possible.
   */
  isDone: boolean;
  /** The segment with a newer version of the same document. It is set if this segment was dropped while both were in memory. */
  replacedBy?: Segment;
}

/** The documents that the shipper is sending. The journal stores them until {@link Journal.settle} is called. */
export interface Portion {
  segment: Segment;
  documents: StoredDocument[];
}

export interface JournalOptions {
  /** Folder that all processes on this machine share. Each journal creates a subfolder when it first writes. */
  folder: string;
  /**
   * Maximum size of the files on disk, in bytes. If they are larger, the oldest samples are dropped. Documents of runs and trials are never
   * dropped.
   */
  boundBytes: number;
  /** Called with the number of lost documents and the reason. */
  onLost: (documents: number, why: string) => void;
  /** Called with the error when the disk starts to refuse writes. */
  onRefused: (error: unknown) => void;
}

const LARGEST_FILE = 4 * 1024 ** 2;
/** Approximate size of a sample, in bytes. */
const SAMPLE_BYTES = 4096;
/** Maximum number of samples in one segment in memory. If {@link JournalOptions.boundBytes} is very small, the maximum is lower. */
const MOST_SAMPLES = 500;
/** Maximum number of samples in memory. If there are more, the oldest are dropped. A sample has about 2 KB. */
const MOST_IN_MEMORY = 20_000;

export class Journal {
  private readonly fileBytes: number;
  private readonly mostSamples: number;
  /** Segments in the order in which they were created. */
  private segments: Segment[] = [];
  private folder: string | undefined;
  private sequence = 0;
  /**
   * Segment in memory to which new samples are added. Undefined if the next sample needs a new segment. No samples may be added while a
   * segment is being written or sent.
   */
  private filling: Segment | undefined;
  /** File to which the next samples are appended. Undefined if they need a new file. */
  private open: Segment | undefined;
  private busy: Portion | undefined;
  /** Code of the error with which the disk refused the last write; '' if the last write succeeded. */
  private refusal = '';
  /** Executes one after the other all steps that write, read or remove segments. */
  private readonly steps = new TaskChain();

  constructor(private readonly options: JournalOptions) {
    this.fileBytes = Math.min(LARGEST_FILE, Math.max(1024, Math.floor(options.boundBytes / 16)));
    this.mostSamples = Math.min(MOST_SAMPLES, Math.ceil(this.fileBytes / SAMPLE_BYTES));
  }

  private get waiting(): Segment[] {
    return this.segments.filter(({ isDone }) => !isDone);
  }

  /** Returns the number of documents on disk that have waited for at least `ms` to be stored in the results cluster. */
  count(ms = 0): number {
    const before = performance.now() - ms;
    return countOf(this.waiting.filter((segment) => !isInMemory(segment) && segment.since <= before));
  }

  /** Number of documents in memory that wait because the disk refuses writes; 0 if the disk accepts writes. */
  get held(): number {
    return this.refusal === '' ? 0 : countOf(this.waiting.filter(isInMemory));
  }

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  /** All documents that are in memory, because they are not written to disk yet, or because they are being sent. */
  get inMemory(): StoredDocument[] {
    const { busy } = this;
    const sent = busy && !isInMemory(busy.segment) ? busy.documents : [];
    return [...this.waiting.flatMap(({ documents }) => documents), ...sent];
  }

  /**
   * Returns the highest version of this document that is in the journal; 0 if the journal does not contain the document. Only documents of
   * runs and trials have versions.
   */
  newestVersion(document: StoredDocument): number {
    const key = keyOf(document);
    const states = this.waiting.filter((segment) => segment.key === key);
    return Math.max(0, ...states.map(({ version }) => version));
  }

  /**
   * Adds a document in memory. {@link commit} later writes it to disk. `since`: time at which the document began to wait, in ms of
   * `performance.now()`. `bytes`: approximate size of the document. Returns the segment that contains the document.
   */
  append(document: StoredDocument, since = performance.now(), bytes = SAMPLE_BYTES): Segment {
    const asSamples = Math.max(1, bytes / SAMPLE_BYTES);
    if (document.version === undefined && this.filling && this.filling.asSamples < this.mostSamples) {
      this.filling.documents.push(document);
      this.filling.count += 1;
      this.filling.asSamples += asSamples;
      return this.filling;
    }
    const segment = newSegment(document.version === undefined ? 'samples' : 'documents', since, [document]);
    segment.asSamples = asSamples;
    this.segments.push(segment);
    if (segment.lane === 'documents') return segment;
    this.filling = segment;
    const samples = (): Segment[] => this.waiting.filter((one) => isInMemory(one) && one.lane === 'samples');
    while (asSamplesOf(samples()) > MOST_IN_MEMORY)
      if (!this.dropOldest(samples(), 'neither the results cluster nor the disk accepts them')) break;
    return segment;
  }

  /**
   * Returns whether a document that was appended is on disk or in the results cluster. The document is then not lost if this process is
   * killed.
   */
  isSafe(segment: Segment): boolean {
    if (segment.replacedBy) return this.isSafe(segment.replacedBy);
    return segment.isDone || !isInMemory(segment);
  }

  /** Drops documents of runs and trials in memory of which a newer version is also in memory. */
  private keepNewest(): void {
    const states = this.waiting.filter((one) => isInMemory(one) && one.lane === 'documents');
    for (const segment of states)
      for (const older of olderThan(segment, states))
        if (older !== this.busy?.segment) Object.assign(older, { isDone: true, replacedBy: segment });
  }

  private dropOldest(segments: readonly Segment[], why: string): boolean {
    const oldest = segments.find(
      (one) => one.lane === 'samples' && !one.isDone && one !== this.busy?.segment,
    );
    if (oldest === undefined) return false;
    oldest.isDone = true;
    this.options.onLost(oldest.count, why);
    return true;
  }

  private get onDisk(): Segment[] {
    return this.segments.filter((segment) => !isInMemory(segment));
  }

  /** Writes all documents in memory to disk together, and syncs the disk. Documents that the disk refuses stay in memory. Never rejects. */
  commit(): Promise<void> {
    return this.steps.add(async () => {
      this.keepNewest();
      await this.removeDone();
      this.filling = undefined;
      if (!this.waiting.some(isInMemory)) return;
      let error = await this.writeGroup();
      if (codeOf(error) === 'ENOENT') {
        this.leaveFolder();
        error = await this.writeGroup();
      }
      const code = error === undefined ? '' : codeOf(error);
      if (code !== '' && code !== this.refusal) this.options.onRefused(error);
      this.refusal = code;
      while (this.bytes > this.options.boundBytes) if (!(await this.makeRoom('the spool is full'))) break;
    });
  }

  /** Writes all segments in memory to disk. Resolves to the error if the disk refused a segment, otherwise to undefined. */
  private async writeGroup(): Promise<unknown> {
    const group = this.waiting.filter((segment) => isInMemory(segment) && segment !== this.busy?.segment);
    const of = (lane: Lane): Segment[] => group.filter((segment) => segment.lane === lane);
    // Samples are written first, because the document of a trial is only complete with its samples.
    const samples = await untilRefused(of('samples'), (segment) => this.writeSamples(segment));
    return (await untilRefused(of('documents'), (segment) => this.writeState(segment))) ?? samples;
  }

  /**
   * Called if the folder of this journal no longer exists. The next write creates a new folder. Another process may have taken over the old
   * one because this process seemed dead, for example while it was suspended.
   */
  private leaveFolder(): void {
    const gone = countOf(this.onDisk.filter(({ isDone }) => !isDone));
    this.segments = this.segments.filter(isInMemory);
    this.folder = undefined;
    this.open = undefined;
    if (gone > 0)
      this.options.onLost(
        gone,
        'the folder of the spool is gone, with the documents that no other process has adopted',
      );
  }

  private get bytes(): number {
    return this.waiting.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  private async makeRoom(why: string): Promise<boolean> {
    const isDropped = this.dropOldest(this.onDisk, `${why}: the oldest samples are dropped`);
    await this.removeDone();
    return isDropped;
  }

  private async fileOf(name: string): Promise<string> {
    this.folder ??= await ownFolder(this.options.folder);
    return path.join(this.folder, name);
  }

  private nextName(lane: Lane): string {
    this.sequence += 1;
    return `${String(this.sequence).padStart(8, '0')}.${lane}.ndjson`;
  }

  private async writeSamples(segment: Segment): Promise<void> {
    const { open } = this;
    // After a failure, the file may end with an incomplete line. Nothing may be appended to it.
    this.open = undefined;
    const name = open?.name ?? this.nextName('samples');
    const file = await this.fileOf(name);
    const { documents } = segment;
    const text = linesOf(documents);
    await appendSynced(file, text, open?.bytes ?? 0);
    const whole = open ?? segment;
    whole.bytes += Buffer.byteLength(text);
    if (open) {
      open.count += documents.length;
      this.segments = this.segments.filter((one) => one !== segment);
    }
    Object.assign(whole, { name, documents: [] });
    if (whole.bytes < this.fileBytes) this.open = whole;
  }

  private async writeState(segment: Segment): Promise<void> {
    const name = this.nextName('documents');
    const file = await this.fileOf(name);
    const text = linesOf(segment.documents);
    for (;;) {
      try {
        await writeWhole(file, text);
        break;
      } catch (error) {
        if (!isFull(error) || !(await this.makeRoom('the disk is full'))) throw error;
      }
    }
    Object.assign(segment, { name, bytes: Buffer.byteLength(text), documents: [] });
    for (const older of olderThan(segment, this.segments)) older.isDone = true;
    await this.removeDone();
  }

  /**
   * Takes the next documents to send: documents of runs and trials first, then the oldest samples. They are read from the disk, or taken
   * from memory if the disk refuses writes. Resolves to undefined if nothing waits.
   */
  take(): Promise<Portion | undefined> {
    return this.steps.add(async () => {
      this.filling = undefined;
      const ready = this.waiting.filter((segment) => !isInMemory(segment) || this.refusal !== '');
      const segment = ready.find(({ lane }) => lane === 'documents') ?? ready[0];
      this.busy = segment && { segment, documents: await this.read(segment) };
      return this.busy;
    });
  }

  private async read(segment: Segment): Promise<StoredDocument[]> {
    if (isInMemory(segment)) return segment.documents;
    if (segment === this.open) this.open = undefined;
    try {
      return parseLines(await readFile(await this.fileOf(segment.name), 'utf8')).documents;
    } catch (error) {
      this.options.onLost(segment.count, `a file of the spool cannot be read (${messageOf(error)})`);
      return [];
    }
  }

  /**
   * Called after a portion was sent. `waiting`: the documents that must be sent again. All other documents of the portion are removed from
   * the journal. Never rejects.
   */
  settle({ segment }: Portion, waiting: readonly StoredDocument[]): Promise<void> {
    return this.steps.add(async () => {
      this.busy = undefined;
      if (waiting.length === 0) segment.isDone = true;
      else if (waiting.length < segment.count && !segment.isDone) await this.shorten(segment, waiting);
      await this.removeDone();
    });
  }

  private async shorten(segment: Segment, waiting: readonly StoredDocument[]): Promise<void> {
    if (isInMemory(segment)) segment.documents = [...waiting];
    else {
      const text = linesOf(waiting);
      try {
        await writeWhole(await this.fileOf(segment.name), text);
      } catch {
        // The file still contains all documents of the portion. The stored ones will be sent again.
        return;
      }
      segment.bytes = Buffer.byteLength(text);
    }
    segment.count = waiting.length;
  }

  /**
   * Takes over the documents in the folders of dead processes of this machine. Resolves to the number of documents. Rejects with errors of
   * the file system.
   */
  adoptLeftovers(): Promise<number> {
    return this.steps.add(async () => {
      let adopted = 0;
      for (const folder of await adoptOrphans(this.options.folder)) adopted += await this.moveIn(folder);
      return adopted;
    });
  }

  private async moveIn({ from, names }: AdoptedFolder): Promise<number> {
    const adopted: Segment[] = [];
    for (const old of names) {
      const lane: Lane = old.endsWith(SAMPLES_ENDING) ? 'samples' : 'documents';
      const { documents, torn } = parseLines(await readFile(path.join(from, old), 'utf8'));
      if (torn > 0)
        this.options.onLost(torn, 'documents in the spool were truncated when their process ended');
      const name = this.nextName(lane);
      const file = await this.fileOf(name);
      await rename(path.join(from, old), file);
      const text = linesOf(documents);
      if (torn > 0) await writeWhole(file, text);
      const segment = newSegment(lane, -Infinity, documents);
      adopted.push(Object.assign(segment, { name, bytes: Buffer.byteLength(text), documents: [] }));
    }
    this.segments.push(...adopted);
    // A process that was killed may have left an older version next to the newest one.
    for (const segment of adopted) for (const older of olderThan(segment, adopted)) older.isDone = true;
    await this.removeDone();
    await rmdir(from);
    return countOf(adopted.filter(({ isDone }) => !isDone));
  }

  /**
   * Closes the journal. Files on disk remain for a later process. Resolves to the documents that are only in memory, in the order runs,
   * trials, samples.
   */
  close(): Promise<StoredDocument[]> {
    return this.steps.add(async () => {
      this.keepNewest();
      await this.removeDone();
      const left = this.segments.filter(isInMemory);
      this.segments = this.onDisk;
      // If the folder cannot be removed, it remains empty, and the next process removes it.
      if (this.folder) await releaseFolder(this.folder, this.segments.length === 0).catch(() => undefined);
      this.folder = undefined;
      return left.sort(byPlace).flatMap(({ documents }) => documents);
    });
  }

  private async removeDone(): Promise<void> {
    for (const segment of this.segments.filter(({ isDone }) => isDone)) {
      if (segment === this.busy?.segment) continue;
      if (segment === this.open) this.open = undefined;
      try {
        if (!isInMemory(segment)) await rm(await this.fileOf(segment.name), { force: true });
      } catch {
        continue;
      }
      this.segments = this.segments.filter((other) => other !== segment);
    }
  }
}

const newSegment = (lane: Lane, since: number, documents: StoredDocument[]): Segment => {
  const [state] = lane === 'documents' && documents.length === 1 ? documents : [];
  const [key, version] = state ? [keyOf(state), state.version ?? 0] : ['', 0];
  const count = documents.length;
  return { lane, name: '', documents, count, asSamples: count, bytes: 0, key, version, since, isDone: false };
};

const isInMemory = ({ name }: Segment): boolean => name === '';

/** Returns those segments of `others` that contain the same document in an older or equal version. */
const olderThan = (segment: Segment, others: readonly Segment[]): Segment[] =>
  segment.key === ''
    ? []
    : others.filter((one) => one !== segment && one.key === segment.key && one.version <= segment.version);

const byPlace = (one: Segment, other: Segment): number =>
  one.lane.localeCompare(other.lane) || one.key.localeCompare(other.key);

const countOf = (segments: readonly Segment[]): number => segments.reduce((sum, { count }) => sum + count, 0);

const asSamplesOf = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { asSamples }) => sum + asSamples, 0);

/**
 * Writes segments one after the other until the disk refuses one. Resolves to the error with which the disk refused it; undefined if all
 * were written.
 */
async function untilRefused(
  segments: readonly Segment[],
  write: (segment: Segment) => Promise<void>,
): Promise<unknown> {
  for (const segment of segments) {
    try {
      await write(segment);
    } catch (error) {
      return error;
    }
  }
  return undefined;
}

const codeOf = (error: unknown): string =>
  (error as NodeJS.ErrnoException | undefined)?.code ?? messageOf(error);

const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(codeOf(error));

/**
 * Appends a text to a file and syncs the file. Creates the file if it is missing. `bytes`: size of the file before. If the write fails, the
 * file is cut to this size. Rejects with errors of the file system.
 */
async function appendSynced(file: string, text: string, bytes: number): Promise<void> {
  const handle = await open(file, 'a');
  try {
    await handle.appendFile(text);
    await handle.datasync();
  } catch (error) {
    await handle.truncate(bytes).catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
  if (bytes === 0) await syncFolder(path.dirname(file));
}
