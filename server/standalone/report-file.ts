/** Writes reports to files. The file extension determines the format. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { describeProblem, DynoError, messageOf, runError } from '../../common/problem';
import {
  renderComparisonCsv,
  renderComparisonHtml,
  renderComparisonJson,
  renderComparisonMarkdown,
} from '../../common/report/render/comparison';
import { renderCsv } from '../../common/report/render/csv';
import { renderHtml } from '../../common/report/render/html';
import { renderJunit } from '../../common/report/render/junit';
import { renderJson } from '../../common/report/render/json';
import { renderMarkdown } from '../../common/report/render/markdown';
import type { Report } from '../../common/report/model/report';
import { writeWhole } from '../whole-file';
import { asDiskError } from './disk-error';
import { COMMAND } from './how-called';
import {
  COMPARISON_ENDINGS,
  endingOf,
  REPORT_ENDINGS,
  type ComparisonEnding,
  type ReportEnding,
} from './report-endings';
import type { Console } from './terminal/console';

const RENDERERS: Readonly<Record<ReportEnding, (report: Report) => string>> = {
  '.html': renderHtml,
  '.md': renderMarkdown,
  '.json': renderJson,
  '.csv': renderCsv,
  '.xml': renderJunit,
};

const COMPARISON_RENDERERS: Readonly<Record<ComparisonEnding, (reports: readonly Report[]) => string>> = {
  '.html': renderComparisonHtml,
  '.md': renderComparisonMarkdown,
  '.json': renderComparisonJson,
  '.csv': renderComparisonCsv,
};

/**
 * Writes a report to a file. Rejects with a DynoError `disk.full`, `disk.not-writable` or `report.not-written`. An existing file is
 * unchanged in this case.
 */
export async function writeReport(file: string, render: () => string): Promise<void> {
  const to = path.resolve(file);
  try {
    await mkdir(path.dirname(to), { recursive: true });
    await writeWhole(to, render());
  } catch (error) {
    const known = asDiskError(error, to);
    if (known instanceof DynoError) throw known;
    throw runError('report.not-written', to, `the report cannot be written: ${messageOf(error)}`, error);
  }
}

/** Files of a report that were written, and the errors of the files that could not be written. */
export interface WrittenReports {
  written: string[];
  failures: DynoError[];
}

/** Writes the report to each of `files`. The caller must have checked the extensions. If one file fails, the others are still written. */
export const writeReports = (files: readonly string[], report: Report): Promise<WrittenReports> =>
  writeAll(files, (file) => RENDERERS[endingOf(file, REPORT_ENDINGS)](report));

/** Like {@link writeReports}, for a comparison of runs. */
export const writeComparison = (
  files: readonly string[],
  reports: readonly Report[],
): Promise<WrittenReports> =>
  writeAll(files, (file) => COMPARISON_RENDERERS[endingOf(file, COMPARISON_ENDINGS)](reports));

async function writeAll(files: readonly string[], render: (file: string) => string): Promise<WrittenReports> {
  const written: string[] = [];
  const failures: DynoError[] = [];
  for (const file of files) {
    try {
      await writeReport(file, () => render(file));
      written.push(path.resolve(file));
    } catch (error) {
      if (!(error instanceof DynoError)) throw error;
      failures.push(error);
    }
  }
  return { written, failures };
}

/**
 * Prints the names of the written files, and the errors. Returns whether all files were written. `kept`: subject of the sentence "... are
 * stored". `again`: the command that writes the report again. Both appear in the errors.
 */
export function sayFiles(
  { written, failures }: WrittenReports,
  kept: string,
  again: string,
  { say, warn }: Pick<Console, 'say' | 'warn'>,
): boolean {
  for (const file of written) say(`report: ${file}`);
  for (const { problems } of failures)
    for (const problem of problems)
      warn(
        `${describeProblem(problem)}. ${kept} are stored; to write the report again: ${COMMAND} ${again} --report FILE`,
      );
  return failures.length === 0;
}

/** Prints the same as {@link sayFiles}, for the report of one run. */
export const sayReports = (
  reports: WrittenReports,
  run: string,
  console: Pick<Console, 'say' | 'warn'>,
): boolean => sayFiles(reports, `The results of run ${run}`, `report ${run}`, console);
