/**
 * Offers to download the complete Elasticsearch if the server has a reduced distribution. Shows the progress of the download, and says how
 * to use the complete Elasticsearch afterwards.
 */
import { EuiButton, EuiButtonEmpty, EuiProgress, EuiSpacer, EuiText } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { DistributionStatus } from '../../../common/api/distribution';
import { formatBytes } from '../../../common/units/format';
import { useApi, useApiChange } from '../../api/queries';
import { usePrivilege } from '../../app/context';
import { i18n } from '../../i18n';
import { useToasts } from '../../ui/toasts';

/** Refresh interval during the download, in ms. */
const DOWNLOADING_MS = 1000;
/** Refresh interval in ms while no download is running. It limits how late the page shows a download that another user started. */
const RENEW_MS = 15_000;

function Downloading({ status }: { status: DistributionStatus }): ReactNode {
  useApi('getDistribution', {}, { every: DOWNLOADING_MS });
  const cancel = useApiChange('cancelDistribution', ['getDistribution']);
  const mayManage = usePrivilege('manage');
  const { doneBytes, totalBytes, version } = status;
  const isUnpacking = totalBytes !== null && doneBytes >= totalBytes;
  const label = isUnpacking
    ? i18n.translate('dyno.whole.unpacking', {
        defaultMessage: 'Unpacking the whole Elasticsearch {version}',
        values: { version },
      })
    : i18n.translate('dyno.whole.downloading', {
        defaultMessage: 'Downloading the whole Elasticsearch {version}',
        values: { version },
      });
  return (
    <>
      <EuiProgress
        size="s"
        color="primary"
        label={label}
        valueText={
          totalBytes === null
            ? formatBytes(doneBytes)
            : `${formatBytes(doneBytes)} / ${formatBytes(totalBytes)}`
        }
        {...(totalBytes === null || isUnpacking ? {} : { max: totalBytes, value: doneBytes })}
      />
      <EuiSpacer size="s" />
      <EuiButtonEmpty
        size="s"
        flush="left"
        isDisabled={!mayManage || isUnpacking}
        isLoading={cancel.isPending}
        onClick={() => cancel.mutate({})}
      >
        {i18n.translate('dyno.whole.cancel', { defaultMessage: 'Cancel the download' })}
      </EuiButtonEmpty>
    </>
  );
}

function Absent({ status: { version, problem, from } }: { status: DistributionStatus }): ReactNode {
  const start = useApiChange('downloadDistribution', ['getDistribution']);
  const mayManage = usePrivilege('manage');
  const toasts = useToasts();
  return (
    <>
      {problem === '' ? null : (
        <EuiText size="s" color="danger">
          <p>
            {i18n.translate('dyno.whole.failed', {
              defaultMessage: 'The last download failed: {problem}',
              values: { problem },
            })}
          </p>
        </EuiText>
      )}
      <EuiText size="s">
        <p>
          {i18n.translate('dyno.whole.offer', {
            defaultMessage:
              'Dyno can download the whole Elasticsearch {version}, some 600 MB, from {from}. Runs continue in the meantime.',
            values: { version, from: new URL(from).host },
          })}
        </p>
      </EuiText>
      <EuiSpacer size="s" />
      <EuiButton
        size="s"
        iconType="download"
        isDisabled={!mayManage}
        isLoading={start.isPending}
        onClick={() =>
          start.mutate(
            {},
            {
              onError: (error) =>
                toasts.failed(
                  i18n.translate('dyno.whole.notStarted', { defaultMessage: 'The download did not start' }),
                  error,
                ),
            },
          )
        }
      >
        {i18n.translate('dyno.whole.download', { defaultMessage: 'Download the whole Elasticsearch' })}
      </EuiButton>
    </>
  );
}

/** Shows the download of the complete Elasticsearch. Shows nothing on servers that never start Elasticsearch. */
export function WholeElasticsearch(): ReactNode {
  const { data: status } = useApi('getDistribution', {}, { every: RENEW_MS });
  if (!status?.offered) return null;
  return (
    <>
      <EuiSpacer size="s" />
      {status.state === 'downloading' ? (
        <Downloading status={status} />
      ) : status.state === 'absent' ? (
        <Absent status={status} />
      ) : (
        <EuiText size="s">
          <p>
            {i18n.translate('dyno.whole.present', {
              defaultMessage:
                'The whole Elasticsearch {version} is downloaded. An experiment uses it with environment.distribution: full. This target uses it after a restart of Dyno with --distribution full.',
              values: { version: status.version },
            })}
          </p>
        </EuiText>
      )}
    </>
  );
}
