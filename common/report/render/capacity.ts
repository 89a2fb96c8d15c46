/** Renders the results of a capacity question for a terminal. */
import type { CapacityAnswer } from '../model/capacity';
import type { Report } from '../model/report';
import type { TerminalOptions } from './terminal';
import { painter, wrap } from './text-layout';

/** Text for a run that cannot answer the user's capacity question. */
export const NOTHING_COUNTED =
  'This run did not vary nodes, clients, shards or another count, or its tasks send at a given rate: vary a count over at least four levels, with clients or a search for the highest rate.';

/** Returns the results of a capacity question as lines with at most `width` characters. The last line has no line feed. */
export function renderCapacity(
  report: Pick<Report, 'experiment' | 'run'>,
  answers: readonly CapacityAnswer[],
  { width = 100, colour = false }: TerminalOptions = {},
): string {
  const paint = painter(colour);
  if (answers.length === 0) return wrap(NOTHING_COUNTED, width).join('\n');
  const parts = answers.map(({ task, name, group, sentence, limits, cost, assumptions }) => [
    paint(`${task} over ${name}${group === '' ? '' : `, ${group}`}`, 'title'),
    ...wrap(sentence, width).map((line) => paint(line, 'bold')),
    ...[...limits.map((limit) => limit.sentence), cost].flatMap((text) => wrap(text, width)),
    ...assumptions.flatMap((text) =>
      wrap(`- ${text}`, width - 2, '  ').map((line) => paint(`  ${line}`, 'quiet')),
    ),
  ]);
  return [[`${report.experiment.name} (run ${report.run.id})`], ...parts]
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}
