/**
 * A panel at the top of all pages while Dyno's server is starting. It shows the steps of the start, the progress and failures. After the
 * start, all data on the page are requested again.
 */
import { EuiCallOut, EuiIcon, EuiLoadingSpinner, EuiProgress } from '@elastic/eui';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import type { Start } from '../../common/api/host';
import { formatDuration } from '../../common/units/format';
import { isStarting, useApi } from '../api/queries';
import { i18n } from '../i18n';

const EVERY_MS = 1000;

const LOOK = { done: 'checkCircle', failed: 'crossCircle' } as const;

/** Returns the duration of a step, such as `8s`. For the current step, its progress comes first if it is known, such as `40%, 8s`. */
function lengthOf({ state, tookMs, share }: Start['steps'][number]): string {
  if (state !== 'under-way') return formatDuration(tookMs);
  const took = formatDuration(tookMs);
  return share === null ? took : `${Math.floor(100 * share)}%, ${took}`;
}

function Steps({ steps }: { steps: Start['steps'] }): ReactNode {
  return (
    <ol css={{ listStyle: 'none', margin: 0, padding: 0 }}>
      {steps.map((step, at) => (
        <li key={at} css={{ display: 'flex', alignItems: 'center', gap: 8, paddingBlock: 2 }}>
          {step.state === 'under-way' ? (
            <EuiLoadingSpinner size="m" />
          ) : (
            <EuiIcon
              type={LOOK[step.state]}
              color={step.state === 'done' ? 'success' : 'danger'}
              aria-hidden
            />
          )}
          <span>
            {step.text} ({lengthOf(step)})
          </span>
          {step.share === null ? null : (
            <EuiProgress
              value={step.share}
              max={1}
              size="s"
              css={{ maxInlineSize: 240 }}
              aria-label={step.text}
            />
          )}
        </li>
      ))}
    </ol>
  );
}

export function Starting(): ReactNode {
  const queries = useQueryClient();
  /**
   * Time at which a request was refused because the server is starting, in ms since the epoch. Null if no request was refused. A status of
   * the server from before this time is not shown, because the server may have restarted since then.
   */
  const [refusedAt, setRefusedAt] = useState<number | null>(null);
  useEffect(
    () =>
      queries.getQueryCache().subscribe(({ type, query }) => {
        if (type === 'updated' && isStarting(query.state.error)) setRefusedAt((at) => at ?? Date.now());
      }),
    [queries],
  );
  const { data, dataUpdatedAt, error } = useApi(
    'getStatus',
    {},
    { enabled: refusedAt !== null, every: EVERY_MS },
  );
  const start = refusedAt !== null && dataUpdatedAt >= refusedAt ? data?.start : undefined;
  useEffect(() => {
    if (start !== null) return;
    setRefusedAt(null);
    void queries.invalidateQueries();
  }, [queries, start]);
  if (!start) return null;
  const failed = start.failed !== '';
  const title = failed
    ? i18n.translate('dyno.starting.failed', { defaultMessage: 'Dyno could not start, and has ended' })
    : error !== null
      ? i18n.translate('dyno.starting.gone', {
          defaultMessage: 'Dyno no longer responds while starting. See its terminal.',
        })
      : i18n.translate('dyno.starting.title', {
          defaultMessage: 'Dyno is starting. In the meantime, you can read the recorded example.',
        });
  return (
    <div css={{ padding: '16px 24px 0' }}>
      <EuiCallOut
        announceOnMount
        size="s"
        title={title}
        color={failed || error !== null ? 'danger' : 'primary'}
        data-test-subj="dynoStarting"
      >
        {failed ? (
          <p css={{ whiteSpace: 'pre-line' }}>
            {i18n.translate('dyno.starting.reason', {
              defaultMessage: '{reason}. Fix the cause, then start Dyno again.',
              values: { reason: start.failed.replace(/\.$/, '') },
            })}
          </p>
        ) : null}
        <Steps steps={start.steps} />
      </EuiCallOut>
    </div>
  );
}
