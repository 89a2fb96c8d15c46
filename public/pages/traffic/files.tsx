/** A table of the traffic recordings in the folder from which the server may read files. */
import { EuiBasicTable, EuiCode, EuiSpacer, EuiText, type EuiBasicTableColumn } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { ListedTraffic, TrafficList } from '../../../common/api/traffic';
import { formatBytes, formatDuration, formatNumber } from '../../../common/units/format';
import { useApi } from '../../api/queries';
import { usePrivilege } from '../../app/context';
import { i18n } from '../../i18n';
import { AppLink } from '../../ui/link';
import { Loadable } from '../../ui/loadable';
import { ShortTime } from '../../ui/time';
import { trafficPath } from './paths';

/** Refresh interval, in ms. It limits how late the table shows a new recording, for example one that was just copied to the folder. */
const RENEW_MS = 15_000;

const UNKNOWN = '–';

const columnsFor = (target: string | null): EuiBasicTableColumn<ListedTraffic>[] => [
  {
    name: i18n.translate('dyno.traffic.column.file', { defaultMessage: 'File' }),
    render: ({ file, files }: ListedTraffic) => (
      <div css={{ overflowWrap: 'anywhere' }}>
        <AppLink to={trafficPath(file, target)}>{file}</AppLink>
        {files === 1 ? null : (
          <EuiText size="xs" color="subdued">
            {i18n.translate('dyno.traffic.files', {
              defaultMessage: '{files} files',
              values: { files },
            })}
          </EuiText>
        )}
      </div>
    ),
  },
  {
    name: i18n.translate('dyno.traffic.column.recorded', { defaultMessage: 'Recorded' }),
    render: ({ startedAt, modifiedAt }: ListedTraffic) => <ShortTime iso={startedAt ?? modifiedAt} />,
  },
  {
    name: i18n.translate('dyno.traffic.column.duration', { defaultMessage: 'Duration' }),
    align: 'right',
    render: ({ durationMs }: ListedTraffic) => (durationMs === null ? UNKNOWN : formatDuration(durationMs)),
  },
  {
    name: i18n.translate('dyno.traffic.column.requests', { defaultMessage: 'Requests' }),
    align: 'right',
    render: ({ requests }: ListedTraffic) => formatNumber(requests),
  },
  {
    field: 'bytes',
    name: i18n.translate('dyno.traffic.column.size', { defaultMessage: 'Size' }),
    align: 'right',
    render: (bytes: number) => formatBytes(bytes),
  },
];

function NoFiles({ folder }: Pick<TrafficList, 'folder'>): ReactNode {
  return (
    <EuiText size="s">
      <p>
        {i18n.translate('dyno.traffic.noFiles', {
          defaultMessage: 'No recording exists yet. Dyno looks for recordings in this folder of its machine:',
        })}{' '}
        <EuiCode css={{ overflowWrap: 'anywhere' }}>{folder}</EuiCode>
      </p>
    </EuiText>
  );
}

/**
 * Shows the list of recordings. `target`: id of the target that the page of each recording suggests for a replay. Null for the default
 * target.
 */
export function TrafficFiles({ target = null }: { target?: string | null }): ReactNode {
  const mayManage = usePrivilege('manage');
  const query = useApi('listTraffic', {}, { enabled: mayManage, every: RENEW_MS });
  if (!mayManage)
    return (
      <EuiText size="s">
        <p>
          {i18n.translate('dyno.traffic.noPrivilege', {
            defaultMessage: 'Only users who may manage Dyno can see recorded traffic.',
          })}
        </p>
      </EuiText>
    );
  return (
    <Loadable query={query}>
      {({ files, folder, isCut }) =>
        files.length === 0 ? (
          <NoFiles folder={folder} />
        ) : (
          <>
            <EuiBasicTable
              tableCaption={i18n.translate('dyno.traffic.caption', { defaultMessage: 'Recorded traffic' })}
              items={files}
              columns={columnsFor(target)}
              itemId="file"
            />
            <EuiSpacer size="s" />
            <EuiText size="xs" color="subdued">
              <p>
                {i18n.translate('dyno.traffic.folder', {
                  defaultMessage: 'Recordings in {folder}, and in the folders below.',
                  values: { folder },
                })}{' '}
                {isCut
                  ? i18n.translate('dyno.traffic.cut', {
                      defaultMessage: 'The folder has too many files, so some are not listed.',
                    })
                  : ''}
              </p>
            </EuiText>
          </>
        )
      }
    </Loadable>
  );
}
