// Generates the tables of the metrics of nodes in docs/figures.md from the registry NODE_METRICS, for `npm run docs`.
import { join } from 'node:path';
import { ROOT } from './bootstrap.mjs';

export const FIGURES_FILE = join(ROOT, 'docs', 'figures.md');
const BEGIN = '<!-- The table below is generated: `npm run docs` -->';
const END = '<!-- End of the table -->';

const UNITS = {
  share: 'share',
  ms: 'ms',
  count: 'number',
  bytes: 'bytes',
  'bytes-per-second': 'bytes/s',
  'operations-per-second': '1/s',
};

const rowOf = ({ name, text, unit, better, usually, sources }, names) =>
  `| \`cluster.${name}\` | ${text} | ${UNITS[unit]} | ${better} | ${usually} | ${[...new Set(sources.map((one) => names[one]))].join(', ')} |`;

/** Returns the text of docs/figures.md with an updated table for each group of metrics. */
export function withFigures(text, metrics, groups, sources) {
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from === -1 || to < from)
    throw new Error(`docs/figures.md lacks the lines \`${BEGIN}\` and \`${END}\` around the table`);
  const tables = Object.entries(groups).map(([group, title]) =>
    [
      `### ${title}\n`,
      '| metric | what it is | unit | better | over nodes | read from, in this order |',
      '| --- | --- | --- | --- | --- | --- |',
      ...metrics.filter((one) => one.group === group).map((one) => rowOf(one, sources)),
    ].join('\n'),
  );
  return `${text.slice(0, from)}${BEGIN}\n\n${tables.join('\n\n')}\n\n${text.slice(to)}`;
}
