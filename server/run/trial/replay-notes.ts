/** What the reader of a run must know of a log that was replayed in it, in sentences. */
import { plural } from '../../../common/analysis/wording';
import { accountedFor, type LineExample } from '../../../common/measurement/replay';
import type { TaskSummary } from '../../../common/measurement/trial';
import { formatNumber } from '../../../common/units/format';

const shown = (examples: readonly LineExample[]): string =>
  examples.map(({ line, reason }) => `line ${line} ${reason}`).join('; ');

/** Nothing for a log that was sent as it stands. */
export function replayNotes({ task, replay }: Pick<TaskSummary, 'task' | 'replay'>): string[] {
  if (!replay) return [];
  const { lines, malformed, refused, late, malformedExamples, refusedExamples } = replay;
  const of = `of ${plural(lines, 'line')} of the log of ${task}`;
  return [
    malformed === 0 ? '' : `${formatNumber(malformed)} ${of} malformed: ${shown(malformedExamples)}`,
    refused === 0 ? '' : `${formatNumber(refused)} ${of} refused: ${shown(refusedExamples)}`,
    late === 0
      ? ''
      : `${formatNumber(late)} ${of} so far out of order that they were sent as soon as they were read`,
    accountedFor(replay) === lines
      ? ''
      : `${formatNumber(lines - accountedFor(replay))} ${of} are unaccounted for: please report this`,
  ].filter(Boolean);
}
