/** Describes a tuning in words for the terminal, for Markdown and for pages. */
import { formatChange, formatChanges } from '../analysis/wording';
import { formatDuration, plural } from '../units/format';
import { NO_TEMPLATE, templateRequest } from './template';
import { GOAL_TITLES } from './goal';
import type { Evidence, EvidenceFigure, Line, Outcome, Stage, Tuning, TuningPlan } from './tuning';

/** Returns the change of a metric as text, with its interval: `+38% docs/s (+31% to +45%)`. */
export const figureText = ({ ratio, interval, title }: EvidenceFigure): string =>
  ratio === null ? `${title} unknown` : `${formatChange(ratio)} ${title} (${formatChanges(interval)})`;

/**
 * Returns the changes of other metrics as text: `p95 of queries +12%, bytes per document −41%`. Unchanged metrics are left out. A metric
 * with too few responses is listed as such, because the reader would otherwise think that it is unchanged.
 */
export function besideText({ beside }: Pick<Evidence, 'beside'>): string {
  const changed = beside.filter(({ word }) => word !== 'no difference within the margin');
  if (changed.length === 0) return 'nothing else changed';
  return changed
    .map(({ title, ratio, word }) => {
      if (ratio === null) return `${title} unknown`;
      return `${title} ${formatChange(ratio)}${word === 'undecided' ? ' (undecided)' : ''}`;
    })
    .join(', ');
}

export const againstText = ({ against }: Pick<Evidence, 'against'>): string =>
  against === 'start' ? 'against the start' : 'all settings against all but this one';

export const lineText = ({ candidate, evidence }: Line): string =>
  `${candidate.title}: ${candidate.from} → ${candidate.value}: ${figureText(evidence.goal)}; ${besideText(evidence)}`;

export const stageText = ({
  kind,
  cells,
  repetitions,
}: Pick<Stage, 'kind' | 'cells' | 'repetitions'>): string => {
  const trials = `${cells.length} x ${repetitions} trials`;
  switch (kind) {
    case 'round':
      return `${plural(cells.length - 1, 'candidate')} against the start (${trials})`;
    case 'together':
      return `all better settings together, and without each of them (${trials})`;
    case 'confirmation':
      return `start against ${cells[1]?.join(', ') ?? 'final settings'}, with new data (${trials})`;
  }
};

export function planLines({
  rounds,
  together,
  confirmation,
  candidates,
  untried,
  ms,
  trialMs,
  notes,
}: TuningPlan): string[] {
  return [
    `At most about ${formatDuration(ms)}, in trials of about ${formatDuration(trialMs)}:`,
    ...rounds.map(
      ({ candidates: tried, repetitions, trials, ms: roundMs }, at) =>
        `  round ${at + 1}: ${plural(tried, 'candidate')} against the start, ${repetitions} times each: ${trials} trials, ${formatDuration(roundMs)}`,
    ),
    ...(together === null
      ? []
      : [
          `  together: all better settings, and without each of them: ${together.trials} trials, ${formatDuration(together.ms)}`,
        ]),
    `  confirmation: start against final settings, with new data: ${confirmation.trials} trials, ${formatDuration(confirmation.ms)}`,
    '',
    'Candidates, the largest expected gain first:',
    ...candidates.map(({ title, from, value, costs }) => `  ${title}: ${from} → ${value}. ${costs}`),
    ...untriedLines(untried),
    ...notes,
  ];
}

const untriedLines = (untried: Outcome['untried']): string[] =>
  untried.length === 0
    ? []
    : [
        '',
        'Not tried:',
        ...untried.map(({ title, value, why }) => `  ${title}${value === '' ? '' : ` ${value}`}: ${why}`),
      ];

/** Returns the whole tuning as lines for the terminal. */
export function tuningLines({ name, request, stages, outcome }: Tuning): string[] {
  if (outcome === null) return [];
  const {
    recommended,
    sentence,
    confirmation,
    trust = null,
    limits,
    lines,
    dropped,
    untried,
    client,
    notes,
  } = outcome;
  return [
    name,
    `Goal: ${GOAL_TITLES[request.goal].toLowerCase()}`,
    '',
    sentence,
    ...(trust === null ? [] : [`${trust.line}.`]),
    ...(confirmation === null ? [] : [`  elsewhere: ${besideText(confirmation)}; run ${confirmation.run}`]),
    ...limits.map(
      ({ limit, answer, why }) =>
        `  limit ${limit}: ${answer === 'open' ? 'not shown to be kept' : answer}, ${why}`,
    ),
    ...(lines.length === 0
      ? []
      : [
          '',
          'Settings:',
          ...lines.map(
            (line) => `  ${lineText(line)}; ${againstText(line.evidence)}, run ${line.evidence.run}`,
          ),
        ]),
    ...(dropped.length === 0
      ? []
      : [
          '',
          'Tried, but not recommended:',
          ...dropped.map(
            ({ candidate, why, evidence }) =>
              `  ${candidate.title} ${candidate.value}: ${why}${evidence === null ? '' : `: ${figureText(evidence.goal)}, run ${evidence.run}`}`,
          ),
        ]),
    ...untriedLines(untried),
    ...(notes.length === 0 ? [] : ['', ...notes]),
    '',
    `Runs: ${stages.map(({ run }) => run).join(', ')}`,
    ...(!recommended
      ? []
      : [
          '',
          'Client:',
          ...client.map(({ title, value }) => `  ${title}: ${value}`),
          '',
          templateRequest({ request, outcome }) ?? NO_TEMPLATE,
        ]),
  ];
}
