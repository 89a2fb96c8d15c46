/** The part of the rule's form that shows what the rule would have reported in the last time windows. */
import { EuiSpacer, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import { windowMs, type RejectionParams } from '../../../common/alerting/rejections/params';
import type { RulePast } from '../../../common/api/rules';
import { formatDuration } from '../../../common/units/format';
import { i18n } from '../../i18n';
import { useForm } from '../form-context';
import { LevelChanges, TestPart } from '../test-part';
import { PastTable } from './past-table';

/** Number of past checks in the table. More squares would not fit into Kibana's narrow form for rules. */
const WINDOWS = 10;

function Outcome({ past }: { past: RulePast }): ReactNode {
  if (past.windows.every(({ judgements }) => judgements.length === 0)) {
    return (
      <EuiText size="s">
        <p>
          {i18n.translate('dyno.rule.test.nothing', {
            defaultMessage: 'There is no data for this rule in this time.',
          })}
        </p>
      </EuiText>
    );
  }
  const changes = past.windows.flatMap(({ to, judgements }) =>
    judgements
      .filter(({ level, was }) => level !== was)
      .map(({ group, reason }) => ({ key: `${to} ${group}`, reason })),
  );
  return (
    <>
      <PastTable past={past} />
      <EuiSpacer size="s" />
      <EuiText size="xs">
        <LevelChanges changes={changes.reverse()} />
      </EuiText>
    </>
  );
}

export function RejectionTest(): ReactNode {
  const { params } = useForm<RejectionParams>();
  const span = params === null ? '' : formatDuration(WINDOWS * windowMs(params));
  return (
    <TestPart<'testRule', RejectionParams>
      route="testRule"
      request={(tried) => ({ body: { params: tried, windows: WINDOWS } })}
      help={i18n.translate('dyno.rule.test.help', {
        defaultMessage: 'Evaluates the rule for each of the last {count} windows, {span} in total.',
        values: { count: WINDOWS, span },
      })}
      outcome={(past) => <Outcome past={past} />}
    />
  );
}
