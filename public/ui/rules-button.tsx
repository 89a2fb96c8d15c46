/** A link to Kibana's form for a new alert rule, in which some fields are already filled in. */
import { EuiButtonEmpty } from '@elastic/eui';
import type { MouseEvent, ReactNode } from 'react';
import type { RuleTypeId } from '../../common/alerting/rule-types';
import { useApp } from '../app/context';
import type { RuleScope } from '../app/host';
import { i18n } from '../i18n';

const BUTTONS: Readonly<Record<RuleTypeId, () => string>> = {
  'dyno.bulkRejectionRate': () =>
    i18n.translate('dyno.rules.create', { defaultMessage: 'Alert on rejections' }),
  'dyno.experimentRegression': () =>
    i18n.translate('dyno.rules.regressions', { defaultMessage: 'Alert on regressions' }),
};

/** Returns the button as a list for the header of a page. The list is empty outside Kibana, or if the user may not use alert rules. */
export function useRulesButton(
  scope: RuleScope,
  rule: RuleTypeId = 'dyno.bulkRejectionRate',
  /** Size of the button. It should be the same as for the other buttons in the header. */
  size: 's' | 'm' = 'm',
): ReactNode[] {
  const { rules } = useApp().host;
  if (rules === undefined) return [];
  const { href, onClick } = rules.linkTo(rule, scope);
  return [
    <EuiButtonEmpty
      key={rule}
      size={size}
      iconType="bell"
      href={href}
      onClick={({ nativeEvent }: MouseEvent) => onClick(nativeEvent)}
    >
      {BUTTONS[rule]()}
    </EuiButtonEmpty>,
  ];
}
