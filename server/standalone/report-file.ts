/** A report as a file: its form follows from the name's ending. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inputError } from '../../common/problem';
import { renderCsv } from '../../common/report/render/csv';
import { renderHtml } from '../../common/report/render/html';
import { renderJunit } from '../../common/report/render/junit';
import { renderJson } from '../../common/report/render/json';
import { renderMarkdown } from '../../common/report/render/markdown';
import type { Report } from '../../common/report/model/report';

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

export async function writeReport(file: string, report: Report): Promise<void> {
  checkReportFile(file);
  await mkdir(path.dirname(path.resolve(file)), { recursive: true });
  await writeFile(file, RENDERERS[path.extname(file).toLowerCase()]!(report));
}
