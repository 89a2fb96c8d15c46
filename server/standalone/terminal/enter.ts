/** Waits for a person at the terminal. */
import { createInterface } from 'node:readline';

/** Whether somebody can be asked: both what is typed and what is said go through a terminal. */
export const canAsk = (): boolean => Boolean(process.stdin.isTTY) && Boolean(process.stderr.isTTY);

/** Resolves to true at Enter, to false at Ctrl-C or where the input ends. */
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
