/**
 * Schemas of stored documents whose TypeScript types are defined in other folders of `common`. Only the top-level keys are validated,
 * because Dyno wrote these documents itself, with the same types.
 */
import * as z from 'zod';
import type { Progress } from '../measurement/progress';
import type { RunDocument } from '../experiment/run';
import type { Profile } from '../report/model/profile';
import type { Report } from '../report/model/report';
import type { RunComparison } from '../report/model/comparison';
import type { Definition } from '../experiment/definition';
import type { Confirmation } from '../history/confirm';
import type { History } from '../history/history';
import type { Tuning, TuningPlan } from '../tuning/tuning';

/**
 * Returns the schema of a document of type T. `title`: name of the schema in the OpenAPI document. `keys`: keys that the document must
 * have.
 */
const documentOf = <T>(title: string, keys: readonly (keyof T & string)[]): z.ZodType<T> =>
  z
    .looseObject(Object.fromEntries(keys.map((key) => [key, z.unknown()])))
    .meta({ title }) as unknown as z.ZodType<T>;

export const definitionDocument = documentOf<Definition>('Definition', [
  'version',
  'name',
  'tasks',
  'measure',
]);
export const runDocument = documentOf<RunDocument>('Run', [
  'run',
  'experiment',
  'definition',
  'plan',
  'progress',
  'events',
]);
export const reportDocument = documentOf<Report>('Report', ['report', 'run', 'cells', 'verdict', 'trials']);
export const profileDocument = documentOf<Profile>('Profile of a run', ['cells', 'cell', 'tree', 'changes']);
export const comparisonDocument = documentOf<RunComparison>('Comparison of runs', []);
export const historyDocument = documentOf<History>('History of an experiment', [
  'experiment',
  'margin',
  'nights',
  'bands',
  'cuts',
  'series',
  'changes',
  'notes',
  'baseline',
]);
export const confirmationDocument = documentOf<Confirmation>('Confirmation of a change', [
  'metric',
  'cell',
  'good',
  'bad',
  'text',
  'sentence',
  'notes',
]);
export const progressDocument = documentOf<Progress>('Progress', [
  'runId',
  'completed',
  'trials',
  'phase',
  'tasks',
]);
export const tuningDocument = documentOf<Tuning>('Tuning', [
  'id',
  'name',
  'state',
  'request',
  'plan',
  'stages',
]);
export const tuningPlanDocument = documentOf<TuningPlan>('Plan of a tuning', ['candidates', 'rounds', 'ms']);
