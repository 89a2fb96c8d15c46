/** The few lines on top of a report: what ran, when, on what, and what came out. */
import { formatDuration, formatMinute, plural } from '../../units/format';
import { outcomeOf, outcomeWords } from '../../experiment/run';
import type { Report } from './report';

/** The run in short phrases, to be joined by the rendering. */
export function runFacts({ run, provenance, experiment, cells }: Report): string[] {
  const { planned, completed } = run.trials;
  const unverified = cells.reduce((sum, cell) => sum + (cell.unverified ?? 0), 0);
  return [
    `run ${run.id}`,
    outcomeWords(outcomeOf(run.state, run.trials.failed)),
    formatMinute(run.started),
    ...(run.elapsedMs === null ? [] : [`took ${formatDuration(run.elapsedMs)}`]),
    `${completed} of ${plural(planned, 'trial')}${unverified === 0 ? '' : `, ${unverified} unverified`}`,
    ...(provenance === null
      ? []
      : [`Elasticsearch ${provenance.cluster.version}`, plural(provenance.nodes.length, 'node')]),
    ...(experiment.preset === null ? [] : [`preset ${experiment.preset}`]),
  ];
}

/** What stands above everything else of a run that came to its end without some of its trials; '' for others. */
export function failureSentence({ run: { trials } }: Pick<Report, 'run'>): string {
  const { failed, planned } = trials;
  return failed === 0
    ? ''
    : `Completed with failures: ${failed} of ${plural(planned, 'trial')} failed, and the figures are of the others.`;
}

/** A list of sentences with its heading. */
export interface FactList {
  heading: string;
  items: readonly string[];
}

/** What must be known of the result: the reasons for its level of trust, then notes. Empty lists are left out. */
export function cautionLists({ trust, notes }: Pick<Report, 'trust' | 'notes'>): FactList[] {
  const heading = trust?.level === 'none' ? 'Why the result cannot be trusted' : 'Why trust is limited';
  return [
    { heading, items: trust?.reasons.map(({ text }) => text) ?? [] },
    { heading: 'Notes', items: notes },
  ].filter(({ items }) => items.length > 0);
}

/** The verdict's sentence in two: the answer in capitals, and what follows it. */
export function answerAndRest({ verdict: { answer, sentence } }: Report): [answer: string, rest: string] {
  const words = answer.replace('-', ' ');
  const starts = sentence.toLowerCase().startsWith(words);
  return [words.toUpperCase(), starts ? sentence.slice(words.length) : `: ${sentence}`];
}
