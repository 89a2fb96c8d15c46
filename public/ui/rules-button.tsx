/** A link to the form for a new alert, with its fields filled in. */
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

/** Returns the button for the header of a page. Returns nothing outside Kibana, or if the user may not use alert rules. */
export function useRulesButton(
  scope: RuleScope,
  rule: RuleTypeId = 'dyno.bulkRejectionRate',
  /** Size of the button, which should be that of the other buttons in the header. */
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
