/** Tables of the page *About*: what Dyno has found out about its server, its clusters and its machine, as rows of names and values. */
import { EuiHealth } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { About, AboutPart, AboutParts, Found } from '../../../common/api/about';
import { isSilent } from '../../../common/about/silence';
import { formatBytes, formatNumber, formatPercent, plural } from '../../../common/units/format';
import { i18n } from '../../i18n';
import { AppLink } from '../../ui/link';
import { Time } from '../../ui/time';
import { parseTime } from '../../../common/units/time';

interface Row {
  name: string;
  value: NonNullable<ReactNode>;
}

export interface PartShown {
  title: string;
  /** Why the rows of this table are missing; '' if they are complete. */
  failure: string;
  rows: Row[];
  note?: ReactNode;
}

const none = (): string => i18n.translate('dyno.about.none', { defaultMessage: 'none' });

const HEALTH_COLORS = { green: 'success', yellow: 'warning', red: 'danger' } as const;

const versionRows = ({ dyno, node, kibana, system }: Found<'versions'>): Row[] => [
  { name: 'Dyno', value: dyno },
  ...(kibana === null ? [] : [{ name: 'Kibana', value: kibana }]),
  { name: 'Node.js', value: node },
  { name: i18n.translate('dyno.about.system', { defaultMessage: 'System' }), value: system },
];

/** Rows with the versions of the clusters, which people look for first. */
function clusterVersions({ results, embedded }: AboutParts): Row[] {
  const unknown = i18n.translate('dyno.about.unknown', { defaultMessage: 'not known' });
  const ofEmbedded = embedded.found;
  return [
    {
      name: i18n.translate('dyno.about.elasticsearchOfResults', {
        defaultMessage: 'Elasticsearch for the results',
      }),
      value: results.found?.version ?? unknown,
    },
    ...(ofEmbedded === 'none'
      ? []
      : [
          {
            name: i18n.translate('dyno.about.embedded', { defaultMessage: 'Embedded Elasticsearch' }),
            value:
              ofEmbedded === null
                ? unknown
                : ofEmbedded.startedHere
                  ? ofEmbedded.version
                  : i18n.translate('dyno.about.embeddedElsewhere', {
                      defaultMessage: '{version}, started by another process',
                      values: { version: ofEmbedded.version },
                    }),
          },
        ]),
  ];
}

const resultsRows = ({ url, health }: Found<'results'>): Row[] => [
  { name: i18n.translate('dyno.about.address', { defaultMessage: 'Address' }), value: url },
  {
    name: i18n.translate('dyno.about.health', { defaultMessage: 'Health' }),
    value:
      health === null ? (
        i18n.translate('dyno.about.healthUntold', { defaultMessage: 'unknown' })
      ) : (
        <EuiHealth textSize="inherit" color={HEALTH_COLORS[health.status]}>
          {[
            health.status,
            plural(health.nodes, 'node'),
            ...(health.unassignedShards === 0
              ? []
              : [`${plural(health.unassignedShards, 'shard')} not allocated to a node`]),
          ].join(', ')}
        </EuiHealth>
      ),
  },
];

function spoolRows({ documents, waiting, others, kept }: Found<'spool'>): Row[] {
  const waits = (files: number, bytes: number, since: string | null): Row['value'] => (
    <>
      {plural(files, 'file')}, {formatBytes(bytes)}
      {since === null ? null : (
        <>
          {', '}
          {i18n.translate('dyno.about.since', { defaultMessage: 'since' })} <Time iso={since} />
        </>
      )}
    </>
  );
  return [
    {
      name: i18n.translate('dyno.about.waiting', { defaultMessage: 'Waiting to be stored' }),
      value:
        waiting.files === 0 && documents === 0
          ? i18n.translate('dyno.about.nothingWaits', { defaultMessage: 'nothing' })
          : waits(waiting.files, waiting.bytes, waiting.since),
    },
    ...others.map(({ cluster, files, bytes, since }) => ({
      name: i18n.translate('dyno.about.waitingElsewhere', {
        defaultMessage: 'For cluster {cluster}',
        values: { cluster },
      }),
      value: waits(files, bytes, since),
    })),
    ...(kept === 0
      ? []
      : [
          {
            name: i18n.translate('dyno.about.kept', { defaultMessage: 'Kept aside' }),
            value: plural(kept, 'file'),
          },
        ]),
  ];
}

const OWN_STATES = (): Record<Found<'collector'>['own']['state'], string> => ({
  running: i18n.translate('dyno.about.own.running', { defaultMessage: 'runs' }),
  off: i18n.translate('dyno.about.own.off', { defaultMessage: 'not started here' }),
  missing: i18n.translate('dyno.about.own.missing', { defaultMessage: 'is not built' }),
  failed: i18n.translate('dyno.about.own.failed', { defaultMessage: 'does not ship' }),
});

const collectorRows = ({ own, shippers }: Found<'collector'>, now: number): Row[] => [
  {
    name: i18n.translate('dyno.about.own', { defaultMessage: 'Of this Dyno' }),
    value: OWN_STATES()[own.state],
  },
  ...shippers.map((shipper) => ({
    name: shipper.name,
    value: (
      <>
        <EuiHealth
          textSize="inherit"
          color={shipper.failing.length > 0 ? 'danger' : isSilent(shipper, now) ? 'warning' : 'success'}
        >
          dynobeat {shipper.version}
        </EuiHealth>
        {', '}
        {i18n.translate('dyno.about.lastEvent', { defaultMessage: 'last event' })}{' '}
        <Time iso={shipper.lastSeen} />
      </>
    ),
  })),
];

function workRows({ runs, schedules }: AboutParts): Row[] {
  const rows: Row[] = [];
  if (runs.found !== null)
    rows.push({
      name: i18n.translate('dyno.about.underWay', { defaultMessage: 'Runs' }),
      value:
        runs.found.length === 0
          ? i18n.translate('dyno.about.noRuns', { defaultMessage: 'no run is running or waiting' })
          : runs.found.map(({ id, experiment, state, since }) => (
              <div key={id}>
                <AppLink to={`/runs/${id}`}>{experiment}</AppLink>: {state},{' '}
                {i18n.translate('dyno.about.since', { defaultMessage: 'since' })} <Time iso={since} />
              </div>
            )),
    });
  if (schedules.found !== null) {
    const { scheduled, next, missed } = schedules.found;
    rows.push(
      {
        name: i18n.translate('dyno.about.scheduled', { defaultMessage: 'Schedules' }),
        value:
          scheduled === 0
            ? none()
            : i18n.translate('dyno.about.scheduledOf', {
                defaultMessage: '{experiments} with a schedule',
                values: { experiments: plural(scheduled, 'experiment') },
              }),
      },
      ...(next === null
        ? []
        : [
            {
              name: i18n.translate('dyno.about.next', { defaultMessage: 'Next' }),
              value: (
                <>
                  {next.experiment}, <Time iso={next.at} />
                </>
              ),
            },
          ]),
      {
        name: i18n.translate('dyno.about.missed', { defaultMessage: 'Missed times in the last day' }),
        value: missed.length === 0 ? none() : plural(missed.length, 'experiment'),
      },
    );
  }
  return rows;
}

function certificationRows({ going, last }: Found<'certification'>): Row[] {
  const answers = {
    certified: i18n.translate('dyno.about.certified', { defaultMessage: 'certified' }),
    'not-certified': i18n.translate('dyno.about.notCertified', { defaultMessage: 'not certified' }),
    busy: i18n.translate('dyno.about.busy', { defaultMessage: 'undecided: the machine was too busy' }),
  };
  const state = going
    ? i18n.translate('dyno.about.certifying', { defaultMessage: 'is being certified' })
    : last === null
      ? i18n.translate('dyno.about.uncertified', { defaultMessage: 'never certified here' })
      : answers[last.answer];
  return [
    { name: i18n.translate('dyno.about.generator', { defaultMessage: 'Load generator' }), value: state },
    ...(last === null
      ? []
      : [
          {
            name: i18n.translate('dyno.about.certifiedAt', { defaultMessage: 'Last tried' }),
            value: (
              <>
                <Time iso={last.at} />, Dyno {last.dyno}
              </>
            ),
          },
        ]),
  ];
}

const machineRows = ({ cores, totalBytes, availableBytes, ownBytes, load }: Found<'machine'>): Row[] => [
  { name: i18n.translate('dyno.about.cores', { defaultMessage: 'Cores' }), value: formatNumber(cores) },
  {
    name: i18n.translate('dyno.about.memory', { defaultMessage: 'Memory' }),
    value: i18n.translate('dyno.about.memoryOf', {
      defaultMessage: '{available} of {total} available',
      values: { available: formatBytes(availableBytes), total: formatBytes(totalBytes) },
    }),
  },
  {
    name: i18n.translate('dyno.about.own.memory', { defaultMessage: 'Of this process' }),
    value: formatBytes(ownBytes),
  },
  {
    name: i18n.translate('dyno.about.load', { defaultMessage: 'Load, 1 minute' }),
    value: formatNumber(load),
  },
];

const diskRows = (disks: Found<'disks'>): Row[] =>
  disks.map(({ holds, freeBytes, totalBytes }) => ({
    name: i18n.translate('dyno.about.disk', { defaultMessage: 'Disk' }),
    value: (
      <>
        {i18n.translate('dyno.about.diskFree', {
          defaultMessage: '{free} of {total} free ({share})',
          values: {
            free: formatBytes(freeBytes),
            total: formatBytes(totalBytes),
            share: formatPercent(freeBytes / totalBytes),
          },
        })}
        {': '}
        {holds.join(', ')}
      </>
    ),
  }));

const failureOf = (parts: AboutParts, ...names: AboutPart[]): string =>
  names
    .map((name) => parts[name].failure)
    .filter(Boolean)
    .filter((failure, i, all) => all.indexOf(failure) === i)
    .join('; ');

/** Returns a table of the page *About*. If `failure` is not empty but some rows are known, shows the rows with the failure as a note. */
const shown = (title: string, failure: string, rows: Row[], note?: ReactNode): PartShown =>
  rows.length > 0 && failure !== ''
    ? { title, failure: '', rows, note: failure }
    : { title, failure, rows, ...(note === undefined ? {} : { note }) };

const rowsOf = <P extends AboutPart>(
  parts: AboutParts,
  part: P,
  rows: (found: Found<P>) => Row[],
): [failure: string, rows: Row[]] => {
  const { found, failure } = parts[part];
  // The cast is safe, because the key identifies the part.
  return [failure, found === null ? [] : rows(found as Found<P>)];
};

export function partsShown({ parts, at }: About): PartShown[] {
  const now = parseTime(at);
  const [failed, versions] = rowsOf(parts, 'versions', versionRows);
  return [
    shown(i18n.translate('dyno.about.versions', { defaultMessage: 'Versions' }), failed, [
      ...versions,
      ...clusterVersions(parts),
    ]),
    shown(
      i18n.translate('dyno.about.results', { defaultMessage: 'Results cluster' }),
      ...rowsOf(parts, 'results', resultsRows),
    ),
    shown(
      i18n.translate('dyno.about.spool', { defaultMessage: 'Spool' }),
      ...rowsOf(parts, 'spool', spoolRows),
    ),
    shown(
      i18n.translate('dyno.about.collector', { defaultMessage: 'Collector' }),
      ...rowsOf(parts, 'collector', (found) => collectorRows(found, now)),
    ),
    shown(
      i18n.translate('dyno.about.work', { defaultMessage: 'Queue and schedules' }),
      failureOf(parts, 'runs', 'schedules'),
      workRows(parts),
    ),
    shown(
      i18n.translate('dyno.about.certification', { defaultMessage: 'Certification' }),
      ...rowsOf(parts, 'certification', certificationRows),
    ),
    shown(
      i18n.translate('dyno.about.machine', { defaultMessage: 'Machine' }),
      ...rowsOf(parts, 'machine', machineRows),
    ),
    shown(
      i18n.translate('dyno.about.disks', { defaultMessage: 'Disks' }),
      ...rowsOf(parts, 'disks', diskRows),
    ),
  ];
}
