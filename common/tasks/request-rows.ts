/**
 * Rows of the editor's form for the requests of a task. A task can use a list of searches that comes with Dyno, custom searches, or
 * requests of any kind.
 */
import type { FormRow, ItemAdder, ListField, Way, Written } from '../fields/form';
import { REQUEST_KINDS } from '../requests/registry';
import { REQUEST_SETS } from './request-sets';

/** Ways in which a request of the list can be written: a search by its body, any request by its kind, or both. */
type Style = 'search' | 'kind' | 'either';

/** Key of a request that is written as a search by its body. */
export const BODY = 'body';
export const FIRST_SEARCH = { name: 'search', body: { query: { match_all: {} } } };

const kindOf = (request: Written): string | undefined =>
  REQUEST_KINDS.find(({ name }) => request[name] !== undefined)?.name;

/**
 * Returns the key that contains what the request sends: `body`, or the name of a kind, such as `esql`. Returns undefined if a kind is
 * required but none is chosen yet. `isByKind`: whether a kind is required.
 */
export const workKey = (request: Written, isByKind: boolean): string | undefined =>
  isByKind || request[BODY] === undefined ? (kindOf(request) ?? (isByKind ? undefined : BODY)) : BODY;

const sent = (key: string): FormRow =>
  key === BODY
    ? {
        kind: 'structure',
        key,
        lines: 5,
        label: { id: 'dyno.editor.search.body', text: 'Body of the search' },
      }
    : {
        kind: 'structure',
        key,
        lines: 4,
        label: { id: 'dyno.editor.request.work', text: 'Content of the request' },
      };

/** Returns the keys of the request, other than `key`, that contain what it sends. They must be removed if `key` is chosen. */
const others = (request: Written, key: string): { key: string }[] =>
  [BODY, 'params', ...REQUEST_KINDS.map(({ name }) => name)]
    .filter((name) => name !== key && request[name] !== undefined)
    .map((name) => ({ key: name }));

const KIND_WAYS: readonly Way[] = REQUEST_KINDS.map(({ name, label, first }) => ({
  value: name,
  text: label,
  is: (request) => kindOf(request) === name,
  writes: (request) => [{ key: name, value: first }, ...others(request, name)],
  rows: [sent(name)],
}));

/** Choice of the short form `body` for a search in the editor's form. Choosing it removes the longer form `search` from the request. */
const BODY_WAY: Way = {
  value: BODY,
  text: REQUEST_KINDS.find(({ name }) => name === 'search')!.label,
  shown: ({ search }) => search === undefined,
  is: (request) => workKey(request, false) === BODY,
  writes: (request) => [{ key: BODY, value: FIRST_SEARCH.body }, ...others(request, BODY)],
  rows: [sent(BODY)],
};

const EITHER_WAYS: readonly Way[] = [
  BODY_WAY,
  ...KIND_WAYS.map((way): Way =>
    way.value === 'search' ? { ...way, shown: ({ search }) => search !== undefined } : way,
  ),
];

/** Names of special components in the editor's form for requests. */
export type RequestPart = 'request-actions';

interface RequestsOf {
  key: 'list' | 'requests';
  style: Style;
  /** Whether one request is drawn each time, by weight. If not, all requests are sent in order. */
  isDrawn: boolean;
}

const requestRows = (style: Style, isDrawn: boolean): readonly FormRow<RequestPart>[] => [
  [
    {
      kind: 'text',
      key: 'name',
      required: true,
      label: { id: 'dyno.editor.search.name', text: 'Name' },
    },
    ...(isDrawn
      ? [
          {
            kind: 'number' as const,
            key: 'weight',
            min: 0,
            step: 'any' as const,
            placeholder: '1',
            label: { id: 'dyno.editor.search.weight', text: 'Weight' },
            help: { id: 'dyno.editor.search.weightHelp', text: 'How often, relative to the others.' },
          },
        ]
      : []),
  ],
  style === 'search'
    ? sent(BODY)
    : {
        kind: 'ways',
        label: { id: 'dyno.editor.request.kind', text: 'Kind of request' },
        ways: style === 'kind' ? KIND_WAYS : EITHER_WAYS,
      },
  {
    kind: 'lines',
    key: 'expect',
    lines: 1,
    placeholder: 'hits.total.value > 0',
    label: { id: 'dyno.editor.request.expect', text: 'Conditions on the answer' },
    help: {
      id: 'dyno.editor.request.expectHelp',
      text: 'One condition per line. A request fails if its answer does not meet every condition.',
    },
  },
  { kind: 'part', part: 'request-actions' },
];

const listOf = (
  { key, style, isDrawn }: RequestsOf,
  first: { name: string },
  add: ItemAdder['text'],
): ListField<RequestPart> => ({
  kind: 'list',
  key,
  label: { id: 'dyno.editor.request.list', text: 'Requests' },
  hidesLabel: true,
  keepsOne: true,
  item: { remove: { id: 'dyno.editor.search.remove', text: 'Remove {name}' } },
  adds: [{ text: add, item: (list) => ({ ...first, name: `${first.name}-${list.length + 1}` }) }],
  itemRows: () => requestRows(style, isDrawn),
});

/**
 * Changes that remove the list of searches from the definition, whether built-in (`set`) or written by the user. They precede the change
 * that sets the new list.
 */
const NEITHER = [{ key: 'set' }, { key: 'requests' }, { key: 'parameters' }, { key: 'window' }];

const searches = (isDrawn: boolean, label: ItemAdder['text']): FormRow<RequestPart> => ({
  kind: 'ways',
  label,
  ways: [
    ...REQUEST_SETS.map((name): Way<RequestPart> => ({
      value: name,
      text: { id: 'dyno.editor.search.set', text: 'Built-in list: {name}', values: { name } },
      is: ({ set, requests }) => requests === undefined && set === name,
      writes: () => [...NEITHER, { key: 'set', value: name }],
    })),
    {
      value: 'requests',
      text: { id: 'dyno.editor.search.own', text: 'Your own' },
      is: ({ requests }) => requests !== undefined,
      writes: () => [...NEITHER, { key: 'requests', value: [FIRST_SEARCH] }],
      rows: [
        listOf({ key: 'requests', style: isDrawn ? 'search' : 'either', isDrawn }, FIRST_SEARCH, {
          id: 'dyno.editor.search.add',
          text: 'Add search',
        }),
      ],
    },
  ],
});

/** Form of a list of searches from which one search is drawn each time, by weight. */
export const DRAWN_SEARCHES = searches(true, { id: 'dyno.editor.search.what', text: 'Searches' });

/** Form of a list of searches that are all sent each time, in order. */
export const SEARCHES_IN_ORDER = searches(false, {
  id: 'dyno.editor.transaction.what',
  text: 'Searches in order',
});

/** Form of a list of requests of any kind, from which one request is drawn each time, by weight. */
export const DRAWN_REQUESTS = listOf(
  { key: 'list', style: 'kind', isDrawn: true },
  { name: 'count', count: REQUEST_KINDS.find(({ name }) => name === 'count')!.first } as { name: string },
  { id: 'dyno.editor.requests.add', text: 'Add request' },
);
