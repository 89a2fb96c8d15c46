/** The table of all routes of the HTTP API. The server, the client and the OpenAPI document use this table. */
import { ABOUT_ROUTES } from './about';
import { ANNOTATION_ROUTES } from './annotations';
import { CERTIFICATION_ROUTES } from './certification';
import { DASHBOARD_ROUTES } from './dashboards';
import { DISTRIBUTION_ROUTES } from './distribution';
import { EXPERIMENT_ROUTES } from './experiments';
import { HOST_ROUTES } from './host';
import { RULE_ROUTES } from './rules';
import { RUN_FILE_ROUTES } from './run-files';
import { RUN_ROUTES } from './runs';
import { SAVED_SEARCH_ROUTES } from './saved-searches';
import { TARGET_ROUTES } from './targets';
import { TRAFFIC_ROUTES } from './traffic';
import { TRY_ROUTES } from './tries';
import { TUNING_ROUTES } from './tunings';

export const API = {
  ...HOST_ROUTES,
  ...ABOUT_ROUTES,
  ...EXPERIMENT_ROUTES,
  ...ANNOTATION_ROUTES,
  ...RUN_ROUTES,
  ...RUN_FILE_ROUTES,
  ...TARGET_ROUTES,
  ...TRY_ROUTES,
  ...RULE_ROUTES,
  ...DASHBOARD_ROUTES,
  ...SAVED_SEARCH_ROUTES,
  ...CERTIFICATION_ROUTES,
  ...DISTRIBUTION_ROUTES,
  ...TUNING_ROUTES,
  ...TRAFFIC_ROUTES,
};

export type Api = typeof API;
export type RouteName = keyof Api;
