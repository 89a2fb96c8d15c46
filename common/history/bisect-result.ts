/** The result of a bisect: as JSON for scripts, and as Markdown for people. */
import type { Interval } from '../analysis/confidence';
import { formatPercent } from '../units/format';
import { ratioText, type BisectOutcome } from './bisect';

export interface BisectCandidate {
  name: string;
  /**
   * Id of the run that compared the candidate with the good end. Null if no run was needed for this candidate, or if the user did not want
   * runs.
   */
  run: string | null;
  /** Ratio of the candidate to the good end, and the interval that decided the answer. */
  ratio: number | null;
  interval: Interval | null;
  /** Number of trials of each side in this run. */
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
  /**
   * Positions in `candidates` (both inclusive): of the first bad candidate, or of the range that contains it. Null if the two ends do not
   * differ.
   */
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
