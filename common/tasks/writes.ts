/**
 * Describes how an ingest task writes documents: bulk actions, ids, routing and parameters. By default, each document is indexed with an id
 * that Elasticsearch generates.
 */
import * as z from 'zod';
import { count, duration, keysAtMost, LONGEST_LIST } from '../fields/schema';
import type { FormRow } from '../fields/form';
import { jsonOfText, stringifyExact } from '../json/exact';
import { showValue, type Problem } from '../problem';
import { queryString } from '../requests/parts';
import { formatPercent } from '../units/format';
import type { Surroundings } from './kind';
import type { ParseDefinition } from './parse';

/** Actions of the bulk API. Their order must not change, because the same random numbers would then draw other actions. */
export const ACTIONS = ['index', 'create', 'update', 'delete'] as const;
export type Action = (typeof ACTIONS)[number];

/** A share relative to the other actions. */
const share = () => z.number().min(0).max(1_000_000);
const jsonObject = () => keysAtMost(z.unknown(), LONGEST_LIST);
const field = () => z.string().min(1);

export const actionsSchema = z
  .strictObject({
    /**
     * Share of `index`: stores a document, and replaces an existing document with the same id.
     * @example 60
     */
    index: share().optional(),
    /**
     * Share of `create`: stores a new document. If a document with the same id exists, the result is a version conflict.
     * @example 10
     */
    create: share().optional(),
    /**
     * Share of `update`: changes an existing document. The key `update` next to `actions` describes the change.
     * @example 30
     */
    update: share().optional(),
    /**
     * Share of `delete`: deletes a document.
     * @example 10
     */
    delete: share().optional(),
  })
  .superRefine((shares, context) => {
    if (ACTIONS.some((action) => (shares[action] ?? 0) > 0)) return;
    context.addIssue({
      code: 'custom',
      message: 'no action has a share, so the task would send nothing',
      params: { allowed: 'a number above 0 for one of index, create, update, delete' },
    });
  });

export const updateSchema = z
  .strictObject({
    /**
     * Content of the update. `whole`: the next document of the source. A list of fields: only these fields of the next document. An object:
     * the same content for every update.
     * @example [response, bytes]
     */
    doc: z
      .union([z.literal('whole'), z.array(field()).min(1).max(LONGEST_LIST), jsonObject()], {
        error: 'whole, a list of fields, or an object',
      })
      .optional(),
    /** If the document does not exist, stores `doc` as a new document. */
    doc_as_upsert: z.boolean().optional(),
    /** Whether Elasticsearch skips updates that change nothing. Elasticsearch's default is true. */
    detect_noop: z.boolean().optional(),
    /**
     * A script instead of `doc`.
     * @example { source: ctx._source.bytes += params.more, params: { more: 1 } }
     */
    script: z
      .strictObject({
        /**
         * Source code of the script.
         * @example ctx._source.bytes += params.more
         */
        source: z.string().min(1).max(100_000),
        /**
         * Language of the script. Elasticsearch's default is `painless`.
         * @example painless
         */
        lang: z.string().min(1).optional(),
        /**
         * Parameters of the script. They are the same for every update.
         * @example { more: 1 }
         */
        params: jsonObject().optional(),
      })
      .optional(),
    /**
     * Document to store if the document for a script does not exist. `whole`: the next document of the source. An object: always the same
     * document.
     * @example whole
     */
    upsert: z.union([z.literal('whole'), jsonObject()], { error: 'whole, or an object' }).optional(),
    /** If the document does not exist, runs the script on the document of `upsert` before it is stored. */
    scripted_upsert: z.boolean().optional(),
    /**
     * Maximum number of times that Elasticsearch retries an update after a version conflict.
     * @example 3
     */
    retry_on_conflict: count(0, 100).optional(),
  })
  .superRefine(({ doc, doc_as_upsert, detect_noop, script, upsert, scripted_upsert }, context) => {
    const refuse = (path: string, message: string, allowed: string): void =>
      context.addIssue({ code: 'custom', path: [path], message, params: { allowed } });
    if (script !== undefined) {
      if (doc !== undefined) refuse('doc', 'not allowed with a script', 'doc or script');
      if (doc_as_upsert)
        refuse('doc_as_upsert', 'not allowed with a script', 'upsert, or doc instead of script');
      if (detect_noop !== undefined)
        refuse('detect_noop', 'a script decides itself whether it changes anything', 'only with doc');
    } else {
      if (upsert !== undefined) refuse('upsert', 'allowed only with a script', 'doc_as_upsert, or a script');
      if (scripted_upsert)
        refuse('scripted_upsert', 'allowed only with a script', 'only with script and upsert');
    }
  });

/** Schema of a share of ids that are used again, in [0, 1]. */
const rate = () => z.number().min(0).max(1);

export const idsSchema = z.strictObject({
  /**
   * How ids are chosen. `none`: Elasticsearch generates them. `sequential`: ascending ids. `random`: random ids. `field`: the value of a
   * field of each document. `sequential` and `random` ids are the same in every run, and different load threads use different ids.
   */
  by: z.enum(['none', 'sequential', 'random', 'field']).default('none'),
  /**
   * Field with the id. Its value is a text or a number. If a document has several fields of this name, at any depth, the first one is used.
   * @example order_id
   */
  field: field().optional(),
  /**
   * Share of new documents that get the id of an earlier document. With the action `index`, the new document then replaces the earlier one.
   * With `create`, the result is a version conflict.
   * @example 0.2
   */
  conflicts: rate().optional(),
  /**
   * How Dyno chooses an earlier id. With 0, all earlier ids are equally likely. The closer to 1, the more it prefers the newest ids, like
   * Rally's `recency`.
   * @example 0.5
   */
  recency: rate().optional(),
});

export const routingSchema = z.strictObject({
  /**
   * Field with the routing of the document. Its value is a text or a number.
   * @example customer
   */
  field: field(),
});

export const paramsSchema = z.strictObject({
  /**
   * When documents become searchable. `true`: Elasticsearch refreshes immediately. `wait_for`: Elasticsearch delays the answer until the
   * next refresh.
   * @example wait_for
   */
  refresh: z.union([z.boolean(), z.literal('wait_for')], { error: 'true, false or wait_for' }).optional(),
  /**
   * Number of active copies of each shard that a bulk request requires.
   * @example all
   */
  wait_for_active_shards: z
    .union([z.literal('all'), count(1, 1000)], { error: 'all, or a number' })
    .optional(),
  /**
   * Maximum time that Elasticsearch waits for unavailable shards and for mapping updates.
   * @example 30s
   */
  timeout: duration().optional(),
  /**
   * Whether Elasticsearch rejects the request if its destination is not an alias. Only useful with existing data, because the indices of a
   * trial are not aliases.
   */
  require_alias: z.boolean().optional(),
});

interface Written {
  actions?: z.output<typeof actionsSchema>;
  update?: z.output<typeof updateSchema>;
  ids?: z.output<typeof idsSchema>;
  routing?: z.output<typeof routingSchema>;
  params?: z.output<typeof paramsSchema>;
}

/** Body of an update: JSON of a document from the source, with fixed text before and after it. */
export interface UpdateBody {
  before: string;
  /** The part of the document that the body contains: the whole document, some of its fields, or null for nothing of it. */
  document: 'whole' | string[] | null;
  after: string;
}

/** Plain data about how documents are written, for load threads. */
export interface WriteJob {
  /** Actions with a share, in the order of {@link ACTIONS}. */
  actions: { action: Action; share: number }[];
  /** How Dyno chooses the ids of documents. Null if Elasticsearch generates them. */
  ids:
    | { by: 'sequential' | 'random'; conflicts: number; recency: number }
    | { by: 'field'; field: string }
    | null;
  routing: string | null;
  update: {
    body: UpdateBody;
    retries: number | null;
    /** Whether the update stores a document if no document with its id exists. */
    upserts: boolean;
    /** Whether the update is a script. A script may delete the document. */
    scripted: boolean;
  };
}

/** Returns the actions from which an ingest task draws. */
export const actionsOf = (written: Written): Action[] => sharesOf(written).map(({ action }) => action);

const sharesOf = ({ actions = { index: 1 } }: Written): { action: Action; share: number }[] =>
  ACTIONS.flatMap((action) => {
    const own = actions[action] ?? 0;
    return own > 0 ? [{ action, share: own }] : [];
  });

const upserts = ({ update: { doc_as_upsert, upsert } = {} }: Written): boolean =>
  doc_as_upsert === true || upsert !== undefined;

/** Returns whether the action stores a document if no document with its id exists. */
const stores = (action: Action, written: Written): boolean =>
  action === 'update' ? upserts(written) : action !== 'delete';

/**
 * Returns the job for writing documents. Undefined if Elasticsearch generates the ids, documents have no routing, and every action is
 * `index`.
 */
export function writeJob(written: Written): WriteJob | undefined {
  const { ids, routing, update = {} } = written;
  const actions = sharesOf(written);
  const by = ids?.by ?? 'none';
  if (by === 'none' && routing === undefined && actions.every(({ action }) => action === 'index'))
    return undefined;
  return {
    actions,
    ids:
      by === 'none'
        ? null
        : by === 'field'
          ? { by, field: ids!.field! }
          : { by, conflicts: ids!.conflicts ?? 0, recency: ids!.recency ?? 0 },
    routing: routing?.field ?? null,
    update: {
      body: updateBody(update),
      retries: update.retry_on_conflict ?? null,
      upserts: upserts(written),
      scripted: update.script !== undefined,
    },
  };
}

/** Returns the options of an update as JSON, with a comma before each option. */
const options = (given: Readonly<Record<string, unknown>>): string =>
  Object.entries(given)
    .map(([key, value]) => (value === undefined ? '' : `,${jsonOfText(key)}:${stringifyExact(value)}`))
    .join('');

function updateBody({
  doc = 'whole',
  doc_as_upsert,
  detect_noop,
  script,
  upsert,
  scripted_upsert,
}: NonNullable<Written['update']>): UpdateBody {
  if (script !== undefined) {
    const before = `{"script":${stringifyExact(script)}${options({ scripted_upsert })}`;
    return upsert === 'whole'
      ? { before: `${before},"upsert":`, document: 'whole', after: '}' }
      : { before, document: null, after: `${options({ upsert })}}` };
  }
  const after = `${options({ doc_as_upsert, detect_noop })}}`;
  if (doc === 'whole') return { before: '{"doc":', document: 'whole', after };
  if (Array.isArray(doc)) return { before: '{"doc":{', document: doc, after: `}${after}` };
  return { before: `{"doc":${stringifyExact(doc)}`, document: null, after };
}

/** Returns the query string of every bulk, without its question mark; '' if it is empty. */
export const writeQuery = ({ params }: Written): string => queryString(params);

/** Returns a problem for each conflict between the keys. `path`: path of the task's settings in the definition. */
export function writeProblems(written: Written & { parse?: ParseDefinition }, path: string): Problem[] {
  const { ids, routing, parse } = written;
  const by = ids?.by ?? 'none';
  const problems: Problem[] = [];
  const refuse = (key: string, message: string, found: unknown, allowed: string): void => {
    const code = 'definition.writes';
    problems.push({ code, path: `${path}.${key}`, message, found: showValue(found), allowed });
  };
  const actions = sharesOf(written);
  const share = (action: Action): number | undefined => actions.find((own) => own.action === action)?.share;
  for (const action of ['update', 'delete'] as const) {
    if (by === 'none' && share(action) !== undefined)
      refuse(
        `actions.${action}`,
        `${action === 'update' ? 'an update' : 'a delete'} needs the id of a document, but Elasticsearch generates the ids here`,
        share(action),
        'ids: { by: sequential | random | field }, or no share of this action',
      );
  }
  if (by === 'field' && ids?.field === undefined)
    refuse('ids.field', 'the field with the ids is missing', ids?.field, 'the name of a field');
  if (by !== 'field' && ids?.field !== undefined)
    refuse('ids.field', 'the ids do not come from a field', ids.field, 'by: field, or no field');
  if (by === 'none' || by === 'field') {
    for (const key of ['conflicts', 'recency'] as const) {
      if (ids?.[key] === undefined) continue;
      const why = by === 'none' ? 'Elasticsearch generates the ids' : 'each document brings its own id';
      refuse(`ids.${key}`, `no id is used again: ${why}`, ids[key], 'by: sequential | random');
    }
  } else {
    if (!actions.some(({ action }) => stores(action, written)))
      refuse(
        'actions',
        'no action stores documents, so nothing could be updated or deleted',
        written.actions,
        'a share of index, of create, or of update with doc_as_upsert or upsert; or ids by: field',
      );
    const again = actions.find(({ action }) => !stores(action, written))?.action;
    if (routing !== undefined && (again !== undefined || (ids?.conflicts ?? 0) > 0))
      refuse(
        'routing',
        `${again === undefined ? 'an id that is used again' : `the document of ${again}`} was routed by the field of another document`,
        routing.field,
        'no routing, or ids by: field, with an id in each document',
      );
  }
  if (parse?.by === 'pipeline' && share('update') !== undefined)
    refuse(
      'parse.by',
      'Elasticsearch does not send updates through a pipeline, so their lines would not be parsed',
      parse.by,
      'workers, or no share of update',
    );
  return problems;
}

type Into = Pick<Surroundings['index'], 'as' | 'settings'>;

const isTimeSeries = ({ settings }: Into): boolean =>
  String(settings?.['mode'] ?? '').toLowerCase() === 'time_series';

/** Returns the reason why the trial's index or data stream accepts only the action `create`. Returns '' if it accepts others too. */
const createAlone = (index: Into): string =>
  index.as === 'data-stream'
    ? 'a data stream accepts only the action create'
    : isTimeSeries(index)
      ? 'in a time series, other actions replace documents with the same dimensions and millisecond, which Dyno could not count'
      : '';

/**
 * Returns the settings of the task. If the trial's index or data stream accepts only `create`, and the settings contain no actions, adds
 * `create` as the action.
 */
export const writtenInto = <Own extends Written>(written: Own, index: Into): Own =>
  createAlone(index) !== '' && written.actions === undefined
    ? { ...written, actions: { create: 1 } }
    : written;

/** Returns a problem for each key that data streams or time series do not accept. */
function streamProblems(written: Written, path: string, index: Into): Problem[] {
  const problems: Problem[] = [];
  const refuse = (key: string, message: string, found: unknown, allowed: string): void => {
    const code = 'definition.writes';
    problems.push({ code, path: `${path}.${key}`, message, found: showValue(found), allowed });
  };
  const why = createAlone(index);
  if (why === '') return [];
  for (const { action, share: own } of sharesOf(written))
    if (action !== 'create') refuse(`actions.${action}`, why, own, 'only create, or no actions');
  if (written.routing !== undefined)
    refuse(
      'routing',
      'data streams and time series do not accept a routing of documents',
      written.routing.field,
      'no routing',
    );
  const by = written.ids?.by ?? 'none';
  if (isTimeSeries(index) && by !== 'none')
    refuse('ids.by', 'Elasticsearch generates the ids of time series', by, 'none');
  return problems;
}

/** Returns conflicts between the keys and the indices of a trial. */
export function writeIndexProblems(given: Written, path: string, index: Surroundings['index']): Problem[] {
  const { count: indices, route } = index;
  const written = writtenInto(given, index);
  const ofStream = streamProblems(written, path, index);
  if (ofStream.length > 0) return ofStream;
  if (writeJob(written) === undefined || indices === 1 || route === 'in-turn') return [];
  const key = ['actions', 'ids', 'routing'].find((name) => written[name as keyof Written] !== undefined)!;
  if (given.actions === undefined && key === 'actions')
    return [
      {
        code: 'definition.writes',
        path: 'index.route',
        message: 'created documents go to several indices in turn, not by a field',
        found: `field: ${route.field}`,
        allowed: 'in-turn, or one index',
      },
    ];
  return [
    {
      code: 'definition.writes',
      path: `${path}.${key}`,
      message: 'documents with actions, ids or a routing go to several indices by their ids, not by a field',
      found: `index.route.field: ${route.field}`,
      allowed: 'index.route: in-turn, or one index',
    },
  ];
}

const IDS_TEXT = {
  sequential: 'with ascending ids',
  random: 'with random ids',
} as const;

/**
 * Returns a phrase for the plan: `60% index, 40% update, with ascending ids, 20% of them drawn again`; '' for the default way of writing.
 */
export function writesText(written: Written): string {
  const { routing, params = {} } = written;
  const job = writeJob(written);
  const all = (job?.actions ?? []).reduce((sum, own) => sum + own.share, 0);
  const again = job?.ids?.by === 'field' ? 0 : (job?.ids?.conflicts ?? 0);
  const ids =
    job?.ids == null
      ? ''
      : job.ids.by === 'field'
        ? `with ids from ${job.ids.field}`
        : `${IDS_TEXT[job.ids.by]}${again > 0 ? `, ${formatPercent(again)} of them drawn again` : ''}`;
  const given = Object.entries(params).map(([key, value]) => `${key}=${value}`);
  return [
    (job?.actions ?? []).map(({ action, share: own }) => `${formatPercent(own / all)} ${action}`).join(', '),
    ids,
    routing === undefined ? '' : `routed by ${routing.field}`,
    given.length === 0 ? '' : `with ${given.join(' and ')}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** Rows of the form for actions, ids and query parameters. */
export const WRITE_ROWS: readonly FormRow[] = [
  ACTIONS.map((action) => ({
    kind: 'number' as const,
    key: `actions.${action}`,
    min: 0,
    step: 'any' as const,
    placeholder: '0',
    label: { id: `dyno.editor.writes.${action}`, text: `Share of ${action}` },
  })),
  [
    {
      kind: 'choice',
      key: 'ids.by',
      fallback: 'none',
      label: { id: 'dyno.editor.writes.ids', text: 'Ids' },
      help: { id: 'dyno.editor.writes.idsHelp', text: 'Updates and deletes need them.' },
      options: [
        { value: 'none', text: { id: 'dyno.editor.writes.ids.none', text: 'Generated by Elasticsearch' } },
        { value: 'sequential', text: { id: 'dyno.editor.writes.ids.sequential', text: 'Ascending' } },
        { value: 'random', text: { id: 'dyno.editor.writes.ids.random', text: 'Random' } },
        { value: 'field', text: { id: 'dyno.editor.writes.ids.field', text: 'From a field' } },
      ],
    },
    {
      kind: 'text',
      key: 'ids.field',
      label: { id: 'dyno.editor.writes.idField', text: 'Field with the id' },
    },
    {
      kind: 'number',
      key: 'ids.conflicts',
      min: 0,
      max: 100,
      scale: 100,
      step: 'any',
      placeholder: '0',
      label: { id: 'dyno.editor.writes.conflicts', text: 'Ids used again' },
      append: { id: 'dyno.editor.writes.percent', text: '%' },
    },
    {
      kind: 'number',
      key: 'ids.recency',
      min: 0,
      max: 1,
      step: 'any',
      placeholder: '0',
      label: { id: 'dyno.editor.writes.recency', text: 'Recency' },
      help: {
        id: 'dyno.editor.writes.recencyHelp',
        text: '0: all existing ids are equally likely. Towards 1: the newest ids are preferred.',
      },
    },
  ],
  [
    {
      kind: 'switch',
      key: 'update.doc_as_upsert',
      label: { id: 'dyno.editor.writes.upsert', text: 'Updates store missing documents' },
    },
    {
      kind: 'number',
      key: 'update.retry_on_conflict',
      min: 0,
      max: 100,
      placeholder: '0',
      label: { id: 'dyno.editor.writes.retryOnConflict', text: 'Retries of an update after a conflict' },
    },
    {
      kind: 'text',
      key: 'routing.field',
      label: { id: 'dyno.editor.writes.routing', text: 'Field of the routing' },
    },
  ],
  [
    {
      kind: 'text',
      key: 'params.timeout',
      placeholder: '1m',
      label: { id: 'dyno.editor.writes.timeout', text: 'Timeout of a bulk' },
    },
    {
      kind: 'switch',
      key: 'params.require_alias',
      label: { id: 'dyno.editor.writes.requireAlias', text: 'Write only to an alias' },
    },
  ],
];
