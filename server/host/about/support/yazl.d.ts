/** The part of yazl that is used here; it has no types of its own. */
declare module 'yazl' {
  import type { Readable } from 'node:stream';

  export class ZipFile {
    readonly outputStream: Readable;
    /** `path`: within the zip, with `/`; `mode` as `stat` has it. */
    addBuffer(content: Buffer, path: string, options?: { mtime?: Date; mode?: number }): void;
    end(): void;
  }
}
