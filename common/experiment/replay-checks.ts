/** What must fit between the parts of a task that replays a log, between it and its executor, and between it and the indices. */
import type { Problem } from '../problem';
import type { Definition, TaskDefinition } from './definition';
import { logOf } from '../generators/registry';
import { requestKey } from '../measurement/metric';
import { AS_DOCUMENTS, OWN_INDEX, typesOf, type ReplayDefinition, type ReplayRoute } from './replay';
import type { ResolvedCell } from './resolved-cells';

/** What does not fit in the tasks that replay. */
export function checkReplays(tasks: readonly TaskDefinition[]): Problem[] {
  return tasks.flatMap(({ replay, executor }, at): Problem[] => {
    if (replay === undefined) return [];
    const path = `tasks[${at}].replay`;
    const problems = checkMade(replay, path);
    if (executor.recorded !== undefined && replay.repeat) {
      problems.push({
        code: 'definition.recorded-repeat',
        path: `${path}.repeat`,
        message: 'a recorded log cannot repeat at its recorded pace',
        allowed: 'false, or clients or a rate as the executor',
      });
    }
    if (typeof replay.route === 'object') problems.push(...checkRoute(replay, replay.route, `${path}.route`));
    return problems;
  });
}

/** A made log is what it is. */
function checkMade({ generator, format, repeat, types }: ReplayDefinition, path: string): Problem[] {
  if (generator === undefined) return [];
  const problems: Problem[] = [];
  const wrong = (key: string, message: string, found: string, allowed: string): void => {
    problems.push({ code: 'definition.made-log', path: `${path}.${key}`, message, found, allowed });
  };
  if (format !== 'query-log')
    wrong('format', 'a generated log has its own format', format, 'query-log, or a file');
  if (repeat) wrong('repeat', 'a generated log has no end', 'true', 'false, or a file');
  const made = logOf(generator).types;
  for (const [at, type] of (types ?? []).entries())
    if (!made.includes(type))
      wrong(`types[${at}]`, 'the generated log has no such searches', type, made.join(', '));
  return problems;
}

function checkRoute(replay: ReplayDefinition, route: ReplayRoute, path: string): Problem[] {
  const { modulo, indices, names } = route;
  const problems = indices.flatMap((index, place): Problem[] =>
    typeof index === 'string' && index !== OWN_INDEX
      ? [
          {
            code: 'definition.route-index',
            path: `${path}.indices[${place}]`,
            message: 'the own indices of a trial have no names here',
            found: index,
            allowed: `${OWN_INDEX}, { ${OWN_INDEX}: NUMBER }, or { existing: NAME } for an existing index`,
          },
        ]
      : [],
  );
  const oneEach = (key: 'indices' | 'names', found: number, what: string): void => {
    if (found === modulo) return;
    problems.push({
      code: `definition.route-${key}`,
      path: `${path}.${key}`,
      message: `there is ${what} for each remainder of the division by ${modulo}`,
      found: String(found),
      allowed: `${modulo} of them`,
    });
  };
  oneEach('indices', indices.length, 'an index');
  if (names === undefined) return problems;
  oneEach('names', names.length, 'a name');
  const taken = (typesOf(replay) ?? []).map(requestKey);
  for (const [at, name] of names.entries()) {
    const key = requestKey(name);
    if (taken.includes(key))
      problems.push({
        code: 'definition.name-twice',
        path: `${path}.names[${at}]`,
        message: 'metrics cannot distinguish it from another name or from a search type',
        found: name,
        allowed: 'names that differ in letters or digits',
      });
    taken.push(key);
  }
  return problems;
}

/** Whether each cell has the indices that searches are routed to. */
export function checkRoutedIndices(cells: readonly ResolvedCell[]): Problem[] {
  const problems = new Map<string, Problem>();
  for (const { definition } of cells) {
    const { index, tasks } = definition;
    for (const [at, { replay }] of tasks.entries()) {
      if (replay?.route === undefined) continue;
      for (const problem of checkIndices(replay.route, index, `tasks[${at}].replay.route`))
        problems.set(problem.path, problem);
    }
  }
  return [...problems.values()];
}

function checkIndices(
  route: NonNullable<ReplayDefinition['route']>,
  { count, route: ofDocuments }: Pick<Definition['index'], 'count' | 'route'>,
  path: string,
): Problem[] {
  if (route === AS_DOCUMENTS) {
    if (count === 1 || typeof ofDocuments === 'object') return [];
    return [
      {
        code: 'definition.route-in-turn',
        path,
        message: 'documents go to the indices in turn, so no index belongs to a value',
        found: route,
        allowed: 'index.route: { field: ..., by: remainder | hash }, or no route',
      },
    ];
  }
  return route.indices.flatMap((own, place): Problem[] =>
    typeof own === 'object' && 'trial' in own && own.trial > count
      ? [
          {
            code: 'definition.route-index',
            path: `${path}.indices[${place}]`,
            message: count === 1 ? 'a trial has one index' : `a trial has ${count} indices`,
            found: `{ ${OWN_INDEX}: ${own.trial} }`,
            allowed: `1 to index.count, or ${OWN_INDEX} for all of them`,
          },
        ]
      : [],
  );
}
