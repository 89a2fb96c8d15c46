/** Leads to the form of a new alert on bulk rejections, filled in. */
import { EuiButtonEmpty } from '@elastic/eui';
import type { MouseEvent, ReactNode } from 'react';
import { useApp } from '../app/context';
import type { RuleScope } from '../app/host';
import { i18n } from '../i18n';

/** What a page has among its buttons; nothing where the host has no alerts, or none for the user. */
export function useRulesButton(scope: RuleScope): ReactNode[] {
  const { rules } = useApp().host;
  if (rules === undefined) return [];
  const { href, onClick } = rules.linkTo(scope);
  return [
    <EuiButtonEmpty
      key="rules"
      iconType="bell"
      href={href}
      onClick={({ nativeEvent }: MouseEvent) => onClick(nativeEvent)}
    >
      {i18n.translate('dyno.rules.create', { defaultMessage: 'Alert on rejections' })}
    </EuiButtonEmpty>,
  ];
}
