/** Reads the CPU time of a thread. */
import { ProcFile } from './proc-file';

/** Number of bytes to read from `schedstat`. Its first number is the CPU time in ns. */
const MOST_BYTES = 128;

/** Reads the CPU time of the thread that created this object, in ms; null on systems other than Linux. */
export class ThreadCpu {
  private readonly file = new ProcFile('/proc/thread-self/schedstat', MOST_BYTES);

  readonly ms = (): number | null => {
    const text = this.file.read();
    return text === null ? null : Number(text.slice(0, text.indexOf(' '))) / 1e6;
  };

  close(): void {
    this.file.close();
  }
}
