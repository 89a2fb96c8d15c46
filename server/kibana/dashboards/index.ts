/** Defines all dashboards and data views that Dyno installs in a space. */
import { DASHBOARD_KINDS, type DashboardKind } from '../../../common/api/dashboards';
import type { SpaceId } from '../../results/space';
import { assemble, type DashboardDefinition } from './assemble';
import { dashboardId } from './ids';
import { DASHBOARDS_VERSION, markText } from './mark';
import { historyRuns } from './history-runs';
import { overview, transactionsDashboard } from './overview';
import { pressure } from './pressure';
import type { ImportedObject } from './saved-object';
import { waiting } from './waiting';

const DEFINITIONS: Readonly<
  Record<DashboardKind, (space: SpaceId, markdown: string) => DashboardDefinition>
> = {
  overview,
  history: historyRuns,
  transactions: transactionsDashboard,
  pressure: (_, markdown) => pressure(markdown),
  waiting: (_, markdown) => waiting(markdown),
};

export const definitionOf = (kind: DashboardKind, space: SpaceId, markdown = ''): DashboardDefinition =>
  DEFINITIONS[kind](space, markdown);

/** Returns Markdown links to Dyno and to the other dashboards. The links are relative, so they keep Kibana's base path and the space. */
function ways(kind: DashboardKind, space: SpaceId): string {
  const others = DASHBOARD_KINDS.filter((other) => other !== kind).map((other) => {
    const name = definitionOf(other, space).title.replace('Dyno: ', '');
    return `[${name}](#/view/${dashboardId(other, space)})`;
  });
  const pages = ['experiments', 'runs', 'compare', 'collector'].map((page) => `[${page}](dyno/${page})`);
  return `**In Dyno:** ${pages.join(' · ')}; on the page of a run, *Dashboards* leads back here, filtered to it.\n\n**Dashboards:** ${others.join(' · ')}\n\n`;
}

const NOTES: Readonly<Record<DashboardKind, string>> = {
  overview: 'Filter by `experiment.id`, `run.id` or `cell.label`. Runs of this space only.',
  history: 'Filter by `experiment.id` or `cell.label`. Runs of this space only.',
  transactions: 'Filter by `experiment.id`, `run.id` or `cell.label`. Runs of this space only.',
  pressure:
    'From the collector, all spaces. Filter by `experiment.id`, `run.id` or `elasticsearch.node.name`.',
  waiting:
    'From the collector, all spaces. Filter by `experiment.id`, `run.id` or `elasticsearch.node.name`.',
};

/** Returns a dashboard. `installed`: time of its installation, in ISO 8601 and UTC. */
export const dashboard = (kind: DashboardKind, space: SpaceId, installed: string): ImportedObject =>
  assemble(
    dashboardId(kind, space),
    definitionOf(
      kind,
      space,
      `${ways(kind, space)}${NOTES[kind]}\n\n${markText({ version: DASHBOARDS_VERSION, installed })}\n`,
    ),
    space,
  );
