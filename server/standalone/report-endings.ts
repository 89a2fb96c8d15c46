/** The forms that reports are written in, by the endings of their files: the command line is checked by them before anything is loaded. */
import path from 'node:path';
import { inputError } from '../../common/problem';

export const REPORT_ENDINGS = ['.html', '.md', '.json', '.csv', '.xml'] as const;
export type ReportEnding = (typeof REPORT_ENDINGS)[number];

export const COMPARISON_ENDINGS = ['.html', '.md', '.json', '.csv'] as const;
export type ComparisonEnding = (typeof COMPARISON_ENDINGS)[number];

export const BISECT_ENDINGS = ['.md', '.json'] as const;
export type BisectEnding = (typeof BISECT_ENDINGS)[number];

/** The one of `endings` that `file` has. Throws a DynoError (`input`) for one that has no form: before a long run, not after. */
export function endingOf<Ending extends string>(
  file: string,
  endings: readonly Ending[],
  what = 'report',
): Ending {
  const written = path.extname(file).toLowerCase();
  const found = endings.find((ending) => ending === written);
  if (found !== undefined) return found;
  throw inputError('command.report', '--report', `no ${what} format has this ending`, {
    found: file,
    allowed: endings.join(', '),
  });
}
