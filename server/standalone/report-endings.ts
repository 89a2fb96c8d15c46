/**
 * File extensions of the report formats. They are in a separate source file, because commands check their options before they load the code
 * that creates reports.
 */
import path from 'node:path';
import { inputError } from '../../common/problem';

export const REPORT_ENDINGS = ['.html', '.md', '.json', '.csv', '.xml'] as const;
export type ReportEnding = (typeof REPORT_ENDINGS)[number];

export const COMPARISON_ENDINGS = ['.html', '.md', '.json', '.csv'] as const;
export type ComparisonEnding = (typeof COMPARISON_ENDINGS)[number];

export const BISECT_ENDINGS = ['.md', '.json'] as const;
export type BisectEnding = (typeof BISECT_ENDINGS)[number];

/**
 * Returns the extension of the name `file`. Throws an input error if the extension is not one of `endings`. Commands check this before a
 * run, because the report is written only after a long run.
 */
export function endingOf<Ending extends string>(
  file: string,
  endings: readonly Ending[],
  what = 'report',
): Ending {
  const written = path.extname(file).toLowerCase();
  const found = endings.find((ending) => ending === written);
  if (found !== undefined) return found;
  throw inputError('command.report', '--report', `no ${what} format has this file extension`, {
    found: file,
    allowed: endings.join(', '),
  });
}
