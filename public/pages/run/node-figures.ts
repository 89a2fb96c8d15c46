/** Definitions of the charts that show metrics of the target's nodes over time. */
import { capacityKey } from '../../../common/api/timeline';
import type { NodeChart } from '../../../common/measurement/node-metric';
import { NODE_METRICS } from '../../../common/measurement/node-metrics';
import { formatBytes, formatNumber, formatPercent } from '../../../common/units/format';
import { i18n } from '../../i18n';
import { chartId, type NodeFigure } from './node-lines';

const FORMATS: Readonly<Record<NodeChart['shown'], (value: number) => string>> = {
  share: formatPercent,
  number: formatNumber,
  bytes: formatBytes,
  'bytes-per-second': (value) => `${formatBytes(value)}/s`,
  'per-second': (value) => `${formatNumber(value)}/s`,
  'ms-per-second': (value) => `${formatNumber(value)} ms/s`,
};

export const nodeFigures = (): NodeFigure[] =>
  NODE_METRICS.flatMap(({ name, chart }) => {
    if (chart === undefined) return [];
    const { title, unit, description, shown, least, capacity, optional } = chart;
    return [
      {
        id: chartId(name),
        title: i18n.say(title),
        unit: i18n.say(unit),
        description: i18n.say(description),
        of: (point) => point[name] ?? null,
        format: FORMATS[shown],
        least,
        ...(capacity && { capacity: (point) => point[capacityKey(name)] ?? null }),
        whole: shown === 'number',
        bytes: shown === 'bytes' || shown === 'bytes-per-second',
        ...(optional && { optional }),
      },
    ];
  });
