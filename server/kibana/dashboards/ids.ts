/** Ids of the installed objects. They are the same in every installation and differ between spaces. */
import type { DashboardKind } from '../../../common/api/dashboards';
import type { SpaceId } from '../../results/space';

/**
 * Returns the id of a dashboard, which contains the space. Ids must be unique across all spaces of Kibana. If the id did not contain the
 * space, Kibana would change it in a second space. Dyno could then confuse its dashboard there with a copy.
 */
export const dashboardId = (kind: DashboardKind, space: SpaceId): string => `dyno-${kind}-${space}`;

export type DataViewName = 'runs' | 'trials' | 'samples' | 'metrics';

export const dataViewId = (name: DataViewName, space: SpaceId): string => `dyno-${name}-${space}`;
