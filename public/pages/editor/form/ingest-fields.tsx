/** What an ingestion sends: documents from where, in bulks of which size, sent again how often. */
import { EuiFormRow, EuiSelect } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { EditPath } from '../../../../common/experiment/text/edit';
import { GENERATORS } from '../../../../common/generators/registry';
import { useApp } from '../../../app/context';
import { i18n } from '../../../i18n';
import { asRecord, asText, useErrors, useForm } from './context';
import { NumberRow, SelectRow, SwitchRow, TextRow } from './fields';
import { ParseFields } from './parse-fields';
import { Advanced, Columns } from './part';

const FROM_FILE = 'file:';

function Source({ path, source }: { path: EditPath; source: Record<string, unknown> }): ReactNode {
  const { edit, disabled } = useForm();
  const { host } = useApp();
  const errors = useErrors(path);
  const isFile = source['file'] !== undefined;
  const choose = (value: string): void =>
    edit(
      value === FROM_FILE
        ? [{ path, value: { file: 'documents.ndjson', repeat: true } }]
        : isFile
          ? [{ path, value: { generator: value } }]
          : [{ path: [...path, 'generator'], value }],
    );
  return (
    <>
      <EuiFormRow
        fullWidth
        label={i18n.translate('dyno.editor.source.label', { defaultMessage: 'Documents' })}
        isInvalid={errors.length > 0}
        error={errors}
        css={{ marginBlockEnd: 16 }}
      >
        <EuiSelect
          fullWidth
          disabled={disabled}
          isInvalid={errors.length > 0}
          hasNoInitialSelection={!isFile && source['generator'] === undefined}
          value={isFile ? FROM_FILE : asText(source['generator'])}
          onChange={({ target }) => choose(target.value)}
          options={[
            ...GENERATORS.map(({ name, label }) => ({ value: name as string, text: i18n.say(label) })),
            {
              value: FROM_FILE,
              text: i18n.translate('dyno.editor.source.file', { defaultMessage: 'From a file' }),
            },
          ]}
        />
      </EuiFormRow>
      {isFile ? (
        <>
          <Columns>
            <TextRow
              path={[...path, 'file']}
              required
              label={i18n.translate('dyno.editor.source.path', { defaultMessage: 'File' })}
              help={i18n.translate('dyno.editor.source.pathHelp', {
                defaultMessage: '{place} .gz and .zst are unpacked.',
                values: { place: host.filesPlace() },
              })}
            />
            <SelectRow
              path={[...path, 'format']}
              fallback="ndjson"
              label={i18n.translate('dyno.editor.source.format', { defaultMessage: 'Format' })}
              options={[
                {
                  value: 'ndjson',
                  text: i18n.translate('dyno.editor.source.ndjson', {
                    defaultMessage: 'One JSON document per line',
                  }),
                },
                {
                  value: 'lines',
                  text: i18n.translate('dyno.editor.source.lines', { defaultMessage: 'Plain lines' }),
                },
              ]}
            />
          </Columns>
          <SwitchRow
            path={[...path, 'repeat']}
            label={i18n.translate('dyno.editor.source.repeat', {
              defaultMessage: 'Start again at the end of the file',
            })}
          />
        </>
      ) : null}
    </>
  );
}

function BulkSize({ path, bulk }: { path: EditPath; bulk: Record<string, unknown> }): ReactNode {
  const { edit, disabled } = useForm();
  const isBytes = bulk['bytes'] !== undefined;
  const errors = useErrors(path);
  return (
    <Columns>
      <EuiFormRow
        label={i18n.translate('dyno.editor.bulk.by', { defaultMessage: 'Bulk size in' })}
        isInvalid={errors.length > 0}
        error={errors}
      >
        <EuiSelect
          disabled={disabled}
          value={isBytes ? 'bytes' : 'docs'}
          onChange={({ target }) =>
            edit([
              { path: [...path, target.value], value: target.value === 'bytes' ? '5mb' : 1000 },
              { path: [...path, isBytes ? 'bytes' : 'docs'], remove: true },
            ])
          }
          options={[
            { value: 'docs', text: i18n.translate('dyno.editor.bulk.docs', { defaultMessage: 'Documents' }) },
            { value: 'bytes', text: i18n.translate('dyno.editor.bulk.bytes', { defaultMessage: 'Bytes' }) },
          ]}
        />
      </EuiFormRow>
      {isBytes ? (
        <TextRow
          path={[...path, 'bytes']}
          placeholder="5mb"
          required
          label={i18n.translate('dyno.editor.bulk.size', { defaultMessage: 'Size of a bulk' })}
        />
      ) : (
        <NumberRow
          path={[...path, 'docs']}
          min={1}
          placeholder="1000"
          label={i18n.translate('dyno.editor.bulk.count', { defaultMessage: 'Documents in a bulk' })}
        />
      )}
    </Columns>
  );
}

export function IngestFields({ at, task }: { at: number; task: Record<string, unknown> }): ReactNode {
  const ingest = asRecord(task['ingest']);
  const path: EditPath = ['tasks', at, 'ingest'];
  return (
    <>
      <Source path={[...path, 'source']} source={asRecord(ingest['source'])} />
      <ParseFields
        path={[...path, 'parse']}
        source={asRecord(ingest['source'])}
        parse={ingest['parse'] === undefined ? null : asRecord(ingest['parse'])}
      />
      <BulkSize path={[...path, 'bulk']} bulk={asRecord(ingest['bulk'])} />
      <Advanced
        label={i18n.translate('dyno.editor.retries.title', {
          defaultMessage: 'Refused documents and pipeline',
        })}
      >
        <Columns>
          <NumberRow
            path={[...path, 'retries', 'attempts']}
            min={0}
            max={100}
            placeholder="5"
            label={i18n.translate('dyno.editor.retries.attempts', { defaultMessage: 'Maximum retries' })}
            append={i18n.translate('dyno.editor.retries.times', { defaultMessage: 'times' })}
          />
          <TextRow
            path={[...path, 'retries', 'base']}
            placeholder="100ms"
            label={i18n.translate('dyno.editor.retries.base', { defaultMessage: 'First pause' })}
            help={i18n.translate('dyno.editor.retries.baseHelp', {
              defaultMessage: 'Doubles with each retry.',
            })}
          />
          <TextRow
            path={[...path, 'retries', 'max']}
            placeholder="10s"
            label={i18n.translate('dyno.editor.retries.max', { defaultMessage: 'Longest pause' })}
          />
          <TextRow
            path={[...path, 'pipeline']}
            label={i18n.translate('dyno.editor.ingest.pipeline', { defaultMessage: 'Ingest pipeline' })}
            help={i18n.translate('dyno.editor.ingest.pipelineHelp', {
              defaultMessage: 'A pipeline that exists on the target.',
            })}
          />
        </Columns>
      </Advanced>
    </>
  );
}
