/**
 * The page *Collectors*: which nodes send metrics, when they were last seen, how to install more collectors, and the test of this machine's
 * load generator.
 */
import {
  EuiBasicTable,
  EuiCallOut,
  EuiEmptyPrompt,
  EuiHealth,
  EuiSpacer,
  EuiText,
  type EuiBasicTableColumn,
} from '@elastic/eui';
import type { ReactNode } from 'react';
import { isSilent } from '../../../common/about/silence';
import type { CollectorStatus } from '../../../common/api/host';
import { formatDuration, formatNumber } from '../../../common/units/format';
import { useApi } from '../../api/queries';
import { i18n } from '../../i18n';
import { Loadable } from '../../ui/loadable';
import { Page } from '../../ui/page';
import { Time, useNow } from '../../ui/time';
import { Certify } from './certify';
import { Install } from './install';
import { parseTime } from '../../../common/units/time';

type Shipper = CollectorStatus['shippers'][number];

/** Refresh interval of the list, in ms. */
const RENEW_MS = 5000;
const since = (iso: string, now: number): string => formatDuration(Math.max(0, now - parseTime(iso)));

/** Returns the state of a collector as colour and text. A collector that is running but sends only errors is not shown as healthy. */
function stateOf(shipper: Shipper, now: number): { color: 'success' | 'warning' | 'danger'; text: string } {
  const { lastSeen, failing, metricsets } = shipper;
  if (isSilent(shipper, now)) {
    const ago = since(lastSeen, now);
    return {
      color: 'warning',
      text: i18n.translate('dyno.collector.silent', { defaultMessage: 'silent for {ago}', values: { ago } }),
    };
  }
  if (failing.length === 0) {
    return {
      color: 'success',
      text: i18n.translate('dyno.collector.ships', { defaultMessage: 'sends data' }),
    };
  }
  if (failing.length === metricsets.length) {
    return {
      color: 'danger',
      text: i18n.translate('dyno.collector.readsNothing', { defaultMessage: 'sends only errors' }),
    };
  }
  const list = failing.join(', ');
  return {
    color: 'warning',
    text: i18n.translate('dyno.collector.readsPart', {
      defaultMessage: 'sends data, but only errors for {list}',
      values: { list },
    }),
  };
}

function State({ shipper, now }: { shipper: Shipper; now: number }): ReactNode {
  const { color, text } = stateOf(shipper, now);
  return (
    <div>
      <EuiHealth color={color}>{text}</EuiHealth>
      <EuiText size="xs" color="subdued">
        <Time iso={shipper.lastSeen} />
      </EuiText>
    </div>
  );
}

/** Shows the last error of a collector with its time, and whether the collector has worked without errors since then. */
function LastError({ shipper, now }: { shipper: Shipper; now: number }): ReactNode {
  const { error, errorAt, failing } = shipper;
  if (error === '') return '–';
  const ago = since(errorAt, now);
  return (
    <div>
      {error}
      <EuiText size="xs" color="subdued">
        <Time iso={errorAt} />{' '}
        {failing.length > 0 || isSilent(shipper, now)
          ? i18n.translate('dyno.collector.errorAgo', { defaultMessage: '({ago} ago)', values: { ago } })
          : i18n.translate('dyno.collector.errorOver', {
              defaultMessage: '({ago} ago; no errors since then)',
              values: { ago },
            })}
      </EuiText>
    </div>
  );
}

const columns = (now: number): EuiBasicTableColumn<Shipper>[] => [
  {
    name: i18n.translate('dyno.collector.column.name', { defaultMessage: 'Collector' }),
    render: ({ name, host, version }: Shipper) => (
      <div>
        {name}
        <EuiText size="xs" color="subdued">
          {[host === name ? '' : host, `dynobeat ${version}`].filter(Boolean).join(', ')}
        </EuiText>
      </div>
    ),
  },
  {
    name: i18n.translate('dyno.collector.column.state', { defaultMessage: 'State' }),
    render: (shipper: Shipper) => <State shipper={shipper} now={now} />,
  },
  {
    name: i18n.translate('dyno.collector.column.reads', { defaultMessage: 'Reads' }),
    render: ({ metricsets, periodMs }: Shipper) =>
      [...metricsets.slice().sort(), periodMs === null ? '' : `every ${formatDuration(periodMs)}`]
        .filter(Boolean)
        .join(', '),
  },
  {
    name: i18n.translate('dyno.collector.column.nodes', { defaultMessage: 'Nodes' }),
    render: ({ nodes }: Shipper) => (nodes.length === 0 ? '–' : nodes.join(', ')),
  },
  {
    field: 'events',
    name: i18n.translate('dyno.collector.column.events', { defaultMessage: 'Events in 5 minutes' }),
    align: 'right',
    render: (events: number) => formatNumber(events),
  },
  {
    name: i18n.translate('dyno.collector.column.error', { defaultMessage: 'Last error' }),
    render: (shipper: Shipper) => <LastError shipper={shipper} now={now} />,
  },
];

function Own({ own: { state, detail } }: Pick<CollectorStatus, 'own'>): ReactNode {
  if (state === 'running' || detail === '') return null;
  return (
    <>
      <EuiCallOut
        color={state === 'failed' ? 'warning' : 'primary'}
        iconType={state === 'failed' ? 'warning' : 'info'}
        title={
          state === 'failed'
            ? i18n.translate('dyno.collector.ownFailed', {
                defaultMessage: 'Dyno’s own collector sends no data',
              })
            : i18n.translate('dyno.collector.own', { defaultMessage: 'Dyno does not start a collector here' })
        }
      >
        <p>{detail}</p>
      </EuiCallOut>
      <EuiSpacer />
    </>
  );
}

export default function CollectorPage(): ReactNode {
  const query = useApi('getCollector', {}, { every: RENEW_MS });
  const now = useNow(true);
  return (
    <Page
      title={i18n.translate('dyno.collector.title', { defaultMessage: 'Collector' })}
      description={i18n.translate('dyno.collector.description', {
        defaultMessage:
          'dynobeat collects metrics of thread pools, merges, garbage collection and disk waits from the nodes. With these metrics, a result can show what the limit was.',
      })}
    >
      <Loadable query={query}>
        {({ shippers, own }) => (
          <>
            <Own own={own} />
            {shippers.length === 0 ? (
              <EuiEmptyPrompt
                iconType="agentApp"
                title={
                  <h2>
                    {i18n.translate('dyno.collector.none', {
                      defaultMessage: 'No collector has sent data yet',
                    })}
                  </h2>
                }
                body={i18n.translate('dyno.collector.noneBody', {
                  defaultMessage:
                    'Runs work without a collector, and the load generator measures as usual. Only some metrics of the nodes and their machines are missing.',
                })}
              />
            ) : (
              <EuiBasicTable
                tableCaption={i18n.translate('dyno.collector.caption', {
                  defaultMessage: 'Collectors of the last hour',
                })}
                items={shippers}
                columns={columns(now)}
                itemId="id"
              />
            )}
          </>
        )}
      </Loadable>
      <EuiSpacer size="xl" />
      <Certify />
      {query.data === undefined || query.data.configurations.length === 0 ? null : (
        <Install {...query.data} />
      )}
    </Page>
  );
}
