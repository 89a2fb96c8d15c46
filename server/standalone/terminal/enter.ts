/** Waits for the user to press Enter. */
import { createInterface } from 'node:readline';

/** Returns whether the user can be asked, because both standard input and standard error are a terminal. */
export const canAsk = (): boolean => Boolean(process.stdin.isTTY) && Boolean(process.stderr.isTTY);

/** Resolves to true when the user presses Enter, and to false at Ctrl-C or at the end of the input. */
export function untilEnter(question: string): Promise<boolean> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    let pressed = false;
    lines.once('close', () => resolve(pressed));
    lines.once('SIGINT', () => lines.close());
    lines.question(question, () => {
      pressed = true;
      lines.close();
    });
  });
}
