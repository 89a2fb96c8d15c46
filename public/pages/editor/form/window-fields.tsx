/** Which documents searches are about: those of the last minutes, or all. */
import type { ReactNode } from 'react';
import type { EditPath } from '../../../../common/experiment/text/edit';
import { i18n } from '../../../i18n';
import { useForm } from './context';
import { useKnown } from '../target-fields';
import type { PartProps } from './described';
import { ChoiceRow, SelectRow, TextRow } from './fields';
import { Columns } from './part';

const USUAL = 'usual';
const NONE = 'none';
const LAST = 'last';

export function WindowFields({ path: work, value }: PartProps): ReactNode {
  const { edit } = useForm();
  const path: EditPath = [...work, 'window'];
  const { window } = value;
  // One's own searches are sent as they are written, unless a window is given with its field.
  const own = value['requests'] !== undefined;
  const isShort = typeof window === 'string' && window !== NONE;
  // Requests of one's own have no window to be without.
  const isUsual = window === undefined || (own && window === NONE);
  const chosen = isUsual ? USUAL : window === NONE ? NONE : LAST;
  const choose = (value: string): void =>
    edit([
      value === USUAL
        ? { path, remove: true }
        : {
            path,
            value: value === NONE ? NONE : own ? { last: '15m', field: '@timestamp' } : { last: '15m' },
          },
    ]);
  return (
    <>
      <ChoiceRow
        path={path}
        label={i18n.translate('dyno.editor.window.label', { defaultMessage: 'Documents searched' })}
        chosen={chosen}
        onChoose={choose}
        options={[
          {
            value: USUAL,
            text: own
              ? i18n.translate('dyno.editor.window.asWritten', {
                  defaultMessage: 'As written in the requests',
                })
              : i18n.translate('dyno.editor.window.usual', {
                  defaultMessage: 'Documents of the last 15 minutes, as published',
                }),
          },
          {
            value: LAST,
            text: i18n.translate('dyno.editor.window.last', {
              defaultMessage: 'Documents of a time before now',
            }),
          },
          ...(own
            ? []
            : [
                {
                  value: NONE,
                  text: i18n.translate('dyno.editor.window.none', {
                    defaultMessage: 'All documents, for data that stands still',
                  }),
                },
              ]),
        ]}
      />
      {chosen === LAST ? (
        <Columns>
          <TextRow
            path={isShort ? path : [...path, 'last']}
            placeholder="15m"
            required
            label={i18n.translate('dyno.editor.window.length', { defaultMessage: 'How far back' })}
          />
          {isShort ? null : <WindowDetails path={path} own={own} />}
        </Columns>
      ) : null}
    </>
  );
}

function WindowDetails({ path, own }: { path: EditPath; own: boolean }): ReactNode {
  const { fields } = useKnown(useForm().values);
  return (
    <>
      <TextRow
        path={[...path, 'field']}
        required={own}
        suggestions={fields.filter(({ type }) => type.startsWith('date'))}
        placeholder={
          own
            ? '@timestamp'
            : i18n.translate('dyno.editor.window.ofSet', { defaultMessage: 'as in the list' })
        }
        label={i18n.translate('dyno.editor.window.field', { defaultMessage: 'Date field' })}
      />
      <SelectRow
        path={[...path, 'round']}
        fallback=""
        label={i18n.translate('dyno.editor.window.round', { defaultMessage: 'Rounded to' })}
        options={[
          { value: '', text: i18n.translate('dyno.editor.window.exact', { defaultMessage: 'nothing' }) },
          ...['second', 'minute', 'hour', 'day'].map((unit) => ({ value: unit, text: unit })),
        ]}
      />
    </>
  );
}
