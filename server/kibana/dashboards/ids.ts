/**
 * Ids of the dashboards and data views that Dyno installs. An id contains the Kibana space. In the same space of another Kibana, it is the
 * same.
 */
import type { DashboardKind } from '../../../common/api/dashboards';
import type { SpaceId } from '../../results/space';

/**
 * Returns the id of a dashboard in a space. Ids must be unique across all spaces of Kibana, so the id contains the space. Otherwise, Kibana
 * would change the id when Dyno installs the dashboard in a second space. Dyno could then not distinguish its dashboard from a copy that a
 * user made.
 */
export const dashboardId = (kind: DashboardKind, space: SpaceId): string => `dyno-${kind}-${space}`;

export type DataViewName = 'runs' | 'trials' | 'samples' | 'metrics';

export const dataViewId = (name: DataViewName, space: SpaceId): string => `dyno-${name}-${space}`;
