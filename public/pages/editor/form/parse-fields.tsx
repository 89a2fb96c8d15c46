/** Whether the raw lines of an ingestion are parsed, by whom, and by which pattern. */
import { EuiSpacer } from '@elastic/eui';
import type { ReactNode } from 'react';
import { LINE_GENERATORS } from '../../../../common/generators/registry';
import type { Edit, EditPath } from '../../../../common/experiment/text/edit';
import { i18n } from '../../../i18n';
import { asRecord, asText, useForm } from './context';
import type { PartProps } from './described';
import { ChoiceRow, NumberRow, SelectRow, TextRow } from './fields';
import { LinesRow } from './lines-row';
import { Columns } from './part';
import { StructureRow } from './structure-row';

const NOBODY = 'nobody';
const PATTERN = '%{COMBINEDAPACHELOG}';

/** Nothing where the source gives no raw lines and none are said to be parsed. */
export function ParseFields({ path: work, value }: PartProps): ReactNode {
  const { edit } = useForm();
  const path: EditPath = [...work, 'parse'];
  const source = asRecord(value['source']);
  const parse = value['parse'] === undefined ? null : asRecord(value['parse']);
  const raw = source['format'] === 'lines' || LINE_GENERATORS.includes(asText(source['generator']));
  if (!raw && parse === null) return null;
  const by = parse === null ? NOBODY : asText(parse['by']) || 'workers';
  const choose = (value: string): void => {
    if (value === NOBODY) return edit([{ path, remove: true }]);
    if (parse === null) return edit([{ path, value: { by: value, pattern: PATTERN } }]);
    // A pipeline has no threads: what nobody sees any more must not stay.
    const own: Edit[] =
      value === 'pipeline' && 'workers' in parse ? [{ path: [...path, 'workers'], remove: true }] : [];
    edit([...own, { path: [...path, 'by'], value }]);
  };
  return (
    <>
      <ChoiceRow
        path={path}
        label={i18n.translate('dyno.editor.parse.by', { defaultMessage: 'Lines are parsed by' })}
        chosen={by}
        onChoose={choose}
        options={[
          {
            value: NOBODY,
            text: i18n.translate('dyno.editor.parse.nobody', {
              defaultMessage: 'Not parsed: each line is stored unchanged',
            }),
          },
          {
            value: 'workers',
            text: i18n.translate('dyno.editor.parse.workers', { defaultMessage: 'Dyno’s parser threads' }),
          },
          {
            value: 'pipeline',
            text: i18n.translate('dyno.editor.parse.pipeline', {
              defaultMessage: 'An ingest pipeline on the target',
            }),
          },
        ]}
      />
      {parse === null ? null : <Parsing path={path} by={by} onFailure={parse['on-failure']} />}
    </>
  );
}

interface ParsingProps {
  path: EditPath;
  by: string;
  /** As it is written. */
  onFailure: unknown;
}

function Parsing({ path, by, onFailure }: ParsingProps): ReactNode {
  return (
    <>
      <LinesRow
        path={[...path, 'pattern']}
        write={(lines) => (lines.length > 1 ? lines : (lines[0] ?? ''))}
        placeholder={PATTERN}
        label={i18n.translate('dyno.editor.parse.pattern', { defaultMessage: 'Grok patterns' })}
        help={i18n.translate('dyno.editor.parse.patternHelp', {
          defaultMessage: 'One per line. The first pattern that matches supplies the fields.',
        })}
      />
      <Columns>
        {by === 'workers' ? (
          <NumberRow
            path={[...path, 'workers']}
            min={1}
            max={64}
            placeholder="1"
            label={i18n.translate('dyno.editor.parse.threads', { defaultMessage: 'Parser threads' })}
          />
        ) : null}
        {by === 'workers' || onFailure !== undefined ? <OnFailure path={path} /> : null}
      </Columns>
      <Columns>
        <TextRow
          path={[...path, 'timestamp', 'field']}
          placeholder="timestamp"
          label={i18n.translate('dyno.editor.parse.timeField', { defaultMessage: 'Field with the time' })}
          help={i18n.translate('dyno.editor.parse.timeHelp', {
            defaultMessage: 'Without it, the time of parsing.',
          })}
        />
        <TextRow
          path={[...path, 'timestamp', 'format']}
          placeholder="dd/MMM/yyyy:HH:mm:ss Z"
          code
          label={i18n.translate('dyno.editor.parse.timeFormat', { defaultMessage: 'Time format' })}
        />
      </Columns>
      <StructureRow
        path={[...path, 'patterns']}
        rows={2}
        optional
        placeholder="ORDER: '[A-Z]{2}-%{INT}'"
        label={i18n.translate('dyno.editor.parse.own', {
          defaultMessage: 'Your own patterns by name, as YAML or JSON',
        })}
      />
      <EuiSpacer size="m" />
    </>
  );
}

const OnFailure = ({ path }: { path: EditPath }): ReactNode => (
  <SelectRow
    path={[...path, 'on-failure']}
    fallback="tag"
    label={i18n.translate('dyno.editor.parse.onFailure', { defaultMessage: 'Lines that do not match' })}
    options={[
      {
        value: 'tag',
        text: i18n.translate('dyno.editor.parse.tag', { defaultMessage: 'are stored with a tag' }),
      },
      {
        value: 'drop',
        text: i18n.translate('dyno.editor.parse.drop', { defaultMessage: 'are skipped' }),
      },
    ]}
  />
);
