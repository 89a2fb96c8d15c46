/** Lists experiments with performance changes that Dyno could not report to the configured webhook. */
import { EuiCallOut, EuiSpacer } from '@elastic/eui';
import type { ReactNode } from 'react';
import { useApi } from '../../api/queries';
import { i18n } from '../../i18n';
import { AppLink } from '../../ui/link';

const EVERY_MS = 15_000;

export function UndeliveredChanges(): ReactNode {
  const { data } = useApi('getStatus', {}, { every: EVERY_MS });
  const undelivered = data?.untold ?? [];
  if (undelivered.length === 0) return null;
  return (
    <>
      <EuiCallOut
        color="warning"
        iconType="bell"
        title={i18n.translate('dyno.runs.undelivered', {
          defaultMessage: 'The webhook has not accepted these changes',
        })}
      >
        <ul>
          {undelivered.map(({ experiment, name, run, why }) => (
            <li key={experiment}>
              <AppLink to={`/runs/${encodeURIComponent(run)}/result`}>{name}</AppLink>
              {`: ${why}`}
            </li>
          ))}
        </ul>
        <p>
          {i18n.translate('dyno.runs.undelivered.next', {
            defaultMessage:
              'The server tries again a few times, after the next scheduled run, and when it starts. The address of the webhook is DYNO_WEBHOOK in the environment of the server.',
          })}
        </p>
      </EuiCallOut>
      <EuiSpacer />
    </>
  );
}
