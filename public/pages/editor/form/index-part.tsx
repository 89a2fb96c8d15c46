/** What the tasks go to: an index that every trial gets afresh, with settings and mapping, or data that is there. */
import { EuiFormRow, EuiSelect, EuiSpacer, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import { MAPPINGS } from '../../../../common/generators/registry';
import { showLevel } from '../../../../common/experiment/cells';
import { i18n } from '../../../i18n';
import { asRecord, asText, useErrors, useField, useForm } from './context';
import { ChoiceRow, NumberRow, SelectRow, SwitchRow, TextRow } from './fields';
import { KeyValues } from './key-values';
import { Advanced, FormPart } from './part';
import { StructureRow } from './structure-row';

const SETTING_NAMES = [
  'number_of_shards',
  'number_of_replicas',
  'refresh_interval',
  'codec',
  'mode',
  'mapping.source.mode',
  'translog.durability',
  'translog.sync_interval',
  'translog.flush_threshold_size',
  'merge.scheduler.max_thread_count',
  'sort.field',
  'mapping.total_fields.limit',
];

const WRITTEN_OUT = '{}';

function Mapping(): ReactNode {
  const { value, set, disabled, onFocus } = useField(['index', 'mapping']);
  const errors = useErrors(['index', 'mapping'], true);
  const isOwn = typeof value === 'object' && value !== null;
  const label = i18n.translate('dyno.editor.index.mapping', { defaultMessage: 'Mapping' });
  return (
    <>
      <EuiFormRow label={label} fullWidth isInvalid={errors.length > 0} error={errors}>
        <EuiSelect
          fullWidth
          disabled={disabled}
          onFocus={onFocus}
          isInvalid={errors.length > 0}
          value={isOwn ? WRITTEN_OUT : asText(value)}
          onChange={({ target }) =>
            set(target.value === '' ? undefined : target.value === WRITTEN_OUT ? {} : target.value)
          }
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
        suggestions={SETTING_NAMES}
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
