/** The charts of what nodes felt: which figures, in which unit, against which limit. */
import { formatBytes, formatNumber, formatPercent } from '../../../common/units/format';
import { i18n } from '../../i18n';
import type { NodeFigure } from './node-lines';

const bytesPerSecond = (value: number): string => `${formatBytes(value)}/s`;
const count = (value: number): string => formatNumber(value);

export function nodeFigures(): NodeFigure[] {
  return [
    {
      id: 'cpu',
      title: i18n.translate('dyno.nodes.cpu', { defaultMessage: 'CPU' }),
      unit: i18n.translate('dyno.nodes.cpu.unit', { defaultMessage: '% of all cores' }),
      description: i18n.translate('dyno.nodes.cpu.text', {
        defaultMessage: 'CPU use of each node',
      }),
      of: ({ cpu }) => cpu,
      format: formatPercent,
      least: 1,
    },
    {
      id: 'disk-wait',
      title: i18n.translate('dyno.nodes.wait', { defaultMessage: 'Disk wait' }),
      unit: i18n.translate('dyno.nodes.wait.unit', { defaultMessage: '% of the time of all cores' }),
      description: i18n.translate('dyno.nodes.wait.text', {
        defaultMessage: 'Time in which CPUs were idle and waited for the disk',
      }),
      of: ({ iowait }) => iowait,
      format: formatPercent,
      least: 0.2,
    },
    {
      id: 'disk-busy',
      title: i18n.translate('dyno.nodes.disk', { defaultMessage: 'Disk busy' }),
      unit: i18n.translate('dyno.nodes.disk.unit', { defaultMessage: '% of time' }),
      description: i18n.translate('dyno.nodes.disk.text', {
        defaultMessage: 'Time in which the busiest disk of each node was busy',
      }),
      of: ({ diskBusy }) => diskBusy,
      format: formatPercent,
      least: 1,
    },
    {
      id: 'disk-read',
      title: i18n.translate('dyno.nodes.diskRead', { defaultMessage: 'Disk reads' }),
      unit: i18n.translate('dyno.nodes.diskBytes.unit', { defaultMessage: 'bytes/s' }),
      description: i18n.translate('dyno.nodes.diskRead.text', {
        defaultMessage: 'Bytes per second read from the disks of each node’s machine',
      }),
      of: ({ diskRead }) => diskRead,
      format: bytesPerSecond,
      bytes: true,
      least: 1024,
    },
    {
      id: 'disk-written',
      title: i18n.translate('dyno.nodes.diskWritten', { defaultMessage: 'Disk writes' }),
      unit: i18n.translate('dyno.nodes.diskBytes.unit', { defaultMessage: 'bytes/s' }),
      description: i18n.translate('dyno.nodes.diskWritten.text', {
        defaultMessage: 'Bytes per second written to the disks of each node’s machine',
      }),
      of: ({ diskWritten }) => diskWritten,
      format: bytesPerSecond,
      bytes: true,
      least: 1024,
    },
    {
      id: 'network-in',
      title: i18n.translate('dyno.nodes.networkIn', { defaultMessage: 'Network received' }),
      unit: i18n.translate('dyno.nodes.networkBytes.unit', { defaultMessage: 'bytes/s' }),
      description: i18n.translate('dyno.nodes.networkIn.text', {
        defaultMessage: 'Bytes per second received by each node’s machine; the loopback is not counted',
      }),
      of: ({ networkIn }) => networkIn,
      format: bytesPerSecond,
      bytes: true,
      least: 1024,
    },
    {
      id: 'network-out',
      title: i18n.translate('dyno.nodes.networkOut', { defaultMessage: 'Network sent' }),
      unit: i18n.translate('dyno.nodes.networkBytes.unit', { defaultMessage: 'bytes/s' }),
      description: i18n.translate('dyno.nodes.networkOut.text', {
        defaultMessage: 'Bytes per second sent by each node’s machine; the loopback is not counted',
      }),
      of: ({ networkOut }) => networkOut,
      format: bytesPerSecond,
      bytes: true,
      least: 1024,
    },
    {
      id: 'write-queue',
      title: i18n.translate('dyno.nodes.writeQueue', { defaultMessage: 'Write queue' }),
      unit: i18n.translate('dyno.nodes.queue.unit', { defaultMessage: 'tasks waiting' }),
      description: i18n.translate('dyno.nodes.writeQueue.text', {
        defaultMessage: 'Tasks waiting for a thread of the write pool, and the queue’s capacity',
      }),
      of: ({ writeQueue }) => writeQueue,
      format: count,
      least: 10,
      capacity: ({ writeQueueCapacity }) => writeQueueCapacity,
      whole: true,
    },
    {
      id: 'search-queue',
      title: i18n.translate('dyno.nodes.searchQueue', { defaultMessage: 'Search queue' }),
      unit: i18n.translate('dyno.nodes.queue.unit', { defaultMessage: 'tasks waiting' }),
      description: i18n.translate('dyno.nodes.searchQueue.text', {
        defaultMessage: 'Tasks waiting for a thread of the search pool, and the queue’s capacity',
      }),
      of: ({ searchQueue }) => searchQueue,
      format: count,
      least: 10,
      capacity: ({ searchQueueCapacity }) => searchQueueCapacity,
      whole: true,
      optional: true,
    },
    {
      id: 'write-rejections',
      title: i18n.translate('dyno.nodes.writeRejected', { defaultMessage: 'Write pool rejections' }),
      unit: i18n.translate('dyno.nodes.rejections.unit', { defaultMessage: 'tasks/s' }),
      description: i18n.translate('dyno.nodes.writeRejected.text', {
        defaultMessage: 'Tasks per second that were rejected because the write queue was full',
      }),
      of: ({ writeRejected }) => writeRejected,
      format: (value) => `${formatNumber(value)}/s`,
      least: 1,
    },
    {
      id: 'search-rejections',
      title: i18n.translate('dyno.nodes.searchRejected', { defaultMessage: 'Search pool rejections' }),
      unit: i18n.translate('dyno.nodes.rejections.unit', { defaultMessage: 'tasks/s' }),
      description: i18n.translate('dyno.nodes.searchRejected.text', {
        defaultMessage: 'Tasks per second that were rejected because the search queue was full',
      }),
      of: ({ searchRejected }) => searchRejected,
      format: (value) => `${formatNumber(value)}/s`,
      least: 1,
      optional: true,
    },
    {
      id: 'indexing-pressure',
      title: i18n.translate('dyno.nodes.pressure', { defaultMessage: 'Indexing pressure' }),
      unit: i18n.translate('dyno.nodes.pressure.unit', { defaultMessage: '% of the limit' }),
      description: i18n.translate('dyno.nodes.pressure.text', {
        defaultMessage: 'Memory of indexing requests in flight as a share of its limit',
      }),
      of: ({ indexingPressure }) => indexingPressure,
      format: formatPercent,
      least: 0.2,
    },
    {
      id: 'merges',
      title: i18n.translate('dyno.nodes.merges', { defaultMessage: 'Merges' }),
      unit: i18n.translate('dyno.nodes.merges.unit', { defaultMessage: 'under way' }),
      description: i18n.translate('dyno.nodes.merges.text', {
        defaultMessage: 'Segment merges in progress',
      }),
      of: ({ merges }) => merges,
      format: count,
      least: 2,
      whole: true,
    },
    {
      id: 'merge-throttling',
      title: i18n.translate('dyno.nodes.throttled', { defaultMessage: 'Merges throttled' }),
      unit: i18n.translate('dyno.nodes.throttled.unit', {
        defaultMessage: 'ms per second, summed over threads',
      }),
      description: i18n.translate('dyno.nodes.throttled.text', {
        defaultMessage: 'Time in which merges were throttled',
      }),
      of: ({ mergeThrottled }) => mergeThrottled,
      format: (value) => `${formatNumber(value)} ms/s`,
      least: 100,
    },
    {
      id: 'heap',
      title: i18n.translate('dyno.nodes.heap', { defaultMessage: 'Heap used' }),
      unit: i18n.translate('dyno.nodes.heap.unit', { defaultMessage: '% of the heap' }),
      description: i18n.translate('dyno.nodes.heap.text', {
        defaultMessage: 'Used heap of each node’s JVM',
      }),
      of: ({ heap }) => heap,
      format: formatPercent,
      least: 1,
    },
    {
      id: 'gc',
      title: i18n.translate('dyno.nodes.gc', { defaultMessage: 'Garbage collection' }),
      unit: i18n.translate('dyno.nodes.gc.unit', { defaultMessage: '% of time in pauses' }),
      description: i18n.translate('dyno.nodes.gc.text', {
        defaultMessage: 'Time in which garbage collection paused the node',
      }),
      of: ({ gc }) => gc,
      format: formatPercent,
      least: 0.05,
    },
  ];
}
