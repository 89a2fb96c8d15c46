/** The sections of the editor's form that do not have their own file: name and target, index, preload, measurement, schedule. */
import {
  MORE_SETTINGS,
  writtenAt,
  type Change,
  type FormField,
  type FormSection,
  type Text,
  type Written,
} from '../fields/form';
import { EVENTS, PROFILE_EVENTS } from '../profile/events';
import { formatNumber } from '../units/format';
import { showLevel } from './cells';
import { DEFAULT_PATIENCE } from './definition';
import { RECIPE_FIELD } from './form-recipe';
import { scheduleWords, type ScheduleSetting } from './schedule';

/** Names of the parts of the form that have their own React component, in `public/pages/editor/form/sections.tsx`. */
export type SectionPart = 'target' | 'mapping' | 'schedule';

type Section = FormSection<SectionPart>;

export const BASICS: Section = {
  title: { id: 'dyno.editor.basics.title', text: 'What and where' },
  roots: ['name', 'hypothesis', 'tags', 'target', 'version', 'preset', ''],
  rows: [
    {
      kind: 'text',
      key: 'name',
      wide: true,
      required: true,
      label: { id: 'dyno.editor.basics.name', text: 'Name' },
    },
    {
      kind: 'text',
      key: 'hypothesis',
      wide: true,
      lines: 2,
      label: { id: 'dyno.editor.basics.hypothesis', text: 'Hypothesis' },
      help: {
        id: 'dyno.editor.basics.hypothesisHelp',
        text: 'What you believe, in one sentence. The result answers it.',
      },
    },
    { kind: 'part', part: 'target' },
    {
      kind: 'words',
      key: 'tags',
      wide: true,
      label: { id: 'dyno.editor.basics.tags', text: 'Tags' },
      help: {
        id: 'dyno.editor.basics.tagsHelp',
        text: 'Tags help you find the experiment. Press Enter to add one.',
      },
    },
  ],
};

/** Returns a form field for a key of `index` that the user edits as code. */
const inIndex = (
  key: string,
  placeholder: string,
  label: Text,
  help: Text,
  words: readonly string[] = [],
): FormField => ({
  kind: 'structure',
  key: `index.${key}`,
  lines: 2,
  optional: true,
  words,
  placeholder,
  label,
  help,
});

const settingsOf = (written: Written): string =>
  Object.entries(writtenAt(written, 'settings'))
    .map(([key, value]) => `${key.replace(/^index\./, '')}=${showLevel(value)}`)
    .join(', ');

const isExisting = (written: Written): boolean => writtenAt(written, 'index')['existing'] !== undefined;

export const INDEX: Section = {
  title: { id: 'dyno.editor.index.title', text: 'Index' },
  roots: ['index'],
  isClosed: true,
  summary: (written) => {
    const index = writtenAt(written, 'index');
    return index['existing'] === undefined ? settingsOf(index) : showLevel(index['existing']);
  },
  rows: [
    {
      kind: 'ways',
      key: 'index',
      label: { id: 'dyno.editor.index.which', text: 'Tasks go to' },
      // With an index that existed before the run, the keys that create an index are invalid, and vice versa. Each choice therefore removes
      // the keys of the others.
      ways: [
        {
          value: 'made',
          text: { id: 'dyno.editor.index.made', text: 'an index that each trial creates' },
          is: (written) => !isExisting(written),
          writes: () => [{ key: 'index' }],
          rows: [
            {
              kind: 'note',
              text: {
                id: 'dyno.editor.index.note',
                text: 'Every trial creates an index with these settings and deletes it afterwards. Factors below replace them.',
              },
            },
            {
              kind: 'choice',
              key: 'index.as',
              fallback: 'index',
              label: { id: 'dyno.editor.index.as', text: 'Kind of data' },
              help: {
                id: 'dyno.editor.index.asHelp',
                text: 'A data stream accepts only new documents (action create), with a @timestamp.',
              },
              options: [
                { value: 'index', text: { id: 'dyno.editor.index.asIndex', text: 'an index' } },
                { value: 'data-stream', text: { id: 'dyno.editor.index.asStream', text: 'a data stream' } },
              ],
            },
            {
              kind: 'settings',
              key: 'index.settings',
              label: { id: 'dyno.editor.index.settings', text: 'Settings' },
              add: { id: 'dyno.editor.index.addSetting', text: 'Add setting' },
            },
            { kind: 'part', part: 'mapping' },
            {
              kind: 'closed',
              label: MORE_SETTINGS,
              rows: [
                {
                  kind: 'number',
                  key: 'index.count',
                  min: 1,
                  max: 20,
                  placeholder: '1',
                  label: { id: 'dyno.editor.index.count', text: 'Indices of each trial' },
                  help: {
                    id: 'dyno.editor.index.countHelp',
                    text: 'Several indices share the documents. Searches go to all of them.',
                  },
                },
                inIndex(
                  'route',
                  '{ field: store_id, by: remainder }',
                  { id: 'dyno.editor.index.route', text: 'Index of each document' },
                  {
                    id: 'dyno.editor.index.routeHelp',
                    text: 'Bulks go to the indices in turn. Or a field selects the index: {example}',
                  },
                  ['in-turn'],
                ),
                inIndex(
                  'rollover',
                  '{ documents: 100000, size: 50mb }',
                  { id: 'dyno.editor.index.rollover', text: 'Rollover of a data stream' },
                  {
                    id: 'dyno.editor.index.rolloverHelp',
                    text: 'Number of documents, size, or both: {example}',
                  },
                ),
                inIndex(
                  'lifecycle',
                  '{ data_retention: 7d }',
                  { id: 'dyno.editor.index.lifecycle', text: 'Lifecycle of a data stream' },
                  {
                    id: 'dyno.editor.index.lifecycleHelp',
                    text: 'In the syntax of Elasticsearch: {example}',
                  },
                ),
                inIndex(
                  'dimensions',
                  '[clientip]',
                  { id: 'dyno.editor.index.dimensions', text: 'Dimensions of time series' },
                  {
                    id: 'dyno.editor.index.dimensionsHelp',
                    text: 'Fields of the mapping, for the setting mode: time_series. Example: {example}',
                  },
                ),
                inIndex(
                  'allocation',
                  '{ attribute: zone, values: [a, b] }',
                  { id: 'dyno.editor.index.allocation', text: 'Allocation to nodes' },
                  {
                    id: 'dyno.editor.index.allocationHelp',
                    text: 'By an attribute of the nodes, one value for each index in turn: {example}',
                  },
                  ['none'],
                ),
                {
                  kind: 'choice',
                  key: 'index.templates',
                  wide: true,
                  fallback: 'report',
                  label: {
                    id: 'dyno.editor.index.templates',
                    text: 'If templates of the cluster change the index',
                  },
                  help: {
                    id: 'dyno.editor.index.templatesHelp',
                    text: 'Index and component templates can add settings and fields that this definition does not have.',
                  },
                  options: [
                    {
                      value: 'report',
                      text: {
                        id: 'dyno.editor.index.templatesReport',
                        text: 'run, and list the changes in the report',
                      },
                    },
                    {
                      value: 'refuse',
                      text: { id: 'dyno.editor.index.templatesRefuse', text: 'do not start the run' },
                    },
                  ],
                },
                {
                  kind: 'text',
                  key: 'index.name',
                  wide: true,
                  placeholder: 'dyno-trial',
                  label: { id: 'dyno.editor.index.name', text: 'Index name' },
                  help: {
                    id: 'dyno.editor.index.nameHelp',
                    text: 'Each trial appends its own suffix. Dyno changes only indices that it created.',
                  },
                },
              ],
            },
          ],
        },
        {
          value: 'existing',
          text: { id: 'dyno.editor.index.isThere', text: 'existing data' },
          is: isExisting,
          writes: () => [{ key: 'index', value: { existing: '' } }],
          rows: [
            {
              kind: 'note',
              text: {
                id: 'dyno.editor.index.existingNote',
                text: 'Nothing is created, changed or deleted there. Its settings, mapping and shards stay as they are.',
              },
            },
            {
              kind: 'text',
              key: 'index.existing',
              wide: true,
              required: true,
              placeholder: 'products',
              label: { id: 'dyno.editor.index.existing', text: 'Name of the existing data' },
              help: {
                id: 'dyno.editor.index.existingHelp',
                text: 'An index, an alias or a data stream. For several, use commas or *.',
              },
            },
            {
              kind: 'switch',
              key: 'index.allow-writes',
              label: {
                id: 'dyno.editor.index.allowWrites',
                text: 'Tasks may write to it, and their documents stay',
              },
            },
          ],
        },
      ],
    },
  ],
};

const isPreloaded = ({ preload }: Written): boolean => Object.keys(Object(preload)).length > 0;
const isCopied = (written: Written): boolean => writtenAt(written, 'preload')['from-index'] !== undefined;
const isRestored = (written: Written): boolean =>
  writtenAt(written, 'preload')['from-snapshot'] !== undefined;
const isFromTarget = (written: Written): boolean =>
  writtenAt(written, 'preload')['from-target'] !== undefined;

/**
 * Changes that remove the keys of `preload` that describe the loading of documents. The form applies them if Dyno copies or restores an
 * index instead.
 */
const OF_SOURCE: readonly Change[] = [
  { key: 'preload.documents' },
  { key: 'preload.source' },
  { key: 'preload.routing' },
];

/**
 * Returns the name of the index that Dyno copies or restores for each trial, from a definition that may be incomplete. '' if the definition
 * names no such index.
 */
function writtenIndex(written: Written): unknown {
  const preload = writtenAt(written, 'preload');
  return preload['from-index'] ?? writtenAt(preload, 'from-snapshot')['index'] ?? '';
}

/** Field with the name of the index that trials copy. */
const ORIGINAL_INDEX: FormField = {
  kind: 'text',
  key: 'preload.from-index',
  required: true,
  placeholder: 'shop',
  label: { id: 'dyno.editor.preload.fromIndex', text: 'Index, alias or data stream' },
  help: {
    id: 'dyno.editor.preload.fromIndexHelp',
    text: 'Dyno only reads it. Without a mapping below Index, copies have the mapping of this index.',
  },
};

/** Number of documents in the form when the user chooses to load documents. */
const FIRST_DOCUMENTS = 100_000;

export const PRELOAD: Section = {
  title: { id: 'dyno.editor.preload.title', text: 'Documents loaded beforehand' },
  roots: ['preload'],
  isClosed: true,
  summary: (written): Text | string => {
    const { documents, 'from-index': original, 'from-target': target } = writtenAt(written, 'preload');
    const { index, snapshot } = writtenAt(writtenAt(written, 'preload'), 'from-snapshot');
    if (typeof index === 'string' && typeof snapshot === 'string')
      return {
        id: 'dyno.editor.preload.restoredFrom',
        text: '{index} of {snapshot}',
        values: { index, snapshot },
      };
    if (typeof original === 'string')
      return {
        id: 'dyno.editor.preload.copyOf',
        text: 'a copy of {index}',
        values: { index: typeof target === 'string' ? `${original} (${target})` : original },
      };
    return typeof documents === 'number'
      ? formatNumber(documents)
      : { id: 'dyno.editor.preload.none', text: 'none' };
  },
  rows: [
    {
      kind: 'note',
      text: {
        id: 'dyno.editor.preload.note',
        text: 'Dyno loads, refreshes and merges them before a trial begins, and does not measure this.',
      },
    },
    {
      kind: 'ways',
      key: 'preload',
      label: { id: 'dyno.editor.preload.start', text: 'A trial begins with' },
      ways: [
        {
          value: 'empty',
          text: { id: 'dyno.editor.preload.empty', text: 'an empty index' },
          is: (written) => !isPreloaded(written),
          writes: () => [{ key: 'preload' }],
        },
        {
          value: 'source',
          text: {
            id: 'dyno.editor.preload.generated',
            text: 'documents from a generator, a profile or a file',
          },
          is: (written) =>
            isPreloaded(written) && !isCopied(written) && !isFromTarget(written) && !isRestored(written),
          writes: (written) => [
            { key: 'preload.from-index' },
            { key: 'preload.from-target' },
            { key: 'preload.from-snapshot' },
            {
              key: 'preload.documents',
              value: writtenAt(written, 'preload')['documents'] ?? FIRST_DOCUMENTS,
            },
          ],
          rows: [
            [
              {
                kind: 'number',
                key: 'preload.documents',
                min: 1,
                placeholder: '0',
                label: { id: 'dyno.editor.preload.documents', text: 'Documents' },
              },
              {
                kind: 'text',
                key: 'preload.routing.field',
                label: { id: 'dyno.editor.preload.routing', text: 'Routing by field' },
                help: {
                  id: 'dyno.editor.preload.routingHelp',
                  text: 'Documents with the same value go to the same shard. Without it, their ids select the shard.',
                },
              },
            ],
            {
              kind: 'structure',
              key: 'preload.source',
              lines: 2,
              optional: true,
              placeholder: 'generator: systembase',
              label: { id: 'dyno.editor.preload.source', text: 'Source, as YAML or JSON' },
              help: {
                id: 'dyno.editor.preload.sourceHelp',
                text: 'The default is the source of the first ingest task.',
              },
            },
          ],
        },
        {
          value: 'index',
          text: { id: 'dyno.editor.preload.copied', text: 'a copy of an index of the target' },
          is: (written) => isCopied(written) && !isFromTarget(written),
          writes: (written) => [
            ...OF_SOURCE,
            { key: 'preload.from-target' },
            { key: 'preload.from-snapshot' },
            { key: 'preload.from-index', value: writtenIndex(written) },
          ],
          rows: [ORIGINAL_INDEX],
        },
        {
          value: 'target',
          text: { id: 'dyno.editor.preload.elsewhere', text: 'a copy of an index of another cluster' },
          is: isFromTarget,
          writes: (written) => [
            ...OF_SOURCE,
            { key: 'preload.from-snapshot' },
            { key: 'preload.from-target', value: '' },
            { key: 'preload.from-index', value: writtenIndex(written) },
          ],
          rows: [
            [
              {
                kind: 'text',
                key: 'preload.from-target',
                required: true,
                offers: 'targets',
                placeholder: 'production',
                label: { id: 'dyno.editor.preload.fromTarget', text: 'Stored target with the index' },
                help: {
                  id: 'dyno.editor.preload.fromTargetHelp',
                  text: 'Dyno reads the documents with the credentials of this target.',
                },
              },
              ORIGINAL_INDEX,
            ],
          ],
        },
        {
          value: 'snapshot',
          text: { id: 'dyno.editor.preload.restored', text: 'an index of a snapshot' },
          is: isRestored,
          writes: (written) => [
            ...OF_SOURCE,
            { key: 'preload.from-index' },
            { key: 'preload.from-target' },
            {
              key: 'preload.from-snapshot',
              value: { repository: '', snapshot: '', index: writtenIndex(written) },
            },
          ],
          rows: [
            [
              {
                kind: 'text',
                key: 'preload.from-snapshot.repository',
                required: true,
                placeholder: 'backups',
                label: { id: 'dyno.editor.preload.repository', text: 'Snapshot repository' },
                help: {
                  id: 'dyno.editor.preload.repositoryHelp',
                  text: 'It must be registered in the target.',
                },
              },
              {
                kind: 'text',
                key: 'preload.from-snapshot.snapshot',
                required: true,
                placeholder: 'before-recording',
                label: { id: 'dyno.editor.preload.snapshot', text: 'Snapshot' },
              },
              {
                kind: 'text',
                key: 'preload.from-snapshot.index',
                required: true,
                placeholder: 'shop',
                label: { id: 'dyno.editor.preload.snapshotIndex', text: 'Index in the snapshot' },
                help: {
                  id: 'dyno.editor.preload.snapshotIndexHelp',
                  text: 'Mapping and number of shards stay those of the snapshot.',
                },
              },
            ],
          ],
        },
      ],
    },
    {
      kind: 'group',
      shown: isPreloaded,
      rows: [
        {
          kind: 'choice',
          key: 'preload.reuse',
          wide: true,
          fallback: 'never',
          label: { id: 'dyno.editor.preload.reuse', text: 'Loaded' },
          options: [
            { value: 'never', text: { id: 'dyno.editor.preload.never', text: 'for every trial' } },
            {
              value: 'copy',
              text: { id: 'dyno.editor.preload.copy', text: 'once, with a copy for each trial' },
            },
            {
              value: 'same',
              text: { id: 'dyno.editor.preload.same', text: 'once, shared by all trials (searches only)' },
            },
          ],
        },
        {
          kind: 'number',
          key: 'preload.force-merge',
          min: 1,
          max: 1000,
          label: { id: 'dyno.editor.preload.forceMerge', text: 'Merge to segments per shard' },
        },
      ],
    },
  ],
};

const isUntilDecided = (written: Written): boolean =>
  writtenAt(written, 'trials')['until-decided'] !== undefined;

const isByDocuments = (written: Written): boolean => writtenAt(written, 'measure')['documents'] !== undefined;

const warmup = (placeholder: string, shown: (written: Written) => boolean): FormField => ({
  kind: 'text',
  key: 'measure.warmup',
  shown,
  placeholder,
  label: { id: 'dyno.editor.measure.warmup', text: 'Warm-up before each trial' },
});

export const MEASUREMENT: Section = {
  title: { id: 'dyno.editor.measure.title', text: 'Measurement' },
  roots: [
    ...['measure', 'trials', 'order', 'seed', 'margin', 'load', 'spread'],
    ...['request-timeout', 'patience', 'on-interruption'],
  ],
  summary: (written) => {
    const { documents, duration = '5m' } = writtenAt(written, 'measure');
    const { most = 20 } = writtenAt(writtenAt(written, 'trials'), 'until-decided');
    const trials = isUntilDecided(written) ? `≤ ${showLevel(most)}` : showLevel(written['trials'] ?? 3);
    return `${trials} × ${showLevel(documents ?? duration)}`;
  },
  rows: [
    [
      {
        kind: 'either',
        below: 'measure',
        label: { id: 'dyno.editor.measure.end', text: 'A trial is measured for' },
        options: [
          {
            text: { id: 'dyno.editor.measure.time', text: 'a time' },
            first: '5m',
            field: {
              kind: 'text',
              key: 'duration',
              placeholder: '5m',
              label: { id: 'dyno.editor.measure.duration', text: 'Time' },
            },
          },
          {
            text: { id: 'dyno.editor.measure.count', text: 'documents' },
            first: 1_000_000,
            field: {
              kind: 'number',
              key: 'documents',
              min: 1,
              label: { id: 'dyno.editor.measure.documents', text: 'Documents' },
            },
          },
        ],
      },
      warmup('0s', isByDocuments),
      warmup('30s', (written) => !isByDocuments(written)),
    ],
    [
      {
        kind: 'ways',
        label: { id: 'dyno.editor.measure.trials', text: 'Trials of each cell' },
        ways: [
          {
            value: 'number',
            text: { id: 'dyno.editor.measure.fixed', text: 'a number' },
            is: (written) => !isUntilDecided(written),
            writes: () => [{ key: 'trials', value: 3 }],
            rows: [
              {
                kind: 'number',
                key: 'trials',
                min: 1,
                max: 1000,
                placeholder: '3',
                label: { id: 'dyno.editor.measure.number', text: 'Number' },
              },
            ],
          },
          {
            value: 'until',
            text: { id: 'dyno.editor.measure.until', text: 'until the claims are decided' },
            is: isUntilDecided,
            writes: () => [{ key: 'trials', value: { 'until-decided': { most: 20 } } }],
            rows: [
              {
                kind: 'number',
                key: 'trials.until-decided.least',
                min: 3,
                max: 50,
                placeholder: '3',
                label: { id: 'dyno.editor.measure.least', text: 'At least' },
              },
              {
                kind: 'number',
                key: 'trials.until-decided.most',
                min: 3,
                max: 50,
                placeholder: '20',
                label: { id: 'dyno.editor.measure.most', text: 'At most' },
              },
              {
                kind: 'text',
                key: 'trials.until-decided.time',
                placeholder: 'no limit',
                label: { id: 'dyno.editor.measure.runTime', text: 'Time for the run' },
                help: {
                  id: 'dyno.editor.measure.timeHelp',
                  text: 'No repetition begins later than this after the start of the run.',
                },
              },
            ],
          },
        ],
      },
    ],
    RECIPE_FIELD,
    {
      kind: 'closed',
      label: MORE_SETTINGS,
      rows: [
        [
          {
            kind: 'choice',
            key: 'order',
            fallback: 'interleaved',
            label: { id: 'dyno.editor.measure.order', text: 'Order of the trials' },
            options: [
              {
                value: 'interleaved',
                text: { id: 'dyno.editor.measure.interleaved', text: 'Cells in turn' },
              },
              { value: 'randomised', text: { id: 'dyno.editor.measure.randomised', text: 'Random' } },
              {
                value: 'sequential',
                text: { id: 'dyno.editor.measure.sequential', text: 'Cell after cell' },
              },
            ],
          },
          {
            kind: 'number',
            key: 'margin',
            min: 0,
            max: 100,
            step: 'any',
            scale: 100,
            append: { id: 'dyno.editor.measure.percent', text: '%' },
            placeholder: '5',
            label: { id: 'dyno.editor.measure.margin', text: 'Smallest difference that matters' },
          },
          {
            kind: 'number',
            key: 'seed',
            min: 0,
            placeholder: '1',
            label: { id: 'dyno.editor.measure.seed', text: 'Seed' },
            help: { id: 'dyno.editor.measure.seedHelp', text: 'The same seed generates the same documents.' },
          },
        ],
        [
          {
            kind: 'choice',
            key: 'measure.caches',
            fallback: '',
            label: { id: 'dyno.editor.measure.caches', text: 'Caches when the measured phase begins' },
            help: { id: 'dyno.editor.measure.cachesHelp', text: 'Cold trials have no warm-up.' },
            options: [
              { value: '', text: { id: 'dyno.editor.measure.cachesAsTheyAre', text: 'unchanged' } },
              { value: 'cold', text: { id: 'dyno.editor.measure.cold', text: 'cold: cleared' } },
              {
                value: 'warm',
                text: { id: 'dyno.editor.measure.warm', text: 'warm: filled by the warm-up' },
              },
            ],
          },
        ],
        [
          {
            kind: 'choice',
            key: 'measure.profile',
            fallback: 'off',
            label: { id: 'dyno.editor.measure.profile', text: 'Profile of the nodes' },
            help: {
              id: 'dyno.editor.measure.profileHelp',
              text: 'Shows where the CPU time goes. It costs the nodes some CPU time.',
            },
            options: [
              { value: 'off', text: { id: 'dyno.editor.measure.profileOff', text: 'off' } },
              {
                value: 'hot-threads',
                text: { id: 'dyno.editor.measure.hotThreads', text: 'hot threads of Elasticsearch' },
              },
              {
                value: 'profiler',
                text: { id: 'dyno.editor.measure.profiler', text: 'profiler, on nodes that Dyno starts' },
              },
            ],
          },
          {
            kind: 'choice',
            key: 'measure.profile-event',
            fallback: 'cpu',
            label: { id: 'dyno.editor.measure.profileEvent', text: 'What the profile counts' },
            help: { id: 'dyno.editor.measure.profileEventHelp', text: 'Only with the profiler.' },
            options: PROFILE_EVENTS.map((value) => ({
              value,
              text: { id: `dyno.editor.measure.profileEvent.${value}`, text: EVENTS[value].name },
            })),
          },
        ],
        [
          {
            kind: 'text',
            key: 'measure.profile-interval',
            placeholder: '5s',
            label: { id: 'dyno.editor.measure.profileInterval', text: 'Interval of the profile' },
            help: { id: 'dyno.editor.measure.profileIntervalHelp', text: 'Only with hot threads.' },
          },
          {
            kind: 'switch',
            key: 'measure.profile-searches',
            label: { id: 'dyno.editor.measure.profileSearches', text: 'Profile searches beside the load' },
            help: {
              id: 'dyno.editor.measure.profileSearchesHelp',
              text: 'Shows where the time of a search goes. Sends one search of each task every 2 s.',
            },
          },
        ],
        [
          {
            kind: 'text',
            key: 'measure.burn-in',
            placeholder: '0s',
            label: { id: 'dyno.editor.measure.burnIn', text: 'Burn-in of the cluster' },
            help: { id: 'dyno.editor.measure.burnInHelp', text: 'Once, before the first trial.' },
          },
          {
            kind: 'text',
            key: 'measure.drain',
            placeholder: '30s',
            label: { id: 'dyno.editor.measure.drain', text: 'Wait for outstanding answers' },
          },
          {
            kind: 'text',
            key: 'request-timeout',
            placeholder: '60s',
            label: { id: 'dyno.editor.measure.timeout', text: 'Requests fail after' },
          },
        ],
        [
          {
            kind: 'number',
            key: 'measure.force-merge',
            min: 1,
            max: 1000,
            label: {
              id: 'dyno.editor.measure.forceMerge',
              text: 'Merge to segments per shard afterwards',
            },
            help: {
              id: 'dyno.editor.measure.forceMergeHelp',
              text: 'After the load, before sizes and segments are read.',
            },
          },
          {
            kind: 'switch',
            key: 'measure.disk-usage',
            label: { id: 'dyno.editor.measure.diskUsage', text: 'Read the bytes of each field afterwards' },
          },
        ],
        [
          {
            kind: 'text',
            key: 'patience',
            placeholder: DEFAULT_PATIENCE,
            label: { id: 'dyno.editor.measure.patience', text: 'Wait for an unavailable target' },
            help: {
              id: 'dyno.editor.measure.patienceHelp',
              text: 'A trial that an outage hits is repeated at the end.',
            },
          },
          {
            kind: 'choice',
            key: 'on-interruption',
            fallback: 'end',
            label: { id: 'dyno.editor.measure.interruption', text: 'If Dyno is interrupted' },
            options: [
              { value: 'end', text: { id: 'dyno.editor.measure.stop', text: 'end the run' } },
              {
                value: 'continue',
                text: { id: 'dyno.editor.measure.continue', text: 'continue with the next trial' },
              },
            ],
          },
        ],
        [
          {
            kind: 'number',
            key: 'load.seats',
            min: 1,
            placeholder: '1',
            label: { id: 'dyno.editor.measure.seats', text: 'Machines that generate the load' },
            help: {
              id: 'dyno.editor.measure.seatsHelp',
              text: 'With more than one, workers on other machines take part, and the results must be in a cluster other than the target.',
            },
          },
          {
            kind: 'choice',
            key: 'spread',
            fallback: 'data-nodes',
            label: { id: 'dyno.editor.measure.spread', text: 'Requests go to' },
            options: [
              {
                value: 'data-nodes',
                text: { id: 'dyno.editor.measure.dataNodes', text: 'all data nodes in turn' },
              },
              {
                value: 'given-hosts',
                text: { id: 'dyno.editor.measure.givenHosts', text: "the target's hosts in turn" },
              },
              {
                value: 'one-host',
                text: { id: 'dyno.editor.measure.oneHost', text: 'the first host alone' },
              },
            ],
          },
        ],
      ],
    },
  ],
};

/** Returns the schedule in a definition that may be incomplete. Returns null without a schedule. */
export const scheduleWritten = ({ schedule }: Written): ScheduleSetting | null => {
  if (schedule === undefined || schedule === null) return null;
  const { cron } = Object(schedule) as Written;
  return typeof cron === 'string' ? (schedule as ScheduleSetting) : showLevel(schedule);
};

export const SCHEDULE: Section = {
  title: { id: 'dyno.editor.schedule.title', text: 'Schedule' },
  roots: ['schedule'],
  isClosed: true,
  summary: (written) => {
    const setting = scheduleWritten(written);
    return setting === null
      ? { id: 'dyno.editor.schedule.none', text: 'only when you start it' }
      : scheduleWords(setting);
  },
  rows: [{ kind: 'part', part: 'schedule' }],
};
