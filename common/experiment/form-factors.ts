/** The section of factors of the editor's form. Its functions accept factors that are incomplete. */
import type { FormSection, Written } from '../fields/form';
import type { Definition } from './definition';
import { sameValue } from './text/values';
import { cellLevels, countCells, factorLevels, factorPaths, MOST_CELLS, type Levels } from './cells';

/** Maximum number of cells that the form can list one by one. */
const MOST_LISTED = 100;

/** Returns the factors of a definition that may be incomplete: an object with the levels by path, or a list of cells. */
export function readFactors({ factors }: Written): Definition['factors'] {
  if (Array.isArray(factors)) return factors.map((cell) => ({ ...(Object(cell) as Levels) }));
  return Object.fromEntries(
    Object.entries(Object(factors) as Written).map(([path, levels]) => [
      path,
      Array.isArray(levels) ? (levels as NonNullable<unknown>[]) : [],
    ]),
  );
}

const isListed = ({ factors }: Written): boolean => Array.isArray(factors);

const countOf = (written: Written): number => countCells({ factors: readFactors(written) });

/**
 * Returns the cells of a definition that may be incomplete. Returns an empty list if there are more than {@link MOST_CELLS}, because
 * creating them would take too long.
 */
export const cellsWritten = (written: Written): readonly Levels[] =>
  countOf(written) <= MOST_CELLS ? cellLevels({ factors: readFactors(written) }) : [];

/** Converts a list of cells to the levels of each factor, each level once. */
function crossed(factors: Levels[]): Record<string, readonly unknown[]> {
  return Object.fromEntries(
    factorPaths({ factors }).map((path) => [
      path,
      factorLevels({ factors }, path).filter(
        (level, at, all) => level !== undefined && all.findIndex((one) => sameValue(one, level)) === at,
      ),
    ]),
  );
}

export const FACTORS: FormSection<'factors' | 'cells'> = {
  title: { id: 'dyno.editor.sweep.title', text: 'Factors' },
  roots: ['factors', 'baseline'],
  summary: (written) => ({
    id: 'dyno.editor.sweep.summary',
    text: '{count, plural, one {# cell} other {# cells}}',
    values: { count: countOf(written) },
  }),
  rows: [
    { kind: 'part', part: 'factors' },
    {
      kind: 'group',
      shown: (written) => factorPaths({ factors: readFactors(written) }).length > 0,
      rows: [
        {
          kind: 'ways',
          label: { id: 'dyno.editor.sweep.how', text: 'How levels combine' },
          ways: [
            {
              value: 'crossed',
              text: {
                id: 'dyno.editor.sweep.crossed',
                text: 'Every level of one factor with every level of the others',
              },
              is: (written) => !isListed(written),
              writes: (written) =>
                isListed(written)
                  ? [{ key: 'factors', value: crossed(readFactors(written) as Levels[]) }]
                  : [],
            },
            {
              value: 'list',
              text: { id: 'dyno.editor.sweep.list', text: 'Only the cells that you list' },
              shown: (written) => isListed(written) || countOf(written) <= MOST_LISTED,
              is: isListed,
              writes: (written) =>
                isListed(written) ? [] : [{ key: 'factors', value: cellsWritten(written) }],
            },
          ],
        },
        { kind: 'part', part: 'cells' },
      ],
    },
  ],
};
