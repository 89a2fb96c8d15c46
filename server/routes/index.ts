/** Collects the handlers of all routes, for a host to register. */
import type { Handlers } from './handler';
import { annotationHandlers } from './annotations';
import { dashboardHandlers } from './dashboards';
import { withExample } from './example';
import { experimentHandlers } from './experiments';
import { hostHandlers } from './host';
import { reportCache } from './report-cache';
import { ruleHandlers } from './rules';
import { runFileHandlers } from './run-files';
import { runHandlers } from './runs';
import type { Services } from './services';
import { savedSearchHandlers } from './saved-searches';
import { targetHandlers } from './targets';
import { trafficHandlers } from './traffic';
import { tryHandlers } from './tries';
import { tuningHandlers } from './tunings';

export function createHandlers(given: Services): Handlers {
  const services = given.example ? withExample(given, given.example) : given;
  const reports = reportCache({ ...services, memory: services.reports });
  return {
    ...hostHandlers(services),
    ...experimentHandlers(services),
    ...annotationHandlers(services),
    ...runHandlers(services, reports),
    ...runFileHandlers(services),
    ...targetHandlers(services),
    ...tryHandlers(services),
    ...dashboardHandlers(services),
    ...savedSearchHandlers(services),
    ...ruleHandlers(services),
    ...tuningHandlers(services),
    ...trafficHandlers(services),
  };
}
