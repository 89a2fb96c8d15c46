/** What a replay sends: a recorded log, its form, and what becomes of searches of old versions; or a made one. */
import type { ReactNode } from 'react';
import { LOG_FORMATS, type LogFormat } from '../../../../common/replay/formats/registry';
import type { EditPath } from '../../../../common/experiment/text/edit';
import { useApp } from '../../../app/context';
import { i18n } from '../../../i18n';
import { asText } from './context';
import type { PartProps } from './described';
import { SelectRow, SwitchRow, TextRow } from './fields';
import { Columns } from './part';
import { ReplaySource } from './replay-source';

const formatText = (format: LogFormat): string =>
  ({
    'query-log': i18n.translate('dyno.editor.replay.queryLog', {
      defaultMessage: 'TIMESTAMP.MS|SEARCH_TYPE|JSON_QUERY',
    }),
    'slow-log': i18n.translate('dyno.editor.replay.slowLog', {
      defaultMessage: 'Search slow log of Elasticsearch, JSON',
    }),
    'slow-log-text': i18n.translate('dyno.editor.replay.slowLogText', {
      defaultMessage: 'Search slow log of Elasticsearch, text',
    }),
    ndjson: i18n.translate('dyno.editor.replay.ndjson', { defaultMessage: 'One JSON search per line' }),
  })[format];

export const LogFields = ({ path, value }: PartProps): ReactNode => (
  <>
    <ReplaySource path={path} replay={value} />
    {value['generator'] === undefined ? <FileFields path={path} format={asText(value['format'])} /> : null}
  </>
);

function FileFields({ path, format }: { path: EditPath; format: string }): ReactNode {
  const { host } = useApp();
  return (
    <>
      <Columns>
        <TextRow
          path={[...path, 'file']}
          required
          label={i18n.translate('dyno.editor.replay.file', { defaultMessage: 'Log' })}
          help={i18n.translate('dyno.editor.source.pathHelp', {
            defaultMessage: '{place} .gz and .zst are unpacked.',
            values: { place: host.filesPlace() },
          })}
        />
        <SelectRow
          path={[...path, 'format']}
          fallback=""
          label={i18n.translate('dyno.editor.replay.format', { defaultMessage: 'Its lines' })}
          options={[
            {
              value: '',
              text: i18n.translate('dyno.editor.replay.detected', {
                defaultMessage: 'As its first lines tell',
              }),
            },
            ...LOG_FORMATS.map((value) => ({ value, text: formatText(value) })),
          ]}
        />
      </Columns>
      <Columns>
        <SelectRow
          path={[...path, 'rewrite']}
          fallback="[]"
          label={i18n.translate('dyno.editor.replay.rewrite', {
            defaultMessage: 'Searches of old versions of Elasticsearch',
          })}
          help={i18n.translate('dyno.editor.replay.rewriteHelp', {
            defaultMessage: 'They are counted either way.',
          })}
          options={[
            {
              value: '[]',
              text: i18n.translate('dyno.editor.replay.rewriteNone', { defaultMessage: 'are skipped' }),
            },
            {
              value: 'all',
              text: i18n.translate('dyno.editor.replay.rewriteAll', {
                defaultMessage: 'are rewritten where there is a rule',
              }),
            },
          ]}
        />
        {format === 'slow-log' || format === 'slow-log-text' || format === '' ? (
          <SelectRow
            path={[...path, 'shards']}
            fallback="one"
            label={i18n.translate('dyno.editor.replay.shards', {
              defaultMessage: 'Lines of several shards and phases of a search',
            })}
            options={[
              {
                value: 'one',
                text: i18n.translate('dyno.editor.replay.shardsOne', {
                  defaultMessage: 'count as one search',
                }),
              },
              {
                value: 'all',
                text: i18n.translate('dyno.editor.replay.shardsAll', {
                  defaultMessage: 'count as one search each',
                }),
              },
            ]}
          />
        ) : null}
      </Columns>
      <SwitchRow
        path={[...path, 'repeat']}
        label={i18n.translate('dyno.editor.replay.repeat', {
          defaultMessage: 'Start again at the end of the log (not at its recorded pace)',
        })}
      />
    </>
  );
}
