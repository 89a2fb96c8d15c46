/** Where the command speaks: results on standard output, everything else on standard error. */
import { styleText } from 'node:util';

export interface Console {
  /** What was asked for: can be piped. */
  print(text: string): void;
  /** What happens meanwhile. */
  say(text: string): void;
  warn(text: string): void;
  /** True when a person looks at standard error. */
  readonly interactive: boolean;
  readonly colour: boolean;
  readonly width: number;
}

const DEFAULT_WIDTH = 100;

export function processConsole(): Console {
  const { stdout, stderr, env } = process;
  const colour = Boolean(stdout.isTTY) && env['NO_COLOR'] === undefined;
  return {
    print: (text) => void stdout.write(`${text}\n`),
    say: (text) => void stderr.write(`${text}\n`),
    warn: (text) => void stderr.write(`${stderr.isTTY ? styleText('yellow', text) : text}\n`),
    interactive: Boolean(stderr.isTTY) && env['CI'] === undefined,
    colour,
    width: stdout.isTTY ? Math.min(stdout.columns || DEFAULT_WIDTH, 140) : DEFAULT_WIDTH,
  };
}
