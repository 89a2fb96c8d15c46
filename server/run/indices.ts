/** The indices of a trial, as its definition wants them. */
import type { Definition } from '../../common/experiment/definition';
import { flattenSettings } from '../../common/experiment/path';
import type { IndexToCreate } from '../target/index-lifecycle';
import { indexNames } from './identity';
import { mappingOf } from './load-job';

/** `definition` is that of a cell; `name` that of the one index, or the beginning of the names of several. */
export function indicesToCreate(
  definition: Definition,
  name: string,
  mark: IndexToCreate['mark'],
): IndexToCreate[] {
  const { count, allocation, settings } = definition.index;
  const mapping = mappingOf(definition);
  return indexNames(name, count).map((index, i) => ({
    index,
    settings: allocation
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
