/**
 * Output of the command. Results go to standard output, and everything else goes to standard error. All output passes through {@link
 * printable}, because it may contain text from files and clusters.
 */
import { styleText } from 'node:util';
import { printable } from '../../../common/text/printable';
import { withoutAddressSecrets } from '../../../common/secrets/redact';
import { unlessPainted } from '../../../common/report/render/text-layout';

export interface Console {
  /**
   * Prints results on standard output. `painted`: whether the text contains colours from Dyno's renderer. These colours are kept, and all
   * other escape codes are made harmless.
   */
  print(text: string, painted?: boolean): void;
  /** Prints progress on standard error. */
  say(text: string): void;
  warn(text: string): void;
  /** Whether standard error is a terminal that a person reads. */
  readonly interactive: boolean;
  readonly colour: boolean;
  readonly width: number;
}

/** The console of the process. */
export interface ProcessConsole extends Console {
  /**
   * Whether some standard output could not be written, for example because the disk is full. False if only the process at the other end of
   * a pipe has ended.
   */
  readonly isLost: boolean;
}

const DEFAULT_WIDTH = 100;
/**
 * Codes of errors which mean that nothing reads the output any more: the process at the other end of a pipe (`| head`) has ended, or the
 * terminal was closed.
 */
const READER_GONE = new Set(['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED']);

/** The members of `process` that the console uses. */
export type Streams = Pick<NodeJS.Process, 'stdout' | 'stderr' | 'env'>;

/** Creates the console. A closed pipe does not end the command: a run continues without output, cleans up, and ends with its exit code. */
export function processConsole({ stdout, stderr, env }: Streams = process): ProcessConsole {
  const colour = Boolean(stdout.isTTY) && env['NO_COLOR'] === undefined;
  // Messages may contain addresses with secrets, so secrets are removed from them. Results on standard output are printed as they were
  // requested.
  const safe = (text: string): string => withoutAddressSecrets(printable(text));
  const write = (text: string): void => void stderr.write(`${text}\n`);
  const warn = (text: string): void => write(stderr.isTTY ? styleText('yellow', safe(text)) : safe(text));
  let isLost = false;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isLost || READER_GONE.has(error.code ?? '')) return;
    isLost = true;
    warn(`standard output cannot be written: ${error.message}`);
  });
  stderr.on('error', () => undefined);
  return {
    print: (text, painted = false) =>
      void stdout.write(`${painted && colour ? unlessPainted(text, printable) : printable(text)}\n`),
    say: (text) => write(safe(text)),
    warn,
    interactive: Boolean(stderr.isTTY) && env['CI'] === undefined,
    colour,
    width: stdout.isTTY ? Math.min(stdout.columns || DEFAULT_WIDTH, 140) : DEFAULT_WIDTH,
    get isLost() {
      return isLost;
    },
  };
}
