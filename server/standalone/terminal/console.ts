/**
 * Where the command speaks: results on standard output, everything else on standard error. What is printed may come from files and
 * clusters, so all of it passes {@link printable} here.
 */
import { styleText } from 'node:util';
import { printable } from '../../../common/text/printable';
import { withoutAddressSecrets } from '../../../common/secrets/redact';
import { unlessPainted } from '../../../common/report/render/text-layout';

export interface Console {
  /** What was asked for: can be piped. `painted`: it holds the colours of a renderer, which stay. */
  print(text: string, painted?: boolean): void;
  /** What happens meanwhile. */
  say(text: string): void;
  warn(text: string): void;
  /** True when a person looks at standard error. */
  readonly interactive: boolean;
  readonly colour: boolean;
  readonly width: number;
}

/** The console of the process, which knows how far it was heard. */
export interface ProcessConsole extends Console {
  /** Results could not be written where they were asked for, such as on a full disk. A reader that has gone is no loss. */
  readonly isLost: boolean;
}

const DEFAULT_WIDTH = 100;
/** Nobody reads any more: the other end of a pipe was closed (`| head`), or the terminal. */
const UNHEARD = new Set(['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED']);

/** What of a process the console speaks through. */
export type Streams = Pick<NodeJS.Process, 'stdout' | 'stderr' | 'env'>;

/**
 * Whoever stops reading ends no command: a run goes on in silence, cleans up, and ends with its own exit code.
 */
export function processConsole({ stdout, stderr, env }: Streams = process): ProcessConsole {
  const colour = Boolean(stdout.isTTY) && env['NO_COLOR'] === undefined;
  // Messages may contain addresses; results on standard output are what was asked for.
  const safe = (text: string): string => withoutAddressSecrets(printable(text));
  const write = (text: string): void => void stderr.write(`${text}\n`);
  const warn = (text: string): void => write(stderr.isTTY ? styleText('yellow', safe(text)) : safe(text));
  let isLost = false;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isLost || UNHEARD.has(error.code ?? '')) return;
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
