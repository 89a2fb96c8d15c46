/** Reads the dashboards and saved searches of the user's space, with the rights of the user. */
import { SAVED_TYPES, type SavedPanel } from '../../common/api/saved-searches';
import { inputError } from '../../common/problem';
import { neededBy, takeApart, type Panel, type StoredObject } from '../../common/saved-searches/panels';
import type { SavedSearchStore } from '../routes/services';
import { statusOfFailure } from './saved-object-errors';
import type { SavedObject, SavedObjectsClient } from './sdk-saved-objects';

/** Of each type; Kibana gives no more of them at once. */
const MOST_LISTED = 1000;

/** A data view; `timeFieldName` is absent for one without a time. */
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
  /** As far as they are there and the user may see them, by type and id. */
  async function several<T>(
    wanted: readonly { type: string; id: string }[],
  ): Promise<Map<string, SavedObject<T>>> {
    const asked = [...new Map(wanted.map((one) => [keyOf(one), { type: one.type, id: one.id }])).values()];
    if (asked.length === 0) return new Map();
    const { saved_objects: found } = await objects.bulkGet<T>(asked);
    return new Map(
      found.flatMap((object, at) =>
        object.error === undefined ? [[keyOf(asked[at]!), object] as const] : [],
      ),
    );
  }

  async function withDataViews(panels: readonly Panel[]): Promise<SavedPanel[]> {
    const ids = panels.flatMap((panel) =>
      panel.kind === 'search' && typeof panel.fields['index'] === 'string' ? [panel.fields['index']] : [],
    );
    const views = await several<StoredDataView>(ids.map((id) => ({ type: DATA_VIEW, id })));
    return panels.map((panel): SavedPanel => {
      if (panel.kind !== 'search') return panel;
      const { index } = panel.fields;
      const view =
        typeof index === 'string'
          ? views.get(keyOf({ type: DATA_VIEW, id: index }))?.attributes
          : (index as StoredDataView);
      const { title } = panel;
      if (typeof view?.title !== 'string' || view.title === '')
        return { kind: 'left-out', title, reason: 'its data view is not there' };
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
            return found && toStored(reference.type, found);
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
