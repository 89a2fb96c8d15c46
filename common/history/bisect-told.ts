/** What is told of a bisect once it ends: for scripts as it is, for people as Markdown. */
import type { Interval } from '../analysis/confidence';
import { formatPercent } from '../units/format';
import { ratioText, type BisectOutcome } from './bisect';

export interface ToldCandidate {
  name: string;
  /** Run against the good end; null where none was needed or wanted. */
  run: string | null;
  /** To the good end, and the interval that its answer is read from. */
  ratio: number | null;
  interval: Interval | null;
  /** Of each side in its run. */
  trials: number | null;
  answer: string;
}

export interface ToldBisect {
  /** Id under which its runs are kept. */
  bisect: string;
  name: string;
  metric: string;
  margin: number;
  /** The good end first. */
  candidates: ToldCandidate[];
  /** Numbers in `candidates`: of the first bad one, or from and to which it may be. Null where the ends do not differ. */
  first: number | null;
  between: { from: number; to: number } | null;
  answer: BisectOutcome['answer'];
  sentence: string;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

export const renderBisectMarkdown = (told: ToldBisect): string =>
  [
    `# ${told.name}`,
    '',
    `**${told.sentence}.**`,
    '',
    `Metric ${told.metric}, margin ${formatPercent(told.margin)}. Each candidate ran against ${told.candidates[0]!.name}, interleaved.`,
    '',
    '| candidate | against the good end | trials of each | answer | run |',
    '| --- | --- | --- | --- | --- |',
    ...told.candidates.map(
      ({ name, run, ratio, interval, trials, answer }) =>
        `| ${cell(name)} | ${run === null ? '' : ratioText(ratio, interval)} | ${trials ?? ''} | ${cell(answer)} | ${run ?? ''} |`,
    ),
    '',
  ].join('\n');
