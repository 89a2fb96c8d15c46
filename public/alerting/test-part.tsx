/** The part of the form that tries the rule on what is past, before it is saved. */
import { EuiButton, EuiCallOut, EuiSpacer, EuiText } from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import { windowMs, type RuleParams } from '../../common/alerting/params';
import type { RulePast } from '../../common/api/rules';
import { formatDuration } from '../../common/units/format';
import { useApiChange } from '../api/queries';
import { i18n } from '../i18n';
import { ProblemList } from '../ui/problems';
import { useForm } from './form-context';
import { PastTable } from './past-table';

/** As many as stand side by side in the host's narrow form. */
const WINDOWS = 10;

/** Each change of a level in a sentence, the newest first. */
const MOST_CHANGES = 5;

function Changes({ past }: { past: RulePast }): ReactNode {
  const changes = past.windows
    .flatMap(({ to, judgements }) =>
      judgements
        .filter(({ level, was }) => level !== was)
        .map(({ group, reason }) => ({ to, group, reason })),
    )
    .reverse();
  if (changes.length === 0) {
    return <p>{i18n.translate('dyno.rule.test.quiet', { defaultMessage: 'It would have said nothing.' })}</p>;
  }
  return (
    <ul>
      {changes.slice(0, MOST_CHANGES).map(({ to, group, reason }) => (
        <li key={`${to} ${group}`}>{reason}</li>
      ))}
      {changes.length > MOST_CHANGES ? (
        <li>
          {i18n.translate('dyno.rule.test.more', {
            defaultMessage: 'and {count, plural, one {one change} other {# changes}} before',
            values: { count: changes.length - MOST_CHANGES },
          })}
        </li>
      ) : null}
    </ul>
  );
}

function Outcome({ past }: { past: RulePast }): ReactNode {
  if (past.windows.every(({ judgements }) => judgements.length === 0)) {
    return (
      <EuiText size="s">
        <p>
          {i18n.translate('dyno.rule.test.nothing', {
            defaultMessage: 'There are no data of what it watches in that time.',
          })}
        </p>
      </EuiText>
    );
  }
  return (
    <>
      <PastTable past={past} />
      <EuiSpacer size="s" />
      <EuiText size="xs">
        <Changes past={past} />
      </EuiText>
    </>
  );
}

export function TestPart(): ReactNode {
  const { params } = useForm();
  const [tried, setTried] = useState<RuleParams | null>(null);
  const { mutate, data, error, isPending } = useApiChange('testRule');
  const span = params === null ? '' : formatDuration(WINDOWS * windowMs(params));
  return (
    <>
      <EuiButton
        size="s"
        iconType="play"
        isLoading={isPending}
        isDisabled={params === null}
        onClick={() => {
          if (params === null) return;
          setTried(params);
          mutate({ body: { params, windows: WINDOWS } });
        }}
      >
        {i18n.translate('dyno.rule.test', { defaultMessage: 'Test' })}
      </EuiButton>
      <EuiSpacer size="xs" />
      <EuiText size="xs" color="subdued">
        <p>
          {i18n.translate('dyno.rule.test.help', {
            defaultMessage:
              'What it would have said of the last {count} windows, {span} in all, one after the other.',
            values: { count: WINDOWS, span },
          })}
        </p>
      </EuiText>
      <EuiSpacer size="s" />
      {error ? (
        <EuiCallOut
          size="s"
          color="danger"
          title={i18n.translate('dyno.rule.test.failed', { defaultMessage: 'It could not be tested' })}
        >
          <ProblemList problems={error.problems} />
        </EuiCallOut>
      ) : data && tried ? (
        <div css={{ opacity: tried === params ? 1 : 0.6 }}>
          <Outcome past={data} />
        </div>
      ) : null}
    </>
  );
}
