/** Types of the part of yazl that Dyno uses. The package has none. */
declare module 'yazl' {
  import type { Readable } from 'node:stream';

  export class ZipFile {
    readonly outputStream: Readable;
    /** Adds a file. `path`: its path within the zip, with `/`. `mode`: as in the result of `stat`. */
    addBuffer(content: Buffer, path: string, options?: { mtime?: Date; mode?: number }): void;
    end(): void;
  }
}
