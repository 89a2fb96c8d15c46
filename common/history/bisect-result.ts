/** Result of a bisect: as JSON for scripts, as Markdown for people. */
import type { Interval } from '../analysis/confidence';
import { formatPercent } from '../units/format';
import { ratioText, type BisectOutcome } from './bisect';

export interface BisectCandidate {
  name: string;
  /** Run against the good end; null if it was not needed or not wanted. */
  run: string | null;
  /** Ratio to the good end, and the interval on which the answer is based. */
  ratio: number | null;
  interval: Interval | null;
  /** Number of trials of each side in its run. */
  trials: number | null;
  answer: string;
}

export interface BisectResult {
  /** Id with which its runs are stored. */
  bisect: string;
  name: string;
  metric: string;
  margin: number;
  /** Candidates from the good end to the bad end. */
  candidates: BisectCandidate[];
  /** Numbers in `candidates`: the first bad one, or the range in which it is. Null if the ends do not differ. */
  first: number | null;
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
