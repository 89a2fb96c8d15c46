/** The way to where alerts are made, in a host that has them. */
import { EuiButtonEmpty } from '@elastic/eui';
import type { ReactNode } from 'react';
import { useApp } from '../../app/context';
import { i18n } from '../../i18n';

/** What a page has among its buttons; none where there are no alerts. */
export function useRulesLink(): ReactNode[] {
  const { rules } = useApp().host;
  if (rules === undefined) return [];
  return [
    <EuiButtonEmpty
      key="rules"
      iconType="bell"
      href={rules.href}
      onClick={({ nativeEvent }: React.MouseEvent) => rules.onClick(nativeEvent)}
    >
      {i18n.translate('dyno.runs.rules', { defaultMessage: 'Alert on rejections' })}
    </EuiButtonEmpty>,
  ];
}
