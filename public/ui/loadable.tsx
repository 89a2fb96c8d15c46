/** Content that depends on a request, with placeholders while it loads and messages if it fails. */
import { EuiButton, EuiCallOut, EuiEmptyPrompt, EuiSkeletonText, EuiSpacer, EuiText } from '@elastic/eui';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import type { ApiError } from '../api/client';
import { isStarting } from '../api/queries';
import { i18n } from '../i18n';
import { ProblemList } from './problems';

interface LoadableProps<T> {
  query: UseQueryResult<T, ApiError>;
  /** Placeholder while nothing is loaded; lines of text by default. */
  skeleton?: ReactNode;
  children: (data: T) => ReactNode;
}

const tries = (error: ApiError): boolean => error.status === 0 || error.status >= 502;

function Failure({
  error,
  onRetry,
  stale,
}: {
  error: ApiError;
  onRetry: () => void;
  stale: boolean;
}): ReactNode {
  const title = stale
    ? i18n.translate('dyno.loadable.stale', { defaultMessage: 'This may be out of date' })
    : i18n.translate('dyno.loadable.failed', { defaultMessage: 'This could not be loaded' });
  const body = (
    <>
      <ProblemList problems={error.problems} />
      {tries(error) ? (
        <p>{i18n.translate('dyno.loadable.tries', { defaultMessage: 'Dyno retries automatically.' })}</p>
      ) : null}
      <EuiSpacer size="s" />
      <EuiButton size="s" onClick={onRetry} iconType="refresh">
        {i18n.translate('dyno.loadable.retry', { defaultMessage: 'Try again' })}
      </EuiButton>
    </>
  );
  if (stale) {
    return (
      <>
        <EuiCallOut announceOnMount title={title} color="warning" iconType="warning" size="s">
          {body}
        </EuiCallOut>
        <EuiSpacer />
      </>
    );
  }
  return <EuiEmptyPrompt color="danger" iconType="error" title={<h2>{title}</h2>} body={body} />;
}

/** Message for a wrong address or a deleted object. It has no button to try again, because the object does not exist. */
function Gone({ error }: { error: ApiError }): ReactNode {
  return (
    <EuiEmptyPrompt
      iconType="search"
      title={
        <h2>
          {i18n.translate('dyno.loadable.gone', { defaultMessage: 'This does not exist or was deleted' })}
        </h2>
      }
      body={<ProblemList problems={error.problems} />}
    />
  );
}

/** Loading counts as unusually long after this time, in ms. Even a large history loads faster. */
const LONG_MS = 10_000;

/** Shows a placeholder until data arrive, and an explanation if this takes long. */
function Waiting({ children }: { children: ReactNode }): ReactNode {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <EuiText size="s" color="subdued" role="status">
        {isLong ? (
          <p>
            {i18n.translate('dyno.loadable.long', {
              defaultMessage: 'This takes longer than usual. Dyno is still waiting for the answer.',
            })}
          </p>
        ) : null}
      </EuiText>
      {children}
    </>
  );
}

/** Shows data once they are loaded. If an update fails, the old data stay visible with a message. */
export function Loadable<T>({ query, skeleton, children }: LoadableProps<T>): ReactNode {
  const { data, refetch } = query;
  // No error is shown while the server is starting, because the app itself reports that at the top.
  const error = isStarting(query.error) ? null : query.error;
  if (error?.status === 404) return <Gone error={error} />;
  const failure = error && (
    <Failure error={error} stale={data !== undefined} onRetry={() => void refetch()} />
  );
  if (data === undefined) return failure ?? <Waiting>{skeleton ?? <EuiSkeletonText lines={6} />}</Waiting>;
  return (
    <>
      {failure}
      {children(data)}
    </>
  );
}
