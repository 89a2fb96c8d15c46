/** Reads the dashboards and saved searches of the user's space, with the rights of the user. */
import { SAVED_TYPES, type SavedPanel } from '../../common/api/saved-searches';
import { inputError } from '../../common/problem';
import { neededBy, takeApart, type Panel, type StoredObject } from '../../common/saved-searches/panels';
import type { SavedSearchStore } from '../routes/services';
import { statusOfFailure } from './saved-object-errors';
import type { SavedObject, SavedObjectsClient } from './sdk-saved-objects';

/** Maximum number of objects of each type that are listed. Kibana returns at most this many in one response. */
const MOST_LISTED = 1000;

/** Attributes of a data view. `timeFieldName` is absent if the data view has no time field. */
interface StoredDataView {
  title?: string;
  timeFieldName?: string;
}

const toStored = (type: string, { id, attributes, references = [] }: SavedObject<unknown>): StoredObject => ({
  type,
  id,
  attributes,
  references,
});

export function createSavedSearchStore(objects: SavedObjectsClient): SavedSearchStore {
  /**
   * Reads objects by type and id. The keys of the result contain the type and the id. Objects that do not exist are left out. If the user
   * may not read objects of a type, their value is `forbidden`.
   */
  async function several<T>(
    wanted: readonly { type: string; id: string }[],
  ): Promise<Map<string, SavedObject<T> | 'forbidden'>> {
    const found = new Map<string, SavedObject<T> | 'forbidden'>();
    const types = new Set(wanted.map(({ type }) => type));
    // One type per request, because Kibana refuses the whole request if the user may not read one of its types.
    await Promise.all(
      [...types].map(async (type) => {
        const ids = new Set(wanted.flatMap((one) => (one.type === type ? [one.id] : [])));
        const asked = [...ids].map((id) => ({ type, id }));
        try {
          const { saved_objects: objectsFound } = await objects.bulkGet<T>(asked);
          objectsFound.forEach((object, at) => {
            if (object.error === undefined) found.set(keyOf(asked[at]!), object);
          });
        } catch (error) {
          if (statusOfFailure(error) !== 403) throw error;
          for (const one of asked) found.set(keyOf(one), 'forbidden');
        }
      }),
    );
    return found;
  }

  async function withDataViews(panels: readonly Panel[]): Promise<SavedPanel[]> {
    const ids = panels.flatMap((panel) =>
      panel.kind === 'search' && typeof panel.fields['index'] === 'string' ? [panel.fields['index']] : [],
    );
    const views = await several<StoredDataView>(ids.map((id) => ({ type: DATA_VIEW, id })));
    return panels.map((panel): SavedPanel => {
      if (panel.kind !== 'search') return panel;
      const { index } = panel.fields;
      const stored = typeof index === 'string' ? views.get(keyOf({ type: DATA_VIEW, id: index })) : undefined;
      const { title } = panel;
      if (stored === 'forbidden')
        return { kind: 'left-out', title, reason: 'you may not read its data view' };
      const view = typeof index === 'string' ? stored?.attributes : (index as StoredDataView);
      if (typeof view?.title !== 'string' || view.title === '')
        return { kind: 'left-out', title, reason: 'its data view does not exist' };
      return { ...panel, index: view.title, timeField: view.timeFieldName || null };
    });
  }

  return {
    list: () =>
      permitted(
        Promise.all(
          SAVED_TYPES.map(async (type) => {
            const { saved_objects: found } = await objects.find<{ title?: string }>({
              type,
              page: 1,
              perPage: MOST_LISTED,
              fields: ['title'],
            });
            return found.map(({ id, attributes }) => ({ type, id, title: attributes.title || id }));
          }),
        ).then((all) => all.flat().sort((a, b) => (a.title < b.title ? -1 : 1))),
      ),

    get: (type, id) =>
      permitted(
        (async () => {
          const object = toStored(type, await objects.get<unknown>(type, id));
          const beside = await several<unknown>(neededBy(object));
          const { panels, ...rest } = takeApart(object, (reference) => {
            const found = beside.get(keyOf(reference));
            return typeof found === 'object' ? toStored(reference.type, found) : found;
          });
          return { ...rest, panels: await withDataViews(panels) };
        })(),
      ),
  };
}

const DATA_VIEW = 'index-pattern';

const keyOf = ({ type, id }: { type: string; id: string }): string => `${type}:${id}`;

async function permitted<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const status = statusOfFailure(error);
    if (status === 404)
      throw inputError(
        'saved-searches.none',
        'id',
        'there is no such dashboard or saved search in this space',
      );
    if (status === 403)
      throw inputError(
        'saved-searches.forbidden',
        '',
        'you may not see dashboards and saved searches in this space: ask for Kibana’s privileges Read for Dashboard and Discover',
      );
    throw error;
  }
}
