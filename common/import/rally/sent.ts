/** Returns the requests that a converted definition sends. The importer compares them with the requests that Rally sends. */
import { parseExact } from '../../json/exact';
import { readDefinition } from '../../experiment/read';
import { drawnText, filled, type Drawn } from '../../requests/template';
import { requestJob, type WrittenRequest } from '../../tasks/request-list';
import type { Method } from '../../requests/kind';
import { drawn, type Wire } from './wire';

type Fields = Readonly<Record<string, unknown>>;

const parsed = (text: string): unknown => {
  try {
    return parseExact(text);
  } catch {
    return text;
  }
};

function wireOf({ method, path, body }: { method: Method; path: string; body: string | undefined }): Wire {
  const at = path.includes('?') ? path.indexOf('?') : path.length;
  const query = [...new URLSearchParams(path.slice(at))];
  const params = Object.fromEntries(query);
  // If a parameter occurs several times in the query string, the query string remains part of the path: an object could contain only one of
  // the values.
  const isWhole = Object.keys(params).length < query.length;
  return {
    method,
    path: isWhole ? path : path.slice(0, at),
    params: isWhole ? {} : params,
    ...(body === undefined ? {} : { body: parsed(body) }),
  };
}

/** Returns the requests of a definition, by the name of the task that sends them. */
export function sentBy(definition: Fields): Map<string, Wire[]> {
  const { tasks, index } = readDefinition(definition);
  const value = (name: string): Drawn =>
    drawnText(name === 'index' ? (index.existing ?? 'index') : drawn(name));
  return new Map(
    tasks.map((task) => {
      const requests = (task.requests?.list ?? task.transaction?.requests ?? []) as WrittenRequest[];
      return [
        task.name,
        requests.flatMap((request) =>
          requestJob(request).steps.map(({ method, path, body }) =>
            wireOf({
              method,
              path: filled(path, value),
              body: body === null ? undefined : filled(body, value),
            }),
          ),
        ),
      ];
    }),
  );
}
