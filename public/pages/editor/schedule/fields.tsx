/** Fields of an experiment's schedule, as choices or as a cron expression. */
import { EuiFieldNumber, EuiFieldText, EuiFormRow, EuiSelect, EuiText, EuiTextArea } from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import {
  dueTimes,
  expressionOf,
  isOnce,
  isOver,
  onceAt,
  onceExpression,
  rhythmOf,
  scheduleOf,
  scheduleProblem,
  scheduleWords,
  UTC,
  withSchedule,
  type Rhythm,
  type ScheduleSetting,
  type WhenMissed,
} from '../../../../common/experiment/schedule';
import { parseQuiet, wallClock } from '../../../../common/experiment/quiet';
import { describeProblem } from '../../../../common/problem';
import { useApp } from '../../../app/context';
import { i18n } from '../../../i18n';
import { Time } from '../../../ui/time';
import { DaysOfWeek } from './days';
import { TimeOfDay } from './time-of-day';

type Choice = 'never' | 'once' | Rhythm['every'] | 'interval' | 'cron';

const choices = (): { value: Choice; text: string }[] => [
  {
    value: 'never',
    text: i18n.translate('dyno.schedule.never', { defaultMessage: 'Only when started manually' }),
  },
  { value: 'once', text: i18n.translate('dyno.schedule.once', { defaultMessage: 'Once' }) },
  { value: 'hour', text: i18n.translate('dyno.schedule.hour', { defaultMessage: 'Every hour' }) },
  { value: 'day', text: i18n.translate('dyno.schedule.day', { defaultMessage: 'Every day' }) },
  { value: 'week', text: i18n.translate('dyno.schedule.week', { defaultMessage: 'On days of the week' }) },
  { value: 'month', text: i18n.translate('dyno.schedule.month', { defaultMessage: 'Once a month' }) },
  {
    value: 'interval',
    text: i18n.translate('dyno.schedule.interval', { defaultMessage: 'At an interval' }),
  },
  { value: 'cron', text: i18n.translate('dyno.schedule.cron', { defaultMessage: 'Cron expression' }) },
];

const FIRST: Record<Exclude<Choice, 'never' | 'once'>, string> = {
  hour: '0 * * * *',
  day: '0 2 * * *',
  week: '0 2 * * 1',
  month: '0 2 1 * *',
  interval: 'every 6h',
  cron: '0 */6 * * *',
};

const DAY_MS = 24 * 60 * 60_000;

/**
 * Returns the schedule that the form shows first after the user has chosen how often runs start. For a single run, this is 2 a.m. tomorrow.
 */
const firstOf = (choice: Exclude<Choice, 'never'>): string =>
  choice === 'once'
    ? onceExpression(`${new Date(Date.now() + DAY_MS).toISOString().slice(0, 10)}T02:00`)
    : FIRST[choice];

const INTERVAL = /^\s*every\s*/;

const isInterval = (value: string): boolean => INTERVAL.test(value);

function choiceOf(value: string | null, rhythm: Rhythm | undefined, asCron: boolean): Choice {
  if (value === null) return 'never';
  if (isInterval(value)) return 'interval';
  if (isOnce(value)) return 'once';
  return asCron || !rhythm ? 'cron' : rhythm.every;
}

interface ScheduleFieldsProps {
  /** The schedule; null if the experiment has no schedule. */
  value: ScheduleSetting | null;
  onChange: (value: ScheduleSetting | null) => void;
  disabled?: boolean;
}

/** Shows the next times of a schedule in the user's time zone. */
export function NextTimes({ value }: { value: ScheduleSetting }): ReactNode {
  const { zone } = scheduleOf(value);
  const now = new Date();
  const times = dueTimes(value, 3, now);
  if (isOver(value, now))
    return (
      <EuiText size="s">
        <p>
          {scheduleWords(value)}.{' '}
          {i18n.translate('dyno.schedule.over', {
            defaultMessage:
              'This time has passed, so no run will start. To run the experiment again, choose a later time.',
          })}
        </p>
      </EuiText>
    );
  if (times.length === 0) return null;
  return (
    <EuiText size="s">
      <p>
        {scheduleWords(value)}.{' '}
        {zone === UTC
          ? i18n.translate('dyno.schedule.next', { defaultMessage: 'Next, in your time:' })
          : i18n.translate('dyno.schedule.nextInBoth', {
              defaultMessage: 'Next, in your time and in {zone}:',
              values: { zone },
            })}
      </p>
      <ul>
        {times.map((time) => (
          <li key={time.getTime()}>
            <Time iso={time.toISOString()} />
            {zone === UTC ? null : ` (${wallClock(time.getTime(), zone)})`}
          </li>
        ))}
      </ul>
    </EuiText>
  );
}

/** Fields for the date and time of a schedule with a single run, in the schedule's time zone. */
function OnceField({
  value,
  zone,
  errors,
  onChange,
  disabled,
}: {
  value: string;
  zone: string;
  errors: readonly string[];
  onChange: (expression: string) => void;
  disabled: boolean;
}): ReactNode {
  return (
    <EuiFormRow
      label={i18n.translate('dyno.schedule.onceAt', { defaultMessage: 'Date and time' })}
      isInvalid={errors.length > 0}
      error={errors}
    >
      <EuiFieldText
        type={'datetime-local' as 'text'}
        append={zone}
        disabled={disabled}
        isInvalid={errors.length > 0}
        value={onceAt(value) ?? ''}
        onChange={({ target }) => onChange(onceExpression(target.value.slice(0, 16)))}
      />
    </EuiFormRow>
  );
}

function Details({
  rhythm,
  zone,
  onChange,
  disabled,
}: {
  rhythm: Rhythm;
  zone: string;
  onChange: (next: Rhythm) => void;
  disabled: boolean;
}): ReactNode {
  return (
    <>
      {rhythm.every === 'week' ? (
        <DaysOfWeek
          days={rhythm.days}
          disabled={disabled}
          onChange={(days) => onChange({ ...rhythm, days })}
        />
      ) : null}
      {rhythm.every === 'month' ? (
        <EuiFormRow
          label={i18n.translate('dyno.schedule.dayOfMonth', { defaultMessage: 'Day of the month' })}
        >
          <EuiFieldNumber
            min={1}
            max={31}
            disabled={disabled}
            value={rhythm.day}
            onChange={({ target }) => {
              const day = Number(target.value);
              if (day >= 1 && day <= 31) onChange({ ...rhythm, day });
            }}
          />
        </EuiFormRow>
      ) : null}
      <TimeOfDay rhythm={rhythm} zone={zone} disabled={disabled} onChange={onChange} />
    </>
  );
}

/** Says that scheduled runs use the privileges of the user who last saved the experiment. */
function ActsAs(): ReactNode {
  return (
    <EuiText size="s" color="subdued">
      <p>
        {i18n.translate('dyno.schedule.actsAs', {
          defaultMessage:
            'Scheduled runs use an API key with the rights of the user who last saved the experiment. Each save creates a new key. If you remove the schedule, the key becomes invalid.',
        })}
      </p>
    </EuiText>
  );
}

const asObject = (setting: ScheduleSetting): Exclude<ScheduleSetting, string> =>
  typeof setting === 'string' ? { cron: setting } : setting;

/** Returns the time zones to choose from: those that the browser knows, and the zone of the schedule. */
const zonesWith = (zone: string): string[] => [
  ...new Set([UTC, zone, ...Intl.supportedValuesOf('timeZone')]),
];

/** Fields of the time zone and of the quiet periods, in which no runs are started. */
function ZoneAndQuiet({
  setting,
  onChange,
  disabled,
}: {
  setting: ScheduleSetting;
  onChange: (next: ScheduleSetting) => void;
  disabled: boolean;
}): ReactNode {
  const { zone, quiet } = scheduleOf(setting);
  // The typed text is kept, because the user may still complete an empty line.
  const [text, setText] = useState(quiet.join('\n'));
  const wrong = quiet.filter((period) => parseQuiet(period) === undefined);
  return (
    <>
      <EuiFormRow label={i18n.translate('dyno.schedule.zone', { defaultMessage: 'Time zone' })}>
        <EuiSelect
          options={zonesWith(zone).map((name) => ({ value: name, text: name }))}
          value={zone}
          disabled={disabled}
          onChange={({ target }) => onChange(withSchedule(setting, { zone: target.value }))}
        />
      </EuiFormRow>
      <EuiFormRow
        label={i18n.translate('dyno.schedule.quiet', { defaultMessage: 'Quiet periods' })}
        helpText={i18n.translate('dyno.schedule.quietHelp', {
          defaultMessage:
            'No scheduled run starts in these periods. One period per line: Mon-Fri 08:00-18:00, or 2026-12-20 to 2027-01-03.',
        })}
        isInvalid={wrong.length > 0}
        error={wrong.map((period) =>
          i18n.translate('dyno.schedule.quietWrong', {
            defaultMessage: '{period} is not a quiet period',
            values: { period },
          }),
        )}
      >
        <EuiTextArea
          rows={2}
          value={text}
          disabled={disabled}
          isInvalid={wrong.length > 0}
          onChange={({ target }) => {
            setText(target.value);
            const periods = target.value.split('\n').map((line) => line.trim());
            onChange(withSchedule(setting, { quiet: periods.filter(Boolean) }));
          }}
        />
      </EuiFormRow>
    </>
  );
}

/** Field for what the server does if it was not running when a run was due. */
function WhenMissed({
  setting,
  onChange,
  disabled,
}: {
  setting: ScheduleSetting;
  onChange: (next: ScheduleSetting) => void;
  disabled: boolean;
}): ReactNode {
  return (
    <EuiFormRow
      label={i18n.translate('dyno.schedule.whenMissed', { defaultMessage: 'When a time is missed' })}
      helpText={i18n.translate('dyno.schedule.whenMissedHelp', {
        defaultMessage:
          'A time is missed if the server or Kibana was not running. Dyno reports missed times in any case.',
      })}
    >
      <EuiSelect
        options={[
          {
            value: 'run-once',
            text: i18n.translate('dyno.schedule.runOnce', {
              defaultMessage: 'Start one run for the last missed time as soon as possible',
            }),
          },
          {
            value: 'skip',
            text: isOnce(scheduleOf(setting).expression)
              ? i18n.translate('dyno.schedule.skipOnce', { defaultMessage: 'Start no run' })
              : i18n.translate('dyno.schedule.skip', { defaultMessage: 'Start no run until the next time' }),
          },
        ]}
        value={scheduleOf(setting).whenMissed}
        disabled={disabled}
        onChange={({ target }) => onChange(withSchedule(setting, { whenMissed: target.value as WhenMissed }))}
      />
    </EuiFormRow>
  );
}

export function ScheduleFields({
  value: setting,
  onChange: onSetting,
  disabled = false,
}: ScheduleFieldsProps): ReactNode {
  const value = setting === null ? null : scheduleOf(setting).expression;
  const onChange = (expression: string | null): void =>
    onSetting(
      expression === null ? null : setting === null ? expression : withSchedule(setting, { expression }),
    );
  const { host } = useApp();
  const rhythm = value === null ? undefined : rhythmOf(value);
  const [asCron, setAsCron] = useState(
    value !== null && !isInterval(value) && !isOnce(value) && rhythm === undefined,
  );
  const zone = setting === null ? UTC : scheduleOf(setting).zone;
  const choice: Choice = choiceOf(value, rhythm, asCron);
  const problem =
    setting === null ? undefined : scheduleProblem({ ...asObject(setting), quiet: [] })?.problems[0];
  const errors = problem ? [describeProblem({ ...problem, path: '' })] : [];
  return (
    <>
      <EuiFormRow label={i18n.translate('dyno.schedule.label', { defaultMessage: 'Runs' })}>
        <EuiSelect
          options={choices()}
          value={choice}
          disabled={disabled}
          onChange={({ target }) => {
            const next = target.value as Choice;
            setAsCron(next === 'cron');
            onChange(next === 'never' ? null : next === 'cron' && rhythm ? value : firstOf(next));
          }}
        />
      </EuiFormRow>
      {choice === 'once' && value !== null ? (
        <OnceField value={value} zone={zone} errors={errors} disabled={disabled} onChange={onChange} />
      ) : choice === 'cron' ? (
        <EuiFormRow
          label={i18n.translate('dyno.schedule.expression', { defaultMessage: 'Cron expression' })}
          isInvalid={errors.length > 0}
          error={errors}
          helpText={i18n.translate('dyno.schedule.expressionHelp', {
            defaultMessage: 'Minute, hour, day of the month, month, day of the week.',
          })}
        >
          <EuiFieldText
            className="eui-textFontMono"
            value={value ?? ''}
            disabled={disabled}
            isInvalid={errors.length > 0}
            onChange={({ target }) => onChange(target.value)}
          />
        </EuiFormRow>
      ) : choice === 'interval' ? (
        <EuiFormRow
          label={i18n.translate('dyno.schedule.length', { defaultMessage: 'Interval' })}
          isInvalid={errors.length > 0}
          error={errors}
          helpText={i18n.translate('dyno.schedule.lengthHelp', {
            defaultMessage:
              'At least one minute, such as 90m, 6h or 2d. If the interval divides a day evenly, it counts from midnight UTC.',
          })}
        >
          <EuiFieldText
            value={(value ?? '').replace(INTERVAL, '')}
            disabled={disabled}
            isInvalid={errors.length > 0}
            onChange={({ target }) => onChange(`every ${target.value}`)}
          />
        </EuiFormRow>
      ) : rhythm ? (
        <Details
          rhythm={rhythm}
          zone={zone}
          disabled={disabled}
          onChange={(next) => onChange(expressionOf(next))}
        />
      ) : null}
      {setting === null ? null : <ZoneAndQuiet setting={setting} disabled={disabled} onChange={onSetting} />}
      {setting === null ? null : <WhenMissed setting={setting} disabled={disabled} onChange={onSetting} />}
      {setting === null ? null : (
        <div css={{ marginBlockStart: 16 }}>
          <NextTimes value={setting} />
          {host.hasRoles ? <ActsAs /> : null}
        </div>
      )}
    </>
  );
}
