/** Where a replay has its searches from: a file of them, or a log that is made. */
import type { ReactNode } from 'react';
import type { Edit, EditPath } from '../../../../common/experiment/text/edit';
import { LOG_GENERATORS, logOf } from '../../../../common/generators/registry';
import { i18n } from '../../../i18n';
import { asText, useForm } from './context';
import { ChoiceRow } from './fields';

const FROM_FILE = 'file:';
/** What says how to read a file, and stands in the way of a made log. */
const OF_FILES = ['format', 'shards', 'repeat', 'types'];

export function ReplaySource({
  path,
  replay,
}: {
  path: EditPath;
  replay: Record<string, unknown>;
}): ReactNode {
  const { edit } = useForm();
  const generator = asText(replay['generator']);
  const choose = (value: string): void => {
    const remove = (keys: readonly string[]): Edit[] =>
      keys.filter((key) => key in replay).map((key) => ({ path: [...path, key], remove: true }));
    edit(
      value === FROM_FILE
        ? [...remove(['generator']), { path: [...path, 'file'], value: 'searches.log' }]
        : [...remove(['file', ...OF_FILES]), { path: [...path, 'generator'], value }],
    );
  };
  return (
    <ChoiceRow
      path={path}
      label={i18n.translate('dyno.editor.replay.source', { defaultMessage: 'Searches' })}
      chosen={generator === '' ? FROM_FILE : generator}
      onChoose={choose}
      options={[
        {
          value: FROM_FILE,
          text: i18n.translate('dyno.editor.replay.fromFile', { defaultMessage: 'A recorded log' }),
        },
        ...LOG_GENERATORS.map((name) => ({ value: name, text: i18n.say(logOf(name).label) })),
      ]}
    />
  );
}
