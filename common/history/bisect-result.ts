/** The result of a bisect: as JSON for scripts, and as Markdown for people. */
import type { Interval } from '../analysis/confidence';
import { formatPercent } from '../units/format';
import { ratioText, type BisectOutcome } from './bisect';

export interface BisectCandidate {
  name: string;
  /** Id of the run that compared this candidate with the first candidate, which is known as good. Null if no run compared the two. */
  run: string | null;
  /** Value of the metric for the candidate, divided by its value for the first (good) candidate. Null without a comparison. */
  ratio: number | null;
  /** Interval of the ratio, by which the candidate was judged. Null without a comparison. */
  interval: Interval | null;
  /** Number of trials of each of the two compared candidates. Null without a comparison. */
  trials: number | null;
  answer: string;
}

export interface BisectResult {
  /** Id of the bisect, with which its runs are stored. */
  bisect: string;
  name: string;
  metric: string;
  margin: number;
  /** Candidates in order, from the good end to the bad end. */
  candidates: BisectCandidate[];
  /** Index in `candidates` of the first bad candidate. Null if it was not found. */
  first: number | null;
  /**
   * Range of candidates that contains the first bad candidate: indices in `candidates`, both inclusive. Null if `first` was found, or if
   * the first and the last candidate do not differ.
   */
  between: { from: number; to: number } | null;
  answer: BisectOutcome['answer'];
  sentence: string;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

export const renderBisectMarkdown = (result: BisectResult): string =>
  [
    `# ${result.name}`,
    '',
    `**${result.sentence}.**`,
    '',
    `Metric ${result.metric}, margin ${formatPercent(result.margin)}. Each candidate ran against ${result.candidates[0]!.name}, interleaved.`,
    '',
    '| candidate | against the good end | trials of each | answer | run |',
    '| --- | --- | --- | --- | --- |',
    ...result.candidates.map(
      ({ name, run, ratio, interval, trials, answer }) =>
        `| ${cell(name)} | ${run === null ? '' : ratioText(ratio, interval)} | ${trials ?? ''} | ${cell(answer)} | ${run ?? ''} |`,
    ),
    '',
  ].join('\n');
