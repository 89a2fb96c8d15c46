/**
 * Shows the progress of a download: as a bar on a terminal, otherwise as a line every 10%.
 *
 * No package is used, because this is little code.
 */
import { formatBytes } from '../../../common/units/format';

const BAR_WIDTH = 30;
/** Minimum time between two redraws, in ms. */
const REDRAW_MS = 100;

/** The members of a stream such as `process.stderr` that this module uses. */
export interface ProgressOutput {
  isTTY?: boolean;
  write(text: string): unknown;
}

export type Progress = (doneBytes: number, totalBytes: number | undefined) => void;

function bar(label: string, done: number, total: number | undefined): string {
  if (total === undefined) return `${label} ${formatBytes(done)}`;
  const filled = Math.floor((BAR_WIDTH * done) / total);
  const percent = String(Math.floor((100 * done) / total)).padStart(3);
  const drawn = `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`;
  return `${label} ${drawn} ${percent}% of ${formatBytes(total)}`;
}

/** Returns a function that shows the progress of a download. `now` returns ms. */
export function downloadProgress(
  label: string,
  output: ProgressOutput = process.stderr,
  now: () => number = Date.now,
): Progress {
  let drawnAt = -Infinity;
  let tenths = -1;
  return (done, total) => {
    const complete = done === total;
    if (output.isTTY) {
      if (!complete && now() - drawnAt < REDRAW_MS) return;
      drawnAt = now();
      output.write(`\r\u001b[K${bar(label, done, total)}${complete ? '\n' : ''}`);
      return;
    }
    const reached = total === undefined ? 0 : Math.floor((10 * done) / total);
    if (reached === tenths) return;
    tenths = reached;
    output.write(
      total === undefined ? `${label}\n` : `${label}: ${reached * 10}% of ${formatBytes(total)}\n`,
    );
  };
}
