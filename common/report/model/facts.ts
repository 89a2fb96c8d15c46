/** Returns the lines at the top of a report: what ran, when, where, and the result. */
import { engineWithVersion } from '../../elasticsearch/engine';
import { formatDuration, formatMinute, plural } from '../../units/format';
import { outcomeOf, outcomeWords } from '../../experiment/run';
import type { Report } from './report';

/** Returns short phrases about the run. Each output format joins them in its own way. */
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
      : [engineWithVersion(provenance.cluster), plural(provenance.nodes.length, 'node')]),
    ...(experiment.preset === null ? [] : [`preset ${experiment.preset}`]),
  ];
}

/**
 * Returns the first sentence of the report for a run that reached the end of its plan, but in which some trials failed; '' for other runs.
 */
export function failureSentence({ run: { trials } }: Pick<Report, 'run'>): string {
  const { failed, planned } = trials;
  return failed === 0
    ? ''
    : `Completed with failures: ${failed} of ${plural(planned, 'trial')} failed, and the results cover only the others.`;
}

/** A list of sentences, and its heading. */
export interface FactList {
  heading: string;
  items: readonly string[];
}

/** Returns two lists: the reasons for the level of trust, and the notes. Empty lists are left out. */
export function cautionLists({ trust, notes }: Pick<Report, 'trust' | 'notes'>): FactList[] {
  const heading = trust?.level === 'none' ? 'Why the result cannot be trusted' : 'Why trust is limited';
  return [
    { heading, items: trust?.reasons.map(({ text }) => text) ?? [] },
    { heading: 'Notes', items: notes },
  ].filter(({ items }) => items.length > 0);
}

/** Splits the sentence of the verdict in two: the verdict itself, such as CONFIRMED, and the text after it. */
export function answerAndRest({ verdict: { answer, sentence } }: Report): [answer: string, rest: string] {
  const words = answer.replace('-', ' ');
  const starts = sentence.toLowerCase().startsWith(words);
  return [words.toUpperCase(), starts ? sentence.slice(words.length) : `: ${sentence}`];
}
