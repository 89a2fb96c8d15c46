/** Writes one file of a recording as a sequence of gzip members (see `form/members.ts`): header, blocks of records, index and end. */
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { TrafficHeader } from '../../common/traffic/record';
import { syncFolder } from '../whole-file';
import { headerLine, indexLine, type BlockPlace } from './form/lines';
import { packMember, type MemberKind } from './form/members';

/** The methods of a file handle that the writer of a recording uses. */
export interface OutputFile {
  write(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesWritten: number }>;
  truncate(length: number): Promise<void>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

/** Creates a file that only its owner can read, because traffic contains the data of users. Rejects with `EEXIST` if the file exists. */
export const createFile = (file: string): Promise<OutputFile> => open(file, 'wx', 0o600);

/** Compression level of zlib. Higher levels need much more CPU time, and save little disk space. */
export const NORMAL_LEVEL = 3;

type About = Pick<BlockPlace, 'records' | 'firstAt' | 'lastAt'>;
const NOTHING: About = { records: 0, firstAt: 0, lastAt: 0 };

export class FilePart {
  /** Size of the complete gzip members in the file, in bytes. After a failed write, the file is cut to this size. */
  length = 0;
  private members = 0;
  private readonly places: BlockPlace[] = [];
  private syncedAt = performance.now();

  private constructor(
    readonly file: string,
    readonly header: TrafficHeader,
    private readonly output: OutputFile,
  ) {}

  /** Creates the file and writes its header. Rejects with the error of the file system. */
  static async create(
    file: string,
    header: TrafficHeader,
    create: (file: string) => Promise<OutputFile>,
  ): Promise<FilePart> {
    const part = new FilePart(file, header, await create(file));
    try {
      await part.writeMember('header', headerLine(header), NOTHING);
      await part.sync();
    } catch (error) {
      await part.output.close().catch(() => undefined);
      // The file is removed, because the next try would otherwise fail since the file exists.
      await rm(file, { force: true }).catch(() => undefined);
      throw error;
    }
    await syncFolder(path.dirname(file));
    return part;
  }

  async writeBlock(lines: Uint8Array, about: About, level: number): Promise<void> {
    this.places.push(await this.writeMember('block', lines, about, level));
  }

  /** Makes the operating system write the file's data from memory to the disk, unless this was done less than `ms` ago. */
  async syncAfter(ms: number): Promise<void> {
    if (performance.now() - this.syncedAt >= ms) await this.sync();
  }

  /**
   * Writes the index and the member that marks the end, and closes the file. `dropped`: number of records that were dropped so far; it is
   * stored in the index. Rejects with the error of the file system.
   */
  async finish(dropped: number): Promise<void> {
    const { header, places: blocks } = this;
    try {
      const { offset } = await this.writeMember('index', indexLine({ header, blocks, dropped }), NOTHING);
      await this.writeMember('end', new Uint8Array(), { ...NOTHING, lastAt: offset });
      await this.sync();
    } finally {
      await this.output.close();
    }
  }

  /** Writes a member at the end of the file. If this fails, removes the incomplete member and rejects. */
  private async writeMember(
    kind: MemberKind,
    content: Uint8Array,
    about: About,
    level = NORMAL_LEVEL,
  ): Promise<BlockPlace> {
    const { members: number, length: offset } = this;
    const bytes = await packMember(content, { kind, number, ...about }, level);
    try {
      for (let written = 0; written < bytes.length;) {
        const left = bytes.length - written;
        written += (await this.output.write(bytes, written, left, offset + written)).bytesWritten;
      }
    } catch (error) {
      // If this fails too, the next member overwrites the incomplete one, or a reader skips it.
      await this.output.truncate(offset).catch(() => undefined);
      throw error;
    }
    this.length += bytes.length;
    this.members += 1;
    return { offset, bytes: bytes.length, number, ...about };
  }

  private async sync(): Promise<void> {
    await this.output.datasync();
    this.syncedAt = performance.now();
  }
}
