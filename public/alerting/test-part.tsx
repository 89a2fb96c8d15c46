/** The part of a rule form that tries the rule on past data before it is saved. */
import { EuiButton, EuiCallOut, EuiSpacer, EuiText } from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import type { Api } from '../../common/api';
import type { RouteRequest, RouteResponse } from '../../common/api/route';
import { useApiChange } from '../api/queries';
import { i18n } from '../i18n';
import { ProblemList } from '../ui/problems';
import { useForm } from './form-context';

interface TestPartProps<Name extends 'testRule' | 'testRegressionRule', Params> {
  /** Name of the route of Dyno's server that returns what the rule would have reported in the past. */
  route: Name;
  request(params: Params): RouteRequest<Api[Name]>;
  /** Text that explains the results. */
  help: string;
  outcome(answer: RouteResponse<Api[Name]>): ReactNode;
}

export function TestPart<Name extends 'testRule' | 'testRegressionRule', Params>({
  route,
  request,
  help,
  outcome,
}: TestPartProps<Name, Params>): ReactNode {
  const { params } = useForm<Params>();
  const [tried, setTried] = useState<Params | null>(null);
  const { mutate, data, error, isPending } = useApiChange(route);
  return (
    <>
      <EuiButton
        size="s"
        iconType="play"
        isLoading={isPending}
        isDisabled={params === null}
        onClick={() => {
          if (params === null) return;
          // React calls a function that it gets as new state, so the value is wrapped in a function.
          setTried(() => params);
          mutate(request(params));
        }}
      >
        {i18n.translate('dyno.rule.test', { defaultMessage: 'Test' })}
      </EuiButton>
      <EuiSpacer size="xs" />
      <EuiText size="xs" color="subdued">
        <p>{help}</p>
      </EuiText>
      <EuiSpacer size="s" />
      {error ? (
        <EuiCallOut
          size="s"
          color="danger"
          title={i18n.translate('dyno.rule.test.failed', { defaultMessage: 'The rule could not be tested' })}
        >
          <ProblemList problems={error.problems} />
        </EuiCallOut>
      ) : data && tried !== null ? (
        <div css={{ opacity: tried === params ? 1 : 0.6 }}>{outcome(data)}</div>
      ) : null}
    </>
  );
}

interface LevelChangesProps {
  /**
   * Changes of alerts from one level to another, such as from warning to critical. `reason`: a sentence that explains the change. The
   * newest change comes first.
   */
  changes: readonly { key: string; reason: string }[];
}

/** Maximum number of level changes (for example from warning to critical) that are shown as sentences. */
const MOST_SAID = 5;

export function LevelChanges({ changes }: LevelChangesProps): ReactNode {
  if (changes.length === 0) {
    return (
      <p>{i18n.translate('dyno.rule.test.quiet', { defaultMessage: 'The rule would not have alerted.' })}</p>
    );
  }
  return (
    <ul>
      {changes.slice(0, MOST_SAID).map(({ key, reason }) => (
        <li key={key}>{reason}</li>
      ))}
      {changes.length > MOST_SAID ? (
        <li>
          {i18n.translate('dyno.rule.test.more', {
            defaultMessage: 'and {count, plural, one {one change} other {# changes}} before',
            values: { count: changes.length - MOST_SAID },
          })}
        </li>
      ) : null}
    </ul>
  );
}
