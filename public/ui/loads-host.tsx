/** Warns if a run puts load on the cluster that Kibana itself uses. Shows nothing for other targets, or outside Kibana. */
import { EuiCallOut, EuiSpacer } from '@elastic/eui';
import type { ReactNode } from 'react';
import { LOCAL_TARGET } from '../../common/api/targets';
import { useApp } from '../app/context';

export function LoadsHost({ target }: { target: unknown }): ReactNode {
  const { loadsItself } = useApp().host;
  if (loadsItself === undefined || target !== LOCAL_TARGET) return null;
  const { title, text } = loadsItself();
  return (
    <>
      <EuiCallOut size="s" color="warning" iconType="warning" title={title}>
        <p>{text}</p>
      </EuiCallOut>
      <EuiSpacer size="m" />
    </>
  );
}
