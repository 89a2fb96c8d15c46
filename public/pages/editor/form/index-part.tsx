/** What the tasks go to: an index that every trial gets afresh, with settings and mapping, or data that is there. */
import { EuiButtonEmpty, EuiCallOut, EuiFormRow, EuiSelect, EuiSpacer, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import { INDEX_SETTING_NAMES } from '../../../../common/elasticsearch/index-settings';
import { MAPPINGS, MAPPINGS_BY_NAME } from '../../../../common/generators/registry';
import { vectorsMapping, vectorsSchema } from '../../../../common/generators/vectors';
import { showLevel } from '../../../../common/experiment/cells';
import { i18n } from '../../../i18n';
import { useApiChange } from '../../../api/queries';
import { ProblemList } from '../../../ui/problems';
import { asList, asRecord, asText, useErrors, useField, useForm } from './context';
import type { PreviewBody } from './document-preview';
import { ChoiceRow, NumberRow, SelectRow, SwitchRow, TextRow } from './fields';
import { KeyValues } from './key-values';
import { Advanced, FormPart } from './part';
import { StructureRow } from './structure-row';

const WRITTEN_OUT = '{}';

const isEmpty = (mapping: unknown): boolean => Object.keys(asRecord(mapping)).length === 0;

/** The mapping that holds while none is written out; undefined where only the server can read it. */
function mappingNow(values: Record<string, unknown>): unknown {
  const { mapping } = asRecord(values['index']);
  if (typeof mapping === 'string') return mappingNamed(mapping);
  const { generator, vectors } = asRecord(sourceOf(values));
  if (typeof generator === 'string') return mappingNamed(generator);
  const set = vectorsSchema.safeParse(vectors);
  return set.success ? vectorsMapping(set.data) : undefined;
}

const mappingNamed = (name: string): unknown => (MAPPINGS_BY_NAME as Readonly<Record<string, unknown>>)[name];

/** Where the documents of the definition come from, as it is written. */
function sourceOf(values: Record<string, unknown>): unknown {
  const preloaded = asRecord(values['preload'])['source'];
  const ingests = asList(values['tasks']).map((task) => asRecord(asRecord(task)['ingest'])['source']);
  return preloaded ?? ingests.find((source) => source !== undefined);
}

function Mapping(): ReactNode {
  const { values } = useForm();
  const { value, set, disabled, onFocus } = useField(['index', 'mapping']);
  const errors = useErrors(['index', 'mapping'], true);
  const preview = useApiChange('previewDocuments');
  const isOwn = typeof value === 'object' && value !== null;
  const label = i18n.translate('dyno.editor.index.mapping', { defaultMessage: 'Mapping' });
  const writeOut = (): void => {
    const known = mappingNow(values);
    set(known ?? {});
    const source = sourceOf(values);
    if (known !== undefined || source === undefined) return;
    const body = { source, seed: values['seed'] } as PreviewBody;
    preview.mutate({ body }, { onSuccess: ({ mapping }) => set(mapping) });
  };
  return (
    <>
      <EuiFormRow label={label} fullWidth isInvalid={errors.length > 0} error={errors}>
        <EuiSelect
          fullWidth
          disabled={disabled}
          onFocus={onFocus}
          isInvalid={errors.length > 0}
          value={isOwn ? WRITTEN_OUT : asText(value)}
          onChange={({ target }) => {
            if (target.value === WRITTEN_OUT) writeOut();
            else set(target.value === '' ? undefined : target.value);
          }}
          options={[
            {
              value: '',
              text: i18n.translate('dyno.editor.index.mappingOfData', {
                defaultMessage: 'Mapping of the generated documents',
              }),
            },
            ...MAPPINGS.map((name) => ({ value: name, text: name })),
            {
              value: WRITTEN_OUT,
              text: i18n.translate('dyno.editor.index.mappingOwn', { defaultMessage: 'Own mapping, below' }),
            },
          ]}
        />
      </EuiFormRow>
      {isOwn ? (
        <StructureRow
          path={['index', 'mapping']}
          rows={6}
          label={i18n.translate('dyno.editor.index.mappingBody', {
            defaultMessage: 'Mapping, as YAML or JSON',
          })}
          help={i18n.translate('dyno.editor.index.mappingBodyHelp', {
            defaultMessage: 'With empty braces, Elasticsearch guesses.',
          })}
        />
      ) : null}
      {isOwn && isEmpty(value) ? (
        <EuiButtonEmpty
          size="s"
          flush="left"
          iconType="documents"
          isDisabled={disabled}
          isLoading={preview.isPending}
          onClick={writeOut}
        >
          {i18n.translate('dyno.editor.index.mappingFill', {
            defaultMessage: 'Fill with the mapping of the documents',
          })}
        </EuiButtonEmpty>
      ) : null}
      {isOwn && preview.error ? (
        <EuiCallOut
          announceOnMount
          size="s"
          color="warning"
          iconType="warning"
          title={i18n.translate('dyno.editor.index.mappingUnknown', {
            defaultMessage: 'The documents could not be read, so the mapping is empty',
          })}
        >
          <ProblemList problems={preview.error.problems} />
        </EuiCallOut>
      ) : null}
    </>
  );
}

/** What the tasks go to when nothing is created for them. */
function Existing(): ReactNode {
  return (
    <>
      <EuiText size="xs" color="subdued">
        <p>
          {i18n.translate('dyno.editor.index.existingNote', {
            defaultMessage:
              'Nothing is created, changed or deleted there. Its settings, mapping and shards stay as they are.',
          })}
        </p>
      </EuiText>
      <EuiSpacer size="m" />
      <TextRow
        path={['index', 'existing']}
        wide
        required
        placeholder="products"
        label={i18n.translate('dyno.editor.index.existing', { defaultMessage: 'Name of the existing data' })}
        help={i18n.translate('dyno.editor.index.existingHelp', {
          defaultMessage: 'An index, an alias or a data stream; several with commas, or with *.',
        })}
      />
      <EuiSpacer size="m" />
      <SwitchRow
        path={['index', 'allow-writes']}
        label={i18n.translate('dyno.editor.index.allowWrites', {
          defaultMessage: 'Tasks may write to it, and what they write stays',
        })}
      />
    </>
  );
}

/** The indices that every trial gets afresh. */
function Made(): ReactNode {
  return (
    <>
      <EuiText size="xs" color="subdued">
        <p>
          {i18n.translate('dyno.editor.index.note', {
            defaultMessage:
              'Every trial creates an index with these settings and deletes it afterwards. Factors below replace them.',
          })}
        </p>
      </EuiText>
      <EuiSpacer size="m" />
      <SelectRow
        path={['index', 'as']}
        fallback="index"
        label={i18n.translate('dyno.editor.index.as', { defaultMessage: 'Made as' })}
        help={i18n.translate('dyno.editor.index.asHelp', {
          defaultMessage: 'A data stream takes documents with a @timestamp, by create alone.',
        })}
        options={[
          {
            value: 'index',
            text: i18n.translate('dyno.editor.index.asIndex', { defaultMessage: 'an index' }),
          },
          {
            value: 'data-stream',
            text: i18n.translate('dyno.editor.index.asStream', { defaultMessage: 'a data stream' }),
          },
        ]}
      />
      <EuiSpacer size="m" />
      <KeyValues
        path={['index', 'settings']}
        label={i18n.translate('dyno.editor.index.settings', { defaultMessage: 'Settings' })}
        suggestions={INDEX_SETTING_NAMES}
        addLabel={i18n.translate('dyno.editor.index.addSetting', { defaultMessage: 'Add setting' })}
      />
      <EuiSpacer size="m" />
      <Mapping />
      <EuiSpacer size="m" />
      <Advanced>
        <NumberRow
          path={['index', 'count']}
          min={1}
          max={20}
          placeholder="1"
          label={i18n.translate('dyno.editor.index.count', { defaultMessage: 'Indices of each trial' })}
          help={i18n.translate('dyno.editor.index.countHelp', {
            defaultMessage: 'Several indices share the documents. Searches go to all of them.',
          })}
        />
        <StructureRow
          path={['index', 'route']}
          rows={2}
          optional
          words={['in-turn']}
          placeholder="{ field: store_id, by: remainder }"
          label={i18n.translate('dyno.editor.index.route', {
            defaultMessage: 'Which of several a document goes to',
          })}
          help={i18n.translate('dyno.editor.index.routeHelp', {
            defaultMessage: 'Bulks go to them in turn, or by a field: {example}',
            values: { example: '{ field: store_id, by: remainder }' },
          })}
        />
        <StructureRow
          path={['index', 'rollover']}
          rows={2}
          optional
          placeholder="{ documents: 100000, size: 50mb }"
          label={i18n.translate('dyno.editor.index.rollover', {
            defaultMessage: 'Rollover of a data stream',
          })}
          help={i18n.translate('dyno.editor.index.rolloverHelp', {
            defaultMessage: 'By documents, by size, or both: {example}',
            values: { example: '{ documents: 100000, size: 50mb }' },
          })}
        />
        <StructureRow
          path={['index', 'lifecycle']}
          rows={2}
          optional
          placeholder="{ data_retention: 7d }"
          label={i18n.translate('dyno.editor.index.lifecycle', {
            defaultMessage: 'Lifecycle of a data stream',
          })}
          help={i18n.translate('dyno.editor.index.lifecycleHelp', {
            defaultMessage: 'As Elasticsearch takes it: {example}',
            values: { example: '{ data_retention: 7d }' },
          })}
        />
        <StructureRow
          path={['index', 'dimensions']}
          rows={2}
          optional
          placeholder="[clientip]"
          label={i18n.translate('dyno.editor.index.dimensions', {
            defaultMessage: 'Dimensions of time series',
          })}
          help={i18n.translate('dyno.editor.index.dimensionsHelp', {
            defaultMessage: 'Fields of the mapping, with the setting mode: time_series: {example}',
            values: { example: '[clientip]' },
          })}
        />
        <StructureRow
          path={['index', 'allocation']}
          rows={2}
          optional
          words={['none']}
          placeholder="{ attribute: zone, values: [a, b] }"
          label={i18n.translate('dyno.editor.index.allocation', { defaultMessage: 'Nodes that hold them' })}
          help={i18n.translate('dyno.editor.index.allocationHelp', {
            defaultMessage: 'By an attribute of the nodes, a value for each index in turn: {example}',
            values: { example: '{ attribute: zone, values: [a, b] }' },
          })}
        />
        <TextRow
          path={['index', 'name']}
          wide
          placeholder="dyno-trial"
          label={i18n.translate('dyno.editor.index.name', { defaultMessage: 'Index name' })}
          help={i18n.translate('dyno.editor.index.nameHelp', {
            defaultMessage: 'Each trial appends its own suffix. Dyno changes only indices that it created.',
          })}
        />
      </Advanced>
    </>
  );
}

export function IndexPart(): ReactNode {
  const { values, edit } = useForm();
  const index = asRecord(values['index']);
  const { existing } = index;
  const isExisting = existing !== undefined;
  const settings = Object.entries(asRecord(index['settings']))
    .map(([key, value]) => `${key.replace(/^index\./, '')}=${showLevel(value)}`)
    .join(', ');
  return (
    <FormPart
      title={i18n.translate('dyno.editor.index.title', { defaultMessage: 'Index' })}
      roots={['index']}
      summary={isExisting ? asText(existing) : settings}
      startsOpen={false}
    >
      <ChoiceRow
        path={['index']}
        label={i18n.translate('dyno.editor.index.which', { defaultMessage: 'Tasks go to' })}
        chosen={isExisting ? 'existing' : 'made'}
        // What says how an index is made holds for none that is there.
        onChoose={(chosen) =>
          edit([
            chosen === 'existing'
              ? { path: ['index'], value: { existing: '' } }
              : { path: ['index'], remove: true },
          ])
        }
        options={[
          {
            value: 'made',
            text: i18n.translate('dyno.editor.index.made', {
              defaultMessage: 'an index that each trial creates',
            }),
          },
          {
            value: 'existing',
            text: i18n.translate('dyno.editor.index.isThere', {
              defaultMessage: 'data that is there already',
            }),
          },
        ]}
      />
      {isExisting ? <Existing /> : <Made />}
    </FormPart>
  );
}
