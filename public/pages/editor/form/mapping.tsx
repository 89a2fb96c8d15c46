/** Field for the mapping of a trial's indices. The mapping is either built in, or written by the user. */
import { EuiButtonEmpty, EuiCallOut, EuiFormRow, EuiSelect } from '@elastic/eui';
import type { ReactNode } from 'react';
import { MAPPINGS, MAPPINGS_BY_NAME } from '../../../../common/generators/registry';
import { vectorsMapping, vectorsSchema } from '../../../../common/generators/vectors';
import { i18n } from '../../../i18n';
import { useApiChange } from '../../../api/queries';
import { ProblemList } from '../../../ui/problems';
import { asList, asRecord, asText, useErrors, useField, useForm } from './context';
import type { PreviewBody } from './document-preview';
import { StructureRow } from './structure-row';

const WRITTEN_OUT = '{}';

const isEmpty = (mapping: unknown): boolean => Object.keys(asRecord(mapping)).length === 0;

/**
 * Returns the mapping that trials use if the definition names a built-in mapping, or contains none. Undefined if only the server can
 * determine the mapping.
 */
function mappingNow(values: Record<string, unknown>): unknown {
  const { mapping } = asRecord(values['index']);
  if (typeof mapping === 'string') return mappingNamed(mapping);
  const { generator, vectors } = asRecord(sourceOf(values));
  if (typeof generator === 'string') return mappingNamed(generator);
  const set = vectorsSchema.safeParse(vectors);
  return set.success ? vectorsMapping(set.data) : undefined;
}

const mappingNamed = (name: string): unknown => (MAPPINGS_BY_NAME as Readonly<Record<string, unknown>>)[name];

/** Returns the source (a generator or a file) of the documents that trials create. */
function sourceOf(values: Record<string, unknown>): unknown {
  const preloaded = asRecord(values['preload'])['source'];
  const ingests = asList(values['tasks']).map((task) => asRecord(asRecord(task)['ingest'])['source']);
  return preloaded ?? ingests.find((source) => source !== undefined);
}

export function Mapping(): ReactNode {
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
            defaultMessage: 'With empty braces, Elasticsearch uses dynamic mapping.',
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
            defaultMessage: 'Insert the mapping of the documents',
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
