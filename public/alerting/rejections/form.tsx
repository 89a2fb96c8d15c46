/** The form of the rule *Bulk rejection rate*: scope, thresholds and exclusions. */
import { EuiCallOut, EuiFlexGroup, EuiFlexItem, EuiSpacer } from '@elastic/eui';
import type { ReactNode } from 'react';
import { i18n } from '../../i18n';
import { recoveryOf, type RejectionParams } from '../../../common/alerting/rejections/params';
import { formatPercent } from '../../../common/units/format';
import { NumberField, SwitchField, TextField } from '../fields';
import { useForm } from '../form-context';
import { Scope } from './scope';
import { RejectionTest } from './test';

function Thresholds(): ReactNode {
  const { params } = useForm<RejectionParams>();
  return (
    <EuiFlexGroup gutterSize="m">
      <EuiFlexItem>
        <NumberField
          name="warning"
          label={i18n.translate('dyno.rule.warning', { defaultMessage: 'Warning from' })}
          append="%"
          scale={100}
        />
      </EuiFlexItem>
      <EuiFlexItem>
        <NumberField
          name="critical"
          label={i18n.translate('dyno.rule.critical', { defaultMessage: 'Critical from' })}
          append="%"
          scale={100}
        />
      </EuiFlexItem>
      <EuiFlexItem>
        <NumberField
          name="recovery"
          label={i18n.translate('dyno.rule.recovery', { defaultMessage: 'Recovered below' })}
          help={
            params === null
              ? undefined
              : i18n.translate('dyno.rule.recovery.help', {
                  defaultMessage:
                    'If empty, half of the warning level. The level Critical ends below {critical}.',
                  values: { critical: formatPercent(recoveryOf(params).critical) },
                })
          }
          placeholder={params === null ? '' : String(Number((params.warning * 50).toPrecision(6)))}
          append="%"
          scale={100}
          optional
        />
      </EuiFlexItem>
    </EuiFlexGroup>
  );
}

function Window(): ReactNode {
  return (
    <EuiFlexGroup gutterSize="m">
      <EuiFlexItem>
        <TextField
          name="window"
          label={i18n.translate('dyno.rule.window', { defaultMessage: 'Time window' })}
          help={i18n.translate('dyno.rule.window.help', { defaultMessage: 'For example 90s, 5m or 1h.' })}
        />
      </EuiFlexItem>
      <EuiFlexItem>
        <NumberField
          name="minAttempts"
          label={i18n.translate('dyno.rule.minAttempts', { defaultMessage: 'Minimum attempts' })}
          help={i18n.translate('dyno.rule.minAttempts.help', {
            defaultMessage: 'If there are fewer in that time, the rule does not alert.',
          })}
        />
      </EuiFlexItem>
    </EuiFlexGroup>
  );
}

function Exceptions(): ReactNode {
  return (
    <>
      <SwitchField
        name="silenceProvoked"
        on={true}
        off={false}
        label={i18n.translate('dyno.rule.silence', {
          defaultMessage: 'Ignore runs that provoke rejections on purpose',
        })}
        help={i18n.translate('dyno.rule.silence.help', {
          defaultMessage:
            'These are runs whose definition contains provokes-rejections: true, and searches for the highest rate. If the rule watches nodes, it ignores the time of such a run on their cluster.',
        })}
      />
      <SwitchField
        name="noData"
        on="alert"
        off="nothing"
        label={i18n.translate('dyno.rule.noData', { defaultMessage: 'Alert when there is no data' })}
        help={i18n.translate('dyno.rule.noData.help', {
          defaultMessage:
            'Alerts for each group that sent data in the last day and no longer does, or if there is no data at all.',
        })}
      />
    </>
  );
}

/** Explains that an action of a Kibana rule runs for only one level of alerts, such as critical. A new action gets the default level. */
function LevelsHint(): ReactNode {
  return (
    <EuiCallOut
      announceOnMount={false}
      size="s"
      iconType="bell"
      title={i18n.translate('dyno.rule.levels', {
        defaultMessage: 'Add one action for each level that should notify you',
      })}
    >
      <p>
        {i18n.translate('dyno.rule.levels.help', {
          defaultMessage:
            'Kibana runs an action for one level only. A new action runs for Critical. If you add no action for Warning, nobody is notified of a rate between the two thresholds.',
        })}
      </p>
    </EuiCallOut>
  );
}

export function RejectionForm(): ReactNode {
  return (
    <>
      <Scope />
      <EuiSpacer size="m" />
      <Thresholds />
      <EuiSpacer size="s" />
      <LevelsHint />
      <EuiSpacer size="m" />
      <Window />
      <EuiSpacer size="m" />
      <Exceptions />
      <EuiSpacer size="l" />
      <RejectionTest />
      <EuiSpacer size="m" />
    </>
  );
}
