// The table of the cluster's figures in docs/figures.md, which `npm run docs` writes from their registry.
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
  `| \`cluster.${name}\` | ${text} | ${UNITS[unit]} | ${better} | ${usually} | ${sources.map((one) => names[one]).join(', ')} |`;

/** `figures` and `names` of their sources: CLUSTER_FIGURES and SOURCE_NAMES. */
export function withFigures(text, figures, names) {
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from === -1 || to < from)
    throw new Error(
      `docs/figures.md lacks the lines \`${BEGIN}\` and \`${END}\`, between which the table goes`,
    );
  const table = [
    '| metric | what it is | unit | better | over nodes | read from, in this order |',
    '| --- | --- | --- | --- | --- | --- |',
    ...figures.map((figure) => rowOf(figure, names)),
  ];
  return `${text.slice(0, from)}${BEGIN}\n\n${table.join('\n')}\n\n${text.slice(to)}`;
}
