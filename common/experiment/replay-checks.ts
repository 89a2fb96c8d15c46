/** What must fit between the parts of a task that replays a log, and between it and its executor. */
import type { Problem } from '../problem';
import type { TaskDefinition } from './definition';
import { OWN_INDEX, type ReplayDefinition } from './replay';

/** What does not fit in the tasks that replay, or are paced by a log. */
export function checkReplays(tasks: readonly TaskDefinition[]): Problem[] {
  return tasks.flatMap(({ replay, executor }, at): Problem[] => {
    const recorded = executor.recorded !== undefined;
    if (replay === undefined) {
      return recorded
        ? [
            {
              code: 'definition.recorded-without-replay',
              path: `tasks[${at}].executor.recorded`,
              message: 'only a recorded log has a recorded pace',
              allowed: 'a task with replay, or another executor',
            },
          ]
        : [];
    }
    const path = `tasks[${at}].replay`;
    const problems: Problem[] = [];
    if (recorded && replay.repeat) {
      problems.push({
        code: 'definition.recorded-repeat',
        path: `${path}.repeat`,
        message: 'the recorded pace ends with its log',
        allowed: 'false, or clients or a rate as the executor',
      });
    }
    if (replay.route) problems.push(...checkRoute(replay.route, `${path}.route`));
    return problems;
  });
}

function checkRoute({ modulo, indices }: NonNullable<ReplayDefinition['route']>, path: string): Problem[] {
  const unknown = indices.flatMap((index, place): Problem[] =>
    typeof index === 'string' && index !== OWN_INDEX
      ? [
          {
            code: 'definition.route-index',
            path: `${path}.indices[${place}]`,
            message: 'the own indices of a trial have no names here',
            found: index,
            allowed: `${OWN_INDEX}, or { existing: NAME } for one that stands already`,
          },
        ]
      : [],
  );
  if (indices.length === modulo) return unknown;
  return [
    ...unknown,
    {
      code: 'definition.route-indices',
      path: `${path}.indices`,
      message: `there is an index for each remainder of the division by ${modulo}`,
      found: String(indices.length),
      allowed: `${modulo} of them`,
    },
  ];
}
