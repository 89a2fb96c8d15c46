/** When the experiment runs by itself. */
import type { ReactNode } from 'react';
import { scheduleWords, type ScheduleSetting } from '../../../../common/experiment/schedule';
import { i18n } from '../../../i18n';
import { ScheduleFields } from '../schedule/fields';
import { asText, useField } from './context';
import { FormPart } from './part';

/** What stands in the text may be anything. */
const settingOf = (value: unknown): ScheduleSetting =>
  typeof value === 'object' && value !== null && 'cron' in value && typeof value.cron === 'string'
    ? (value as ScheduleSetting)
    : asText(value);

export function SchedulePart(): ReactNode {
  const { value, set, disabled } = useField(['schedule']);
  return (
    <FormPart
      title={i18n.translate('dyno.editor.schedule.title', { defaultMessage: 'Schedule' })}
      roots={['schedule']}
      startsOpen={false}
      summary={
        value === undefined
          ? i18n.translate('dyno.editor.schedule.none', { defaultMessage: 'Only when started by hand' })
          : scheduleWords(settingOf(value))
      }
    >
      <ScheduleFields
        value={value === undefined ? null : settingOf(value)}
        disabled={disabled}
        onChange={(next) => set(next ?? undefined)}
      />
    </FormPart>
  );
}
