/** Leads to the form of a new alert, filled in. */
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

/** What a page has among its buttons; nothing where the host has no alerts, or none for the user. */
export function useRulesButton(
  scope: RuleScope,
  rule: RuleTypeId = 'dyno.bulkRejectionRate',
  /** That of the buttons beside it. */
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
