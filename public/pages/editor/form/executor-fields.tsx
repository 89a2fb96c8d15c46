/** How a task is paced: a number of clients, or a number of requests a second, steady or rising. */
import { EuiFormRow, EuiSelect, EuiSpacer, EuiSuperSelect, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { ExecutorDefinition } from '../../../../common/experiment/definition';
import type { EditPath } from '../../../../common/experiment/text/edit';
import { i18n } from '../../../i18n';
import { asRecord, useErrors, useForm } from './context';
import { NumberRow, TextRow } from './fields';
import { HighestRateFields } from './highest-rate-fields';
import { Columns } from './part';
import { Stages } from './stages';

type Kind = keyof ExecutorDefinition;

/** What each kind begins with when it is chosen. */
const FIRST: Record<Kind, object> = {
  'constant-clients': { clients: 2 },
  'ramping-clients': { start: 1, stages: [{ clients: 8, over: '2m' }] },
  'constant-rate': { rate: 10 },
  'ramping-rate': { start: 1, stages: [{ rate: 50, over: '2m' }] },
  recorded: { speed: 1 },
  'highest-rate': { start: 10, limits: ['latency.p99 < 500ms', 'rejection_rate < 0.1%'] },
};

const kinds = (replays: boolean): { value: Kind; title: string; text: string }[] => [
  ...(replays
    ? [
        {
          value: 'recorded' as const,
          title: i18n.translate('dyno.editor.executor.recorded', { defaultMessage: 'As recorded' }),
          text: i18n.translate('dyno.editor.executor.recordedText', {
            defaultMessage:
              'Each search at its time in the log, or so many times faster, however slow the answers are.',
          }),
        },
      ]
    : []),
  {
    value: 'constant-clients',
    title: i18n.translate('dyno.editor.executor.clients', { defaultMessage: 'Steady number of clients' }),
    text: i18n.translate('dyno.editor.executor.clientsText', {
      defaultMessage:
        'Each sends its next request when the last one is answered: finds how much the cluster can take.',
    }),
  },
  {
    value: 'ramping-clients',
    title: i18n.translate('dyno.editor.executor.rampingClients', {
      defaultMessage: 'Changing number of clients',
    }),
    text: i18n.translate('dyno.editor.executor.rampingClientsText', {
      defaultMessage: 'From stage to stage: finds where more clients bring nothing more.',
    }),
  },
  {
    value: 'constant-rate',
    title: i18n.translate('dyno.editor.executor.rate', { defaultMessage: 'Steady rate' }),
    text: i18n.translate('dyno.editor.executor.rateText', {
      defaultMessage:
        'So many requests a second, however slow the answers are: finds response times under a given load.',
    }),
  },
  {
    value: 'ramping-rate',
    title: i18n.translate('dyno.editor.executor.rampingRate', { defaultMessage: 'Changing rate' }),
    text: i18n.translate('dyno.editor.executor.rampingRateText', {
      defaultMessage: 'From stage to stage: finds the rate at which response times break away.',
    }),
  },
  {
    value: 'highest-rate',
    title: i18n.translate('dyno.editor.executor.highestRate', { defaultMessage: 'Highest sustained rate' }),
    text: i18n.translate('dyno.editor.executor.highestRateText', {
      defaultMessage:
        'Searches for the most requests a second within limits that you state, and holds them to confirm it.',
    }),
  },
];

/** A steady rate, by the second or by the time between two. */
function RateFields({ path, executor }: { path: EditPath; executor: Record<string, unknown> }): ReactNode {
  const { edit, disabled } = useForm();
  const isEvery = executor['every'] !== undefined;
  const errors = useErrors(path);
  return (
    <Columns>
      <EuiFormRow
        label={i18n.translate('dyno.editor.executor.rateBy', { defaultMessage: 'The rate is given as' })}
        isInvalid={errors.length > 0}
        error={errors}
      >
        <EuiSelect
          disabled={disabled}
          value={isEvery ? 'every' : 'rate'}
          onChange={({ target }) =>
            edit([
              { path: [...path, target.value], value: target.value === 'every' ? '5s' : 10 },
              { path: [...path, isEvery ? 'every' : 'rate'], remove: true },
            ])
          }
          options={[
            {
              value: 'rate',
              text: i18n.translate('dyno.editor.executor.byRate', { defaultMessage: 'So many a second' }),
            },
            {
              value: 'every',
              text: i18n.translate('dyno.editor.executor.byInterval', {
                defaultMessage: 'One at an interval',
              }),
            },
          ]}
        />
      </EuiFormRow>
      {isEvery ? (
        <TextRow
          path={[...path, 'every']}
          placeholder="5s"
          required
          label={i18n.translate('dyno.editor.executor.every', { defaultMessage: 'One every' })}
        />
      ) : (
        <NumberRow
          path={[...path, 'rate']}
          min={0}
          step="any"
          label={i18n.translate('dyno.editor.executor.perSecond', { defaultMessage: 'Requests per second' })}
        />
      )}
    </Columns>
  );
}

interface KindFieldsProps {
  path: EditPath;
  kind: Kind;
  executor: Record<string, unknown>;
}

function KindFields({ path, kind, executor }: KindFieldsProps): ReactNode {
  const thinkTime = (
    <TextRow
      path={[...path, 'think-time']}
      placeholder="0ms"
      label={i18n.translate('dyno.editor.executor.think', { defaultMessage: 'Pause between requests' })}
    />
  );
  const maxClients = (
    <NumberRow
      path={[...path, 'max-clients']}
      min={1}
      placeholder="1000"
      label={i18n.translate('dyno.editor.executor.maxClients', { defaultMessage: 'Most requests in flight' })}
    />
  );
  const start = (
    <NumberRow
      path={[...path, 'start']}
      min={0}
      step="any"
      placeholder="0"
      label={i18n.translate('dyno.editor.executor.start', { defaultMessage: 'Begins with' })}
    />
  );
  switch (kind) {
    case 'constant-clients':
      return (
        <Columns>
          <NumberRow
            path={[...path, 'clients']}
            min={1}
            label={i18n.translate('dyno.editor.executor.count', { defaultMessage: 'Clients' })}
          />
          {thinkTime}
        </Columns>
      );
    case 'constant-rate':
      return (
        <>
          <RateFields path={path} executor={executor} />
          <Columns>{maxClients}</Columns>
        </>
      );
    case 'recorded':
      return (
        <Columns>
          <NumberRow
            path={[...path, 'speed']}
            min={0}
            step="any"
            placeholder="1"
            label={i18n.translate('dyno.editor.executor.speed', { defaultMessage: 'Speed' })}
            help={i18n.translate('dyno.editor.executor.speedHelp', {
              defaultMessage: '2 sends the log in half of its time.',
            })}
          />
          {maxClients}
        </Columns>
      );
    case 'highest-rate':
      return <HighestRateFields path={path} />;
    case 'ramping-clients':
      return (
        <>
          <Columns>
            {start}
            {thinkTime}
          </Columns>
          <Stages path={[...path, 'stages']} unit="clients" />
        </>
      );
    case 'ramping-rate':
      return (
        <>
          <Columns>
            {start}
            {maxClients}
          </Columns>
          <Stages path={[...path, 'stages']} unit="rate" />
        </>
      );
  }
}

export function ExecutorFields({ at, task }: { at: number; task: Record<string, unknown> }): ReactNode {
  const { edit, disabled } = useForm();
  const path: EditPath = ['tasks', at, 'executor'];
  const errors = useErrors(path);
  const executors = asRecord(task['executor']);
  const given = Object.keys(executors);
  const all = kinds(task['replay'] !== undefined || given.includes('recorded'));
  const kind = all.find(({ value }) => given.includes(value))?.value ?? 'constant-clients';
  const label = i18n.translate('dyno.editor.executor.label', { defaultMessage: 'Load' });
  return (
    <>
      <EuiSpacer size="m" />
      <EuiFormRow
        fullWidth
        label={label}
        isInvalid={errors.length > 0}
        error={errors}
        css={{ marginBlockEnd: 16 }}
      >
        <EuiSuperSelect<Kind>
          fullWidth
          disabled={disabled}
          isInvalid={errors.length > 0}

          valueOfSelected={kind}
          onChange={(value) => edit([{ path, value: { [value]: FIRST[value] } }])}
          options={all.map(({ value, title, text }) => ({
            value,
            inputDisplay: title,
            dropdownDisplay: (
              <>
                <strong>{title}</strong>
                <EuiText size="s" color="subdued">
                  <p>{text}</p>
                </EuiText>
              </>
            ),
          }))}
        />
      </EuiFormRow>
      <KindFields path={[...path, kind]} kind={kind} executor={asRecord(executors[kind])} />
    </>
  );
}
