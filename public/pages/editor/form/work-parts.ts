/** The parts of the forms of tasks that have components of their own, by the names under which descriptions ask for them. */
import type { FormPart } from '../../../../common/tasks/kind';
import type { Part } from './described';
import { LogFields } from './log-fields';
import { ParseFields } from './parse-fields';
import { ReplayRoute } from './replay-route';
import { DrawnRequests, DrawnSearches, ParametersFields, SearchesInOrder } from './request-fields';
import { SourceFields } from './source-fields';
import { WindowFields } from './window-fields';

export const WORK_PARTS: Readonly<Record<FormPart, Part>> = {
  source: SourceFields,
  parse: ParseFields,
  'drawn-requests': DrawnRequests,
  'drawn-searches': DrawnSearches,
  parameters: ParametersFields,
  'searches-in-order': SearchesInOrder,
  window: WindowFields,
  log: LogFields,
  route: ReplayRoute,
};
