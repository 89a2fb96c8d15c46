/** The indices of a trial, as its definition wants them. */
import type { Definition } from '../../../common/experiment/definition';
import { flattenSettings } from '../../../common/experiment/path';
import type { IndexToCreate } from '../../target-cluster/index-lifecycle';
import { mappingOf } from './load-job';

/** `definition` is that of a cell; the index of each name. */
export function indicesToCreate(
  definition: Definition,
  names: readonly string[],
  mark: IndexToCreate['mark'],
): IndexToCreate[] {
  const { allocation, settings } = definition.index;
  const mapping = mappingOf(definition);
  return names.map((index, i) => ({
    index,
    settings:
      typeof allocation === 'object'
        ? {
            ...flattenSettings(settings),
            [`routing.allocation.require.${allocation.attribute}`]:
              allocation.values[i % allocation.values.length],
          }
        : settings,
    mapping,
    mark,
  }));
}
