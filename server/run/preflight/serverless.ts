/** Finds the parts of a definition that Elastic Cloud Serverless does not offer. */
import { isServerlessPath, isServerlessSetting } from '../../../common/elasticsearch/serverless';
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import { DynoError, type Problem } from '../../../common/problem';
import type { RequestJob } from '../../../common/tasks/request-list';
import { taskPath, type OperationJob } from '../../../common/tasks/registry';
import type { Template } from '../../../common/requests/template';

const NAME = 'Elastic Cloud Serverless';

/** Returns the requests of a task's definition. */
function requestsOf(operation: OperationJob): readonly RequestJob[] {
  if (operation.kind === 'requests') return operation.requests;
  return operation.kind === 'transaction' ? operation.parts : [];
}

/** Returns a path with the names of parameters instead of values, and without the query string. */
const shownPath = (path: Template): string =>
  path
    .map((piece) => (typeof piece === 'string' ? piece : `{{${piece.parameter}}}`))
    .join('')
    .split('?')[0]!;

function problemsOf(own: CellDefinition, operations: readonly OperationJob[]): Problem[] {
  const problems: Problem[] = [];
  const refuse = (path: string, message: string, allowed: string): void => {
    problems.push({ code: 'target.serverless', path, message, allowed });
  };
  const left = 'a definition without it, or another target';
  if (own.index.existing === undefined) {
    for (const setting of Object.keys(own.index.settings).filter((name) => !isServerlessSetting(name))) {
      refuse(`index.settings.${setting}`, `${NAME} sets this by itself`, left);
    }
    if (own.index.allocation !== 'none') {
      refuse('index.allocation', `${NAME} does not report where its shards are`, left);
    }
  }
  for (const setting of Object.keys(own.cluster.settings)) {
    refuse(`cluster.settings.${setting}`, `${NAME} does not allow changes of cluster settings`, left);
  }
  if (own.measure.caches === 'cold') {
    refuse('measure.caches', `${NAME} does not offer emptying of caches`, left);
  }
  for (const key of ['force-merge', 'disk-usage', 'recipe'] as const) {
    if (own.measure[key] !== undefined && own.measure[key] !== false) {
      refuse(`measure.${key}`, `${NAME} does not offer the API that it needs`, left);
    }
  }
  operations.forEach((operation, at) => {
    requestsOf(operation).forEach(({ name, kind, steps }, place) => {
      const path = steps.map((step) => shownPath(step.path)).find((one) => !isServerlessPath(one));
      if (path === undefined) return;
      const task = own.tasks[at]!;
      refuse(
        `${taskPath(task, at)}.${task.requests === undefined ? 'requests' : 'list'}[${place}]`,
        `the request ${name} (${kind}) uses ${path}, which ${NAME} does not offer`,
        'other requests, or another target',
      );
    });
  });
  return problems;
}

/** Throws a DynoError `target.serverless` (input) that lists all problems, each once. `operations`: the operations of each cell. */
export function checkServerless(
  cells: readonly { definition: CellDefinition; operations: readonly OperationJob[] }[],
): void {
  const problems = new Map<string, Problem>();
  for (const { definition, operations } of cells) {
    for (const problem of problemsOf(definition, operations)) {
      problems.set(`${problem.path} ${problem.message}`, problem);
    }
  }
  if (problems.size > 0) throw new DynoError('input', [...problems.values()]);
}
