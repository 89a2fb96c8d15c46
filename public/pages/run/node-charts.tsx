/** Metrics of the nodes over time. A note says which metrics are missing because Dyno's collector did not report them. */
import { EuiEmptyPrompt, EuiSpacer, EuiText } from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import type { Timeline } from '../../../common/api/timeline';
import { listed } from '../../../common/analysis/wording';
import { formatNumber } from '../../../common/units/format';
import { trialStarts, useTimeAxis } from '../../charts/time/axis';
import { hasValues, highest, type Line } from '../../charts/time/lines';
import { TimeChart } from '../../charts/time/time-chart';
import { useSeriesColours } from '../../charts/theme';
import { i18n } from '../../i18n';
import { AppLink } from '../../ui/link';
import { ChartStack } from './chart-stack';
import { nodeFigures } from './node-figures';
import { capacityOf, isFar, nodeLines, type NodeFigure } from './node-lines';

export function NodeCharts({ timeline: { nodes } }: { timeline: Timeline }): ReactNode {
  const { bucketMs, phases } = useTimeAxis();
  const colours = useSeriesColours();
  const charts = useMemo(() => {
    const starts = trialStarts(phases);
    return nodeFigures().map((figure) => ({
      figure,
      lines: nodeLines(nodes, figure, colours, bucketMs, starts),
      capacity: capacityOf(nodes, figure.capacity),
    }));
  }, [nodes, colours, bucketMs, phases]);
  if (nodes.length === 0) return <NoCollector />;
  const missing = charts
    .filter(({ figure, lines }) => !figure.optional && !hasValues(lines))
    .map(({ figure }) => figure.title);
  return (
    <>
      <ChartStack beside={560}>
        {charts
          .filter(({ lines }) => hasValues(lines))
          .map(({ figure, lines, capacity }) => (
            <NodeChart key={figure.id} figure={figure} lines={lines} capacity={capacity} />
          ))}
      </ChartStack>
      {missing.length === 0 ? null : <Missing titles={missing} />}
    </>
  );
}

interface NodeChartProps {
  figure: NodeFigure;
  lines: readonly Line[];
  capacity: number | null;
}

function NodeChart({ figure, lines, capacity }: NodeChartProps): ReactNode {
  const { id, title, unit, description, format, least, whole, bytes } = figure;
  const far = capacity !== null && isFar(highest(lines), capacity);
  return (
    <TimeChart
      id={id}
      title={title}
      unit={unit}
      description={description}
      lines={lines}
      format={format}
      least={least}
      whole={whole}
      bytes={bytes}
      bound={
        capacity === null || far
          ? undefined
          : { name: i18n.translate('dyno.nodes.capacity', { defaultMessage: 'Capacity' }), value: capacity }
      }
      note={
        capacity === null
          ? undefined
          : i18n.translate('dyno.nodes.capacity.note', {
              defaultMessage: 'capacity {capacity}{far, select, true {, far above} other {}}',
              values: { capacity: formatNumber(capacity), far: String(far) },
            })
      }
      height={144}
    />
  );
}

function NoCollector(): ReactNode {
  return (
    <EuiEmptyPrompt
      color="subdued"
      paddingSize="m"
      titleSize="xs"
      iconType="cluster"
      title={
        <h3>
          {i18n.translate('dyno.nodes.none', {
            defaultMessage: 'No collector data for the nodes in this time',
          })}
        </h3>
      }
      body={
        <>
          <p>
            {i18n.translate('dyno.nodes.none.text', {
              defaultMessage:
                'With a collector, this page shows thread-pool queues and their capacity, rejections, merges and throttling, heap and garbage collection, CPU, disks and network of each node, next to the load.',
            })}
          </p>
          <AppLink to="/collector">
            {i18n.translate('dyno.nodes.none.link', { defaultMessage: 'Set up a collector' })}
          </AppLink>
        </>
      }
    />
  );
}

function Missing({ titles }: { titles: readonly string[] }): ReactNode {
  return (
    <>
      <EuiSpacer size="m" />
      <EuiText size="xs" color="subdued">
        <p>
          {i18n.translate('dyno.nodes.missing', {
            defaultMessage:
              'Not available from these nodes: {titles}. A collector on the machine of each node reads most of these metrics.',
            values: { titles: listed(titles, 10) },
          })}{' '}
          <AppLink to="/collector">
            {i18n.translate('dyno.nodes.missing.link', { defaultMessage: 'Collectors' })}
          </AppLink>
        </p>
      </EuiText>
    </>
  );
}
