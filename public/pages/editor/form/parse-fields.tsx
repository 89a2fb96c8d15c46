/** Whether the raw lines of an ingestion are parsed, by whom, and by which pattern. */
import { EuiFormRow, EuiSelect } from '@elastic/eui';
import type { ReactNode } from 'react';
import { LINE_GENERATORS } from '../../../../common/experiment/parse';
import type { EditPath } from '../../../../common/experiment/text/edit';
import { i18n } from '../../../i18n';
import { asText, useErrors, useForm } from './context';
import { NumberRow, TextRow } from './fields';
import { Columns } from './part';

const NOBODY = 'nobody';
const PATTERN = '%{COMBINEDAPACHELOG}';

interface ParseFieldsProps {
  path: EditPath;
  source: Record<string, unknown>;
  /** As it is written; null where nothing is. */
  parse: Record<string, unknown> | null;
}

/** Nothing where the source gives no raw lines and none are said to be parsed. */
export function ParseFields({ path, source, parse }: ParseFieldsProps): ReactNode {
  const { edit, disabled } = useForm();
  const errors = useErrors(path);
  const raw = source['format'] === 'lines' || LINE_GENERATORS.includes(asText(source['generator']));
  if (!raw && parse === null) return null;
  const by = parse === null ? NOBODY : asText(parse['by']) || 'workers';
  const choose = (value: string): void =>
    edit([
      value === NOBODY
        ? { path, remove: true }
        : parse === null
          ? { path, value: { by: value, pattern: PATTERN } }
          : { path: [...path, 'by'], value },
    ]);
  return (
    <>
      <EuiFormRow
        fullWidth
        label={i18n.translate('dyno.editor.parse.by', { defaultMessage: 'Lines are parsed by' })}
        isInvalid={errors.length > 0}
        error={errors}
        css={{ marginBlockEnd: 16 }}
      >
        <EuiSelect
          fullWidth
          disabled={disabled}
          value={by}
          onChange={({ target }) => choose(target.value)}
          options={[
            {
              value: NOBODY,
              text: i18n.translate('dyno.editor.parse.nobody', {
                defaultMessage: 'Nobody: each is stored as it is',
              }),
            },
            {
              value: 'workers',
              text: i18n.translate('dyno.editor.parse.workers', { defaultMessage: 'Threads of Dyno' }),
            },
            {
              value: 'pipeline',
              text: i18n.translate('dyno.editor.parse.pipeline', {
                defaultMessage: 'An ingest pipeline of the target',
              }),
            },
          ]}
        />
      </EuiFormRow>
      {parse === null ? null : (
        <Columns>
          <TextRow
            path={[...path, 'pattern']}
            required
            code
            placeholder={PATTERN}
            label={i18n.translate('dyno.editor.parse.pattern', { defaultMessage: 'Grok pattern' })}
          />
          {by === 'workers' ? (
            <NumberRow
              path={[...path, 'workers']}
              min={1}
              max={64}
              placeholder="1"
              label={i18n.translate('dyno.editor.parse.threads', { defaultMessage: 'Parser threads' })}
            />
          ) : null}
        </Columns>
      )}
    </>
  );
}
