/** Routes of the dashboards. On a host without dashboards, these routes return an error. */
import type { DASHBOARD_ROUTES } from '../../common/api/dashboards';
import { inputError } from '../../common/problem';
import type { HandlersOf } from './handler';
import type { Services } from './services';

export const dashboardHandlers = ({
  dashboards,
}: Pick<Services, 'dashboards'>): HandlersOf<typeof DASHBOARD_ROUTES> => ({
  listDashboards: async () => (dashboards ? dashboards.list() : { space: null, dashboards: [] }),

  async installDashboards({ body: { replace } }) {
    if (dashboards) return dashboards.install(replace);
    throw inputError('dashboards.none', '', 'there are no dashboards here: they are part of Kibana');
  },
});
