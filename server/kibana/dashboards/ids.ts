/** Ids of the installed objects. An id contains the Kibana space, but is the same in every installation of Kibana. */
import type { DashboardKind } from '../../../common/api/dashboards';
import type { SpaceId } from '../../results/space';

/**
 * Returns the id of a dashboard. It contains the space, because ids must be unique across all spaces of Kibana. Otherwise, Kibana would
 * change the id when Dyno installs the dashboard in a second space. Dyno could then not distinguish this dashboard from a copy that a user
 * made.
 */
export const dashboardId = (kind: DashboardKind, space: SpaceId): string => `dyno-${kind}-${space}`;

export type DataViewName = 'runs' | 'trials' | 'samples' | 'metrics';

export const dataViewId = (name: DataViewName, space: SpaceId): string => `dyno-${name}-${space}`;
