/** The indices of a trial, as its definition wants them. */
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import type { IndexToCreate } from '../../target-cluster/index-lifecycle';

/** The index of each name. */
export function indicesToCreate(
  { index: { allocation, settings, mapping } }: CellDefinition,
  names: readonly string[],
  mark: IndexToCreate['mark'],
): IndexToCreate[] {
  return names.map((index, i) => ({
    index,
    settings:
      typeof allocation === 'object'
        ? {
            ...settings,
            [`routing.allocation.require.${allocation.attribute}`]:
              allocation.values[i % allocation.values.length],
          }
        : settings,
    mapping,
    mark,
  }));
}
