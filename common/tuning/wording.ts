/** A tuning in sentences: for the terminal, for Markdown, and for what the pages quote. */
import { formatChange, formatChanges } from '../analysis/wording';
import { formatDuration, plural } from '../units/format';
import { NO_TEMPLATE, templateRequest } from './template';
import { GOAL_TITLES } from './goal';
import type { Evidence, EvidenceFigure, Line, Outcome, Stage, Tuning, TuningPlan } from './tuning';

/** `+38% docs/s (+31% to +45%)`. */
export const figureText = ({ ratio, interval, title }: EvidenceFigure): string =>
  ratio === null ? `${title} unknown` : `${formatChange(ratio)} ${title} (${formatChanges(interval)})`;

/**
 * What it costs or brings elsewhere, but for what did not change: `p95 of queries +12%, bytes per document −41%`. A figure that too few answers
 * stand behind is named, or it would pass for one that did not change.
 */
export function besideText({ beside }: Pick<Evidence, 'beside'>): string {
  const told = beside.filter(({ word }) => word !== 'no difference within the margin');
  if (told.length === 0) return 'nothing else changed';
  return told
    .map(({ title, ratio, word }) => {
      if (ratio === null) return `${title} not known`;
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
      return `what was better, all together and without each (${trials})`;
    case 'confirmation':
      return `start against ${cells[1]?.join(', ') ?? 'final settings'}, in data of its own (${trials})`;
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
          `  together: what was better, all of it and without each: ${together.trials} trials, ${formatDuration(together.ms)}`,
        ]),
    `  confirmation: start against final settings, in data of its own: ${confirmation.trials} trials, ${formatDuration(confirmation.ms)}`,
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

/** All of it, to be printed. */
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
          'Tried, and not taken:',
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
