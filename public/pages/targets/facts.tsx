/** Facts about a target: the cluster, its nodes, and what Dyno could not find out. */
import {
  EuiBasicTable,
  EuiCallOut,
  EuiDescriptionList,
  EuiHealth,
  EuiSpacer,
  EuiText,
  type EuiBasicTableColumn,
} from '@elastic/eui';
import type { ReactNode } from 'react';
import type { TargetFacts } from '../../../common/api/targets';
import { engineWithVersion, type Engine } from '../../../common/elasticsearch/engine';
import { WAY_OUT } from '../../../common/elasticsearch/modules';
import { formatBytes, formatNumber } from '../../../common/units/format';
import { i18n } from '../../i18n';

type Node = TargetFacts['nodes'][number];
type Health = NonNullable<TargetFacts['cluster']>['health'];

const HEALTH_COLOURS: Record<Health, string> = {
  green: 'success',
  yellow: 'warning',
  red: 'danger',
  unknown: 'subdued',
};

/** Shows the health of the cluster as a coloured dot with its name. */
export function ClusterHealth({ health }: { health: Health }): ReactNode {
  return <EuiHealth color={HEALTH_COLOURS[health]}>{health}</EuiHealth>;
}

function diskName(kind: string): string {
  if (kind === 'ssd') return i18n.translate('dyno.targets.disk.ssd', { defaultMessage: 'SSD' });
  if (kind === 'spinning')
    return i18n.translate('dyno.targets.disk.spinning', { defaultMessage: 'spinning' });
  return i18n.translate('dyno.targets.disk.unknown', { defaultMessage: 'SSD or spinning: not reported' });
}

/**
 * Returns the roles of a node as text. If the node has the role `data`, roles of data tiers such as `data_hot` are omitted, because `data`
 * includes them.
 */
const shortRoles = (roles: readonly string[]): string =>
  roles.filter((role) => !roles.includes('data') || !role.startsWith('data_')).join(', ');

const columns = (engine: Engine): EuiBasicTableColumn<Node>[] => [
  { field: 'name', name: i18n.translate('dyno.targets.node.name', { defaultMessage: 'Node' }) },
  {
    field: 'roles',
    name: i18n.translate('dyno.targets.node.roles', { defaultMessage: 'Roles' }),
    render: (roles: string[]) => <EuiText size="xs">{shortRoles(roles)}</EuiText>,
    width: '18%',
  },
  {
    field: 'cores',
    name: i18n.translate('dyno.targets.node.cores', { defaultMessage: 'Cores' }),
    align: 'right',
    render: (cores: number) => formatNumber(cores),
  },
  {
    field: 'memoryBytes',
    name: i18n.translate('dyno.targets.node.memory', { defaultMessage: 'Memory' }),
    align: 'right',
    render: (bytes: number) => formatBytes(bytes),
  },
  {
    field: 'heapBytes',
    name: i18n.translate('dyno.targets.node.heap', { defaultMessage: 'Heap' }),
    align: 'right',
    render: (bytes: number) => formatBytes(bytes),
  },
  {
    name: i18n.translate('dyno.targets.node.disk', { defaultMessage: 'Disk, free of total' }),
    align: 'right',
    width: '20%',
    render: ({ disk, diskFreeBytes, diskTotalBytes }: Node) =>
      `${diskName(disk)}, ${formatBytes(diskFreeBytes)} / ${formatBytes(diskTotalBytes)}`,
  },
  {
    name: i18n.translate('dyno.targets.node.software', { defaultMessage: 'Software' }),
    render: ({ version, jvm, os }: Node) => (
      <EuiText size="xs">
        {engineWithVersion({ engine, version })}
        <br />
        {jvm}
        <br />
        {os}
      </EuiText>
    ),
    width: '22%',
  },
];

function Unreachable({ problem }: { problem: string }): ReactNode {
  return (
    <EuiCallOut
      announceOnMount
      color="danger"
      iconType="error"
      title={i18n.translate('dyno.targets.facts.problem', {
        defaultMessage: 'Dyno could not use this target',
      })}
    >
      <p>{problem}</p>
    </EuiCallOut>
  );
}

/**
 * Lists the modules of Elasticsearch that the target's distribution lacks, and what each module provides. `offer`: content below the list,
 * such as a download.
 */
function Missing({ missing, offer }: Pick<TargetFacts, 'missing'> & { offer: ReactNode }): ReactNode {
  if (missing.length === 0) return null;
  return (
    <>
      <EuiSpacer />
      <EuiCallOut
        announceOnMount={false}
        size="s"
        iconType="info"
        title={i18n.translate('dyno.targets.reduced', {
          defaultMessage:
            'Reduced distribution: {count, plural, one {# module is} other {# modules are}} missing',
          values: { count: missing.length },
        })}
      >
        <p>{WAY_OUT}.</p>
        <ul>
          {missing.map(({ module, brings }) => (
            <li key={module}>
              <code>{module}</code>: {brings}
            </li>
          ))}
        </ul>
        {offer}
      </EuiCallOut>
      <EuiSpacer size="s" />
    </>
  );
}

/** Shows the facts about a target. `offer`: content below the list of missing modules, such as a download. */
export function Facts({ facts, offer = null }: { facts: TargetFacts; offer?: ReactNode }): ReactNode {
  const { cluster, nodes, missing, notes, problem, tookMs } = facts;
  return (
    <>
      {problem === '' ? null : <Unreachable problem={problem} />}
      {cluster === null ? null : (
        <>
          {problem === '' ? null : <EuiSpacer />}
          <EuiDescriptionList
            type="column"
            compressed
            columnWidths={[1, 3]}
            listItems={[
              {
                title: i18n.translate('dyno.targets.facts.cluster', { defaultMessage: 'Cluster' }),
                description: cluster.name,
              },
              {
                title: i18n.translate('dyno.targets.facts.version', { defaultMessage: 'Version' }),
                description: `${engineWithVersion(cluster)}${
                  cluster.serverless ? ', serverless' : missing.length > 0 ? ', reduced distribution' : ''
                }`,
              },
              {
                title: i18n.translate('dyno.targets.facts.health', { defaultMessage: 'Health' }),
                description: <ClusterHealth health={cluster.health} />,
              },
              {
                title: i18n.translate('dyno.targets.facts.answered', { defaultMessage: 'Answered within' }),
                description: `${formatNumber(Math.round(tookMs))} ms`,
              },
            ]}
          />
          <EuiSpacer />
          <EuiBasicTable
            tableCaption={i18n.translate('dyno.targets.facts.nodes', {
              defaultMessage: 'Nodes of the cluster',
            })}
            items={nodes}
            columns={columns(cluster.engine)}
            itemId="name"
          />
          <Missing missing={missing} offer={offer} />
        </>
      )}
      {notes.length === 0 ? null : (
        <EuiText size="s" color="subdued">
          <ul>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </EuiText>
      )}
    </>
  );
}
