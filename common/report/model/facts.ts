/** The few lines on top of a report: what ran, when, on what, and what came out. */
import { formatDuration, plural } from '../../units/format';
import type { Report } from './report';

/** `2026-11-03 02:00 UTC`. */
export const formatTime = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

/** The run in short phrases, to be joined by the rendering. */
export function runFacts({ run, provenance, experiment }: Report): string[] {
  const { planned, completed } = run.trials;
  return [
    `run ${run.id}`,
    run.state,
    formatTime(run.started),
    ...(run.elapsedMs === null ? [] : [`took ${formatDuration(run.elapsedMs)}`]),
    `${completed} of ${plural(planned, 'trial')}`,
    ...(provenance === null
      ? []
      : [`Elasticsearch ${provenance.cluster.version}`, plural(provenance.nodes.length, 'node')]),
    ...(experiment.preset === null ? [] : [`preset ${experiment.preset}`]),
  ];
}

/** The verdict's sentence in two: the answer in capitals, and what follows it. */
export function answerAndRest({ verdict: { answer, sentence } }: Report): [answer: string, rest: string] {
  const words = answer.replace('-', ' ');
  const starts = sentence.toLowerCase().startsWith(words);
  return [words.toUpperCase(), starts ? sentence.slice(words.length) : `: ${sentence}`];
}
