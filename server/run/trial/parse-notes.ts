/** What the reader of a run must know of lines that were parsed in it, in sentences. */
import { plural } from '../../../common/analysis/wording';
import { accountedLines } from '../../../common/measurement/parse';
import type { TaskSummary } from '../../../common/measurement/trial';
import { formatNumber } from '../../../common/units/format';

/** Nothing where every line was parsed. */
export function parseNotes({ task, parsing }: Pick<TaskSummary, 'task' | 'parsing'>): string[] {
  if (!parsing) return [];
  if (parsing.by === 'pipeline') {
    const { pipeline } = parsing;
    if (pipeline === null) return [`the target told nothing of the pipeline that parses ${task}`];
    return pipeline.unparsed === null || pipeline.unparsed === 0
      ? []
      : [`${plural(pipeline.unparsed, 'line')} of ${task} unparsed in the measured phase, by the pipeline`];
  }
  const { account } = parsing.parsers;
  const of = `of ${plural(account.lines, 'line')} of ${task}`;
  const shown = account.examples
    .map(({ line, reason, text }) => `line ${line} ${reason}: ${text}`)
    .join('; ');
  const lost = account.lines - accountedLines(account);
  return [
    account.unparsed === 0 ? '' : `${formatNumber(account.unparsed)} ${of} unparsed: ${shown}`,
    lost === 0 ? '' : `${formatNumber(lost)} ${of} are unaccounted for: please report this`,
  ].filter(Boolean);
}
