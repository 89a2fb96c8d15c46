/** The form of the rule *Bulk rejection rate*: what it watches, where it begins to alert, and what it leaves out. */
import { EuiFlexGroup, EuiFlexItem, EuiFormRow, EuiSpacer, EuiSwitch } from '@elastic/eui';
import type { ReactNode } from 'react';
import { i18n } from '../i18n';
import { recoveryOf } from '../../common/alerting/params';
import { formatPercent } from '../../common/units/format';
import { NumberField, TextField } from './fields';
import { useForm } from './form-context';
import { Scope } from './scope';
import { TestPart } from './test-part';

function Thresholds(): ReactNode {
  const { params } = useForm();
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
                  defaultMessage: 'Half of the warning level if empty. Critical ends below {critical}.',
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
          help={i18n.translate('dyno.rule.window.help', { defaultMessage: 'Such as 90s, 5m or 1h.' })}
        />
      </EuiFlexItem>
      <EuiFlexItem>
        <NumberField
          name="minAttempts"
          label={i18n.translate('dyno.rule.minAttempts', { defaultMessage: 'Minimum attempts' })}
          help={i18n.translate('dyno.rule.minAttempts.help', {
            defaultMessage: 'With fewer in that time, the rule does not judge.',
          })}
        />
      </EuiFlexItem>
    </EuiFlexGroup>
  );
}

function Exceptions(): ReactNode {
  const { raw, set } = useForm();
  return (
    <>
      <EuiFormRow
        fullWidth
        helpText={i18n.translate('dyno.rule.silence.help', {
          defaultMessage:
            'Those whose definition says provokes-rejections: true, and searches for the highest rate. For nodes, the rule leaves out the time of such a run on their cluster.',
        })}
      >
        <EuiSwitch
          compressed
          label={i18n.translate('dyno.rule.silence', {
            defaultMessage: 'Ignore runs that provoke rejections on purpose',
          })}
          checked={raw['silenceProvoked'] !== false}
          onChange={({ target }) => set('silenceProvoked', target.checked)}
        />
      </EuiFormRow>
      <EuiFormRow
        fullWidth
        helpText={i18n.translate('dyno.rule.noData.help', {
          defaultMessage: 'For everything that sent data in the last day, or when there is no data at all.',
        })}
      >
        <EuiSwitch
          compressed
          label={i18n.translate('dyno.rule.noData', { defaultMessage: 'Alert when there is no data' })}
          checked={raw['noData'] === 'alert'}
          onChange={({ target }) => set('noData', target.checked ? 'alert' : 'nothing')}
        />
      </EuiFormRow>
    </>
  );
}

export function RuleForm(): ReactNode {
  return (
    <>
      <Scope />
      <EuiSpacer size="m" />
      <Thresholds />
      <EuiSpacer size="m" />
      <Window />
      <EuiSpacer size="m" />
      <Exceptions />
      <EuiSpacer size="l" />
      <TestPart />
      <EuiSpacer size="m" />
    </>
  );
}
