/** A report as a file: its form follows from the name's ending. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { describeProblem, DynoError, inputError, messageOf, runError } from '../../common/problem';
import { renderCsv } from '../../common/report/render/csv';
import { renderHtml } from '../../common/report/render/html';
import { renderJunit } from '../../common/report/render/junit';
import { renderJson } from '../../common/report/render/json';
import { renderMarkdown } from '../../common/report/render/markdown';
import type { Report } from '../../common/report/model/report';
import { writeWhole } from '../whole-file';
import { asDiskError } from './downloads/disk-error';
import type { Console } from './terminal/console';

const RENDERERS: Readonly<Record<string, (report: Report) => string>> = {
  '.html': renderHtml,
  '.md': renderMarkdown,
  '.json': renderJson,
  '.csv': renderCsv,
  '.xml': renderJunit,
};

/** Throws a DynoError (`input`) for an ending that has no form: before a long run, not after. */
export function checkReportFile(file: string): void {
  if (RENDERERS[path.extname(file).toLowerCase()]) return;
  throw inputError('command.report', '--report', 'no report format has this ending', {
    found: file,
    allowed: Object.keys(RENDERERS).join(', '),
  });
}

/** Rejects with a DynoError: `disk.full`, `disk.not-writable`, `report.not-written`; the file is then as it was. */
async function writeReport(file: string, report: Report): Promise<void> {
  const to = path.resolve(file);
  try {
    await mkdir(path.dirname(to), { recursive: true });
    await writeWhole(to, RENDERERS[path.extname(to).toLowerCase()]!(report));
  } catch (error) {
    const told = asDiskError(error, to);
    if (told instanceof DynoError) throw told;
    throw runError('report.not-written', to, `the report cannot be written: ${messageOf(error)}`, error);
  }
}

/** What became of the files of a report. */
export interface WrittenReports {
  written: string[];
  failures: DynoError[];
}

/** Writes the report to each of `files`, all of which were checked; one that cannot be written keeps no other away. */
export async function writeReports(files: readonly string[], report: Report): Promise<WrittenReports> {
  const written: string[] = [];
  const failures: DynoError[] = [];
  for (const file of files) {
    try {
      await writeReport(file, report);
      written.push(path.resolve(file));
    } catch (error) {
      if (!(error instanceof DynoError)) throw error;
      failures.push(error);
    }
  }
  return { written, failures };
}

/** Tells where the reports are, and why others are not; returns whether all are there. */
export function sayReports(
  { written, failures }: WrittenReports,
  run: string,
  { say, warn }: Pick<Console, 'say' | 'warn'>,
): boolean {
  for (const file of written) say(`report: ${file}`);
  for (const { problems } of failures)
    for (const problem of problems)
      warn(
        `${describeProblem(problem)}. The results of run ${run} are kept: npm run dyno -- report ${run} --report FILE`,
      );
  return failures.length === 0;
}
