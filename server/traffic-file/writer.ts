/**
 * Writes traffic files in the format that `form/members.ts` describes.
 *
 * `append` never waits: it adds the record to the current block, a group of lines in memory. Blocks are compressed and written in the
 * background, one after the other. If the disk is too slow, `append` drops records and counts them. `write` waits for the disk instead.
 */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { DynoError, inputError, messageOf, runError } from '../../common/problem';
import type { TrafficHeader, TrafficRecord } from '../../common/traffic/record';
import { TaskChain } from '../waiting';
import { createFile, FilePart, NORMAL_LEVEL, type OutputFile } from './file-part';
import { cutCharacterBytes, partLine, recordLine } from './form/lines';
import { furtherParts, partName } from './part-names';

/** Size in bytes of the parts of a long body. A body with more bytes is split into such parts. */
export const PART_BYTES = 1024 ** 2;

export interface TrafficWriterOptions {
  /** Size of a file, in bytes, at which the writer starts a new file. Default: 1 GiB. */
  rotateBytes?: number;
  /** Size of a block's lines, in bytes, at which the block is closed. Default: 1 MiB. */
  blockBytes?: number;
  /** Time in ms from the first line of a block until the block is closed. A crash loses the records of this time. Default: 1 s. */
  blockMs?: number;
  /** Maximum size of all lines that wait for the disk, in bytes. Default: 24 MiB. */
  queueBytes?: number;
  /** Interval in ms at which the file is synced to the disk while records arrive. Default: 5 s. */
  syncMs?: number;
  /**
   * Called with each error of the disk. The writer then tries to write the same block every second. If this still fails while the writer is
   * being closed, the writer drops this block and all later blocks, and counts their records.
   *
   * Without this function, the first error ends the writing: `write` and `close` reject with it.
   */
  onError?: (error: DynoError) => void;
  /** Function that creates a file. For tests. */
  create?: (file: string) => Promise<OutputFile>;
}

export interface WriterTotals {
  /** Number of records that are on disk, in all files. */
  records: number;
  /** Size of all files, in bytes. */
  bytes: number;
  /** Number of records that were not written, because the disk was too slow or full. */
  dropped: number;
  /** Size of the lines that wait for the disk, in bytes. */
  queuedBytes: number;
  /** Paths of the files. */
  files: readonly string[];
}

interface Block {
  lines: Buffer[];
  bytes: number;
  records: number;
  firstAt: number;
  lastAt: number;
}

const emptyBlock = (): Block => ({ lines: [], bytes: 0, records: 0, firstAt: 0, lastAt: 0 });

/** A body of which some parts have been written, but not yet the record. */
interface OpenBody {
  parts: number;
  /** Incomplete UTF-8 character at the end of the last part. The next part begins with these bytes. */
  rest: Buffer;
  isLost: boolean;
}

const NONE = Buffer.alloc(0);

/** Pause between an error of the disk and the next attempt, in ms. */
const PAUSE_MS = 1000;

export class TrafficWriter {
  private readonly chain = new TaskChain();
  private readonly bodies = new Map<string, OpenBody>();
  private readonly files: string[] = [];
  private readonly waiting: (() => void)[] = [];
  private block = emptyBlock();
  private timer: NodeJS.Timeout | undefined;
  private queued = 0;
  private records = 0;
  private dropped = 0;
  /** Size of all files before the current file, in bytes. */
  private olderBytes = 0;
  private failed: DynoError | undefined;
  private isClosing = false;
  /**
   * Whether a block could not be written while the writer was being closed. All later blocks are then dropped: their records may belong to
   * parts in the dropped block.
   */
  private isGivenUp = false;
  private wake = (): void => undefined;

  private constructor(
    private part: FilePart,
    private readonly options: Required<Omit<TrafficWriterOptions, 'onError'>> &
      Pick<TrafficWriterOptions, 'onError'>,
  ) {
    this.files.push(part.file);
  }

  /**
   * Creates the first file. Rejects with a DynoError `traffic.exists` (input) if this file exists, or if an earlier recording with the same
   * name has more files. Rejects with `traffic.disk` (run) if the file cannot be written.
   */
  static async open(
    file: string,
    about: Pick<TrafficHeader, 'startedAt' | 'origin' | 'share'>,
    options: TrafficWriterOptions = {},
  ): Promise<TrafficWriter> {
    const { startedAt, origin, share } = about;
    const create = options.create ?? createFile;
    await checkFree(file);
    const header: TrafficHeader = {
      ...{ 'dyno-traffic': 1, startedAt, origin, share },
      ...{ part: 1, droppedBefore: 0 },
    };
    const part = await FilePart.create(file, header, create).catch((error: unknown) => {
      throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? exists(file) : diskError(file, error);
    });
    return new TrafficWriter(part, {
      ...{ rotateBytes: 1024 ** 3, blockBytes: 1024 ** 2, blockMs: 1000 },
      ...{ queueBytes: 24 * 1024 ** 2, syncMs: 5000 },
      ...options,
      create,
    });
  }

  get totals(): WriterTotals {
    const { records, dropped, queued: queuedBytes } = this;
    return {
      records,
      bytes: this.olderBytes + this.part.length,
      dropped,
      queuedBytes,
      files: [...this.files],
    };
  }

  /** Adds a record. Returns false if the record is dropped, because too much data waits for the disk. */
  append(record: TrafficRecord): boolean {
    const key = bodyKey(record.connection, record.order);
    const open = this.bodies.get(key);
    this.bodies.delete(key);
    if (open?.isLost || !this.hasRoom(record.body?.length ?? 0)) {
      this.drop(1);
      return false;
    }
    this.addRecord(record, open);
    return true;
  }

  /**
   * Adds a part of a long body. It must be added before its record, and should be about {@link PART_BYTES} long. The record itself then
   * contains the rest of the body. Returns false if the part is dropped; the record is then dropped too.
   */
  appendPart(connection: number, order: number, bytes: Uint8Array): boolean {
    const key = bodyKey(connection, order);
    const body = this.bodies.get(key) ?? { parts: 0, rest: NONE, isLost: false };
    this.bodies.set(key, body);
    if (body.isLost || !this.hasRoom(bytes.length)) {
      body.isLost = true;
      return false;
    }
    const piece = body.rest.length === 0 ? bytes : Buffer.concat([body.rest, bytes]);
    const end = piece.length - cutCharacterBytes(piece);
    this.add(partLine({ connection, order, part: body.parts, body: piece.subarray(0, end) }));
    body.rest = Buffer.from(piece.subarray(end));
    body.parts += 1;
    return true;
  }

  /** Must be called if parts of a body were added, but their record will never be added. Readers ignore these parts. */
  forget(connection: number, order: number): void {
    this.bodies.delete(bodyKey(connection, order));
  }

  /** Counts records that were dropped before they reached the writer. */
  drop(records: number): void {
    this.dropped += records;
  }

  /** Resolves when the lines that wait for the disk have at most the size `bytes`. */
  async untilQueued(bytes: number): Promise<void> {
    while (this.failed === undefined && this.queued > bytes)
      await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  /**
   * Makes the writer drop a block that the disk does not accept. Call this function before {@link close} if `write` or `untilQueued` may be
   * waiting for space in the queue.
   */
  stopTrying(): void {
    this.isClosing = true;
    this.wake();
  }

  /**
   * Adds a record. If the queue for the disk is full (`queueBytes`), waits until it has space. Without `onError`, rejects with the error of
   * the disk.
   */
  async write(record: TrafficRecord): Promise<void> {
    while (this.failed === undefined && !this.hasRoom(record.body?.length ?? 0))
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    if (this.failed !== undefined) throw this.failed;
    this.append(record);
  }

  /**
   * Writes all waiting lines and the index, and closes the file. Without `onError`, rejects with the error of the disk. Call it once. Do
   * not call other functions afterwards.
   */
  async close(): Promise<WriterTotals> {
    this.stopTrying();
    this.seal();
    await this.chain.settled();
    await this.part.finish(this.dropped).catch((error: unknown) => {
      this.report(error);
    });
    if (this.failed !== undefined) throw this.failed;
    return this.totals;
  }

  private addRecord(record: TrafficRecord, open: OpenBody | undefined): void {
    let { parts, rest } = { parts: open?.parts ?? 0, rest: record.body };
    if (open !== undefined && open.rest.length > 0) rest = Buffer.concat([open.rest, rest ?? NONE]);
    while (rest !== null && rest.length > PART_BYTES) {
      const end = PART_BYTES - cutCharacterBytes(rest.subarray(0, PART_BYTES));
      const { connection, order } = record;
      this.add(partLine({ connection, order, part: parts, body: rest.subarray(0, end) }));
      rest = rest.subarray(end);
      parts += 1;
    }
    const at = Math.max(0, Math.round(record.at));
    this.add(recordLine({ ...record, at, body: rest }, parts), at);
  }

  /** Returns whether `bytes` more bytes may be added to the queue for the disk. An empty queue accepts a body of any size. */
  private hasRoom(bytes: number): boolean {
    return this.queued === 0 || this.queued + bytes <= this.options.queueBytes;
  }

  /** Adds a line to the current block. `at`: time of the record, if the line is a record. */
  private add(line: Buffer, at?: number): void {
    const { block } = this;
    block.lines.push(line);
    block.bytes += line.length;
    this.queued += line.length;
    if (at !== undefined) {
      block.firstAt = block.records === 0 ? at : Math.min(block.firstAt, at);
      block.lastAt = Math.max(block.lastAt, at);
      block.records += 1;
    }
    if (block.bytes >= this.options.blockBytes) this.seal();
    else
      this.timer ??= setTimeout(() => {
        this.seal();
      }, this.options.blockMs);
  }

  /** Closes the current block, and adds it to the queue for the disk. */
  private seal(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { block } = this;
    if (block.lines.length === 0) return;
    this.block = emptyBlock();
    void this.chain.add(() => this.store(block));
  }

  private async store({ lines, bytes, ...about }: Block): Promise<void> {
    const isStored = await this.isStored(Buffer.concat(lines, bytes), about);
    if (isStored) this.records += about.records;
    else this.drop(about.records);
    this.queued -= bytes;
    for (const resolve of this.waiting.splice(0)) resolve();
    if (!isStored) return;
    try {
      await this.part.syncAfter(this.options.syncMs);
      if (this.part.length >= this.options.rotateBytes) await this.rotate();
    } catch (error) {
      this.report(error);
    }
  }

  /** Writes a block, and tries again after an error. Resolves to false if the block is dropped. */
  private async isStored(
    content: Buffer,
    about: Pick<Block, 'records' | 'firstAt' | 'lastAt'>,
  ): Promise<boolean> {
    while (this.failed === undefined && !this.isGivenUp)
      try {
        // If much data waits, speed is more important than the size of the file.
        const level = this.queued > this.options.queueBytes / 2 ? 0 : NORMAL_LEVEL;
        await this.part.writeBlock(content, about, level);
        return true;
      } catch (error) {
        this.report(error);
        if (this.isClosing) this.isGivenUp = true;
        else if (this.failed === undefined) await this.pause();
      }
    return false;
  }

  /** Waits before the next attempt. A full disk usually stays full for a while. */
  private async pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, PAUSE_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Starts the next file. If this fails, the writer continues with the current file. */
  private async rotate(): Promise<void> {
    const { part: full, dropped } = this;
    const number = full.header.part + 1;
    const header = { ...full.header, part: number, droppedBefore: dropped };
    this.part = await FilePart.create(partName(this.files[0]!, number), header, this.options.create);
    this.files.push(this.part.file);
    try {
      await full.finish(dropped);
    } finally {
      this.olderBytes += full.length;
    }
  }

  private report(error: unknown): void {
    const found = error instanceof DynoError ? error : diskError(this.part.file, error);
    if (this.options.onError === undefined) this.failed ??= found;
    else this.options.onError(found);
  }
}

const bodyKey = (connection: number, order: number): string => `${connection}/${order}`;

/**
 * Rejects with a DynoError (input): `traffic.exists` if a file with this name exists, or if an earlier recording with this name has more
 * files; `traffic.folder` if the folder cannot be read.
 */
export async function checkFree(file: string): Promise<void> {
  const folder = path.dirname(file);
  const further = await furtherParts(file).catch((error: unknown) => {
    throw inputError('traffic.folder', folder, `cannot be read: ${messageOf(error)}`);
  });
  const taken = [1, ...further].map((part) => partName(file, part));
  for (const name of taken) if (await doesExist(name)) throw exists(name);
}

const doesExist = (file: string): Promise<boolean> =>
  access(file, constants.F_OK).then(
    () => true,
    () => false,
  );

/** Returns the error for a file that would be overwritten. */
export const exists = (file: string): DynoError =>
  inputError('traffic.exists', file, 'exists, and Dyno does not overwrite traffic; choose another name');

const diskError = (file: string, error: unknown): DynoError =>
  runError('traffic.disk', file, `cannot be written: ${messageOf(error)}`, error);
