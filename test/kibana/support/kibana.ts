/** Functions for tests of the plugin in a running Kibana, whose URL is in `KIBANA_URL`. */
import type { Page } from 'playwright-core';
import type { RoleNeeds } from '../../../common/privileges';

/** URL such as `http://elastic:changeme@localhost:5601/base`. Undefined or '' if no Kibana is available; its tests are then skipped. */
const GIVEN = process.env['KIBANA_URL'];

const url = GIVEN === undefined || GIVEN === '' ? undefined : new URL(GIVEN);

/** Works as `describe` does, but skips the tests if `KIBANA_URL` names no Kibana. The name of the skipped tests contains the reason. */
export const describeKibana = (name: string, tests: () => void): void => {
  if (url) describe(name, tests);
  else describe.skip(`${name} (skipped: set KIBANA_URL to a Kibana with the plugin)`, tests);
};

/** URL of the Elasticsearch that this Kibana uses, with credentials that may create users. */
const GIVEN_ELASTICSEARCH = process.env['ES_URL'];

/** Works as {@link describeKibana} does, but also skips the tests if `ES_URL` does not name the Elasticsearch that this Kibana uses. */
export const describeWithElasticsearch = (name: string, tests: () => void): void => {
  if (url && GIVEN_ELASTICSEARCH) describe(name, tests);
  else describe.skip(`${name} (skipped: KIBANA_URL or ES_URL is missing)`, tests);
};

/** Sends a request to Kibana's Elasticsearch. A string is sent as NDJSON. */
export async function askElasticsearch<T = unknown>(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: T }> {
  const cluster = new URL(GIVEN_ELASTICSEARCH!);
  const known =
    cluster.username === ''
      ? undefined
      : { username: cluster.username, password: decodeURIComponent(cluster.password) };
  const response = await fetch(cluster.origin + path, {
    method,
    headers: {
      'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json',
      ...(known ? headers(known) : {}),
    },
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as T };
}

/**
 * Works as {@link describeKibana} does, but also skips the tests if users cannot be created: without a user in `KIBANA_URL`, or without
 * `ES_URL`.
 */
export const describeSecured = (name: string, tests: () => void): void => {
  if (url && url.username !== '' && GIVEN_ELASTICSEARCH) describe(name, tests);
  else describe.skip(`${name} (skipped: KIBANA_URL has no user, or ES_URL is missing)`, tests);
};

/** Creates a user with a role that grants these privileges. Returns the user's credentials for {@link ask}. */
export async function makeUser(
  name: string,
  { elasticsearch, feature }: Pick<RoleNeeds, 'elasticsearch' | 'feature'>,
): Promise<Credentials> {
  const role = await ask('PUT', `/api/security/role/${name}`, {
    elasticsearch,
    kibana: [{ base: [], feature: { dyno: [feature] }, spaces: ['*'] }],
  });
  if (role.status !== 204) throw new Error(`the role ${name}: ${role.status}`);
  const cluster = new URL(GIVEN_ELASTICSEARCH!);
  const made = { username: name, password: 'changeme-9' };
  const response = await fetch(`${cluster.origin}/_security/user/${name}`, {
    method: 'PUT',
    headers: {
      'content-type': 'application/json',
      ...headers({ username: cluster.username, password: decodeURIComponent(cluster.password) }),
    },
    body: JSON.stringify({ password: made.password, roles: [name] }),
  });
  if (!response.ok) throw new Error(`the user ${name}: ${response.status}`);
  return made;
}

/** Returns the URL of Kibana without credentials and without a slash at its end. */
export const base = (): string => `${url!.origin}${url!.pathname.replace(/\/+$/, '')}`;

export interface Credentials {
  username: string;
  password: string;
}

const credentials = (): Credentials | undefined =>
  url!.username === ''
    ? undefined
    : { username: decodeURIComponent(url!.username), password: decodeURIComponent(url!.password) };

const headers = (known = credentials()): Record<string, string> => {
  if (!known) return {};
  const token = Buffer.from(`${known.username}:${known.password}`).toString('base64');
  return { authorization: `Basic ${token}` };
};

export interface Answer<T> {
  status: number;
  body: T;
  headers: Headers;
}

/** Sends a request to Kibana. `as`: another user than that in the URL of Kibana. */
export async function ask<T = unknown>(
  method: string,
  path: string,
  body?: unknown,
  as?: Credentials,
): Promise<Answer<T>> {
  const response = await fetch(base() + path, {
    method,
    headers: {
      ...headers(as),
      ...(method === 'GET' ? {} : { 'kbn-xsrf': 'test' }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json') === true;
  return { status: response.status, body: (json ? JSON.parse(text) : text) as T, headers: response.headers };
}

/** Reads server-sent events until `enough` returns true or the stream ends. Returns the data of the events. */
export async function events(path: string, enough: (data: unknown) => boolean): Promise<unknown[]> {
  const abort = new AbortController();
  const response = await fetch(base() + path, { headers: headers(), signal: abort.signal });
  if (!response.ok || !response.body) throw new Error(`${path} answers ${response.status}`);
  const found: unknown[] = [];
  let rest = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body) {
      rest += decoder.decode(chunk as Uint8Array, { stream: true });
      const messages = rest.split('\n\n');
      rest = messages.pop()!;
      for (const message of messages) {
        if (!message.startsWith('data: ')) continue;
        found.push(JSON.parse(message.slice('data: '.length)));
        if (enough(found.at(-1))) return found;
      }
    }
    return found;
  } finally {
    abort.abort();
  }
}

/** Chooses the dark or the light theme of Kibana. The choice applies to pages that are loaded later. */
export async function chooseDark(dark: boolean): Promise<void> {
  const change = (path: string): Promise<Response> =>
    fetch(base() + path, {
      method: 'POST',
      headers: {
        ...headers(),
        'content-type': 'application/json',
        'kbn-xsrf': 'test',
        'x-elastic-internal-origin': 'test',
      },
      body: JSON.stringify({ changes: { 'theme:darkMode': dark } }),
    });
  // Kibana 8.8 and later have the first path, earlier versions the second one.
  let answer = await change('/internal/kibana/settings');
  if (answer.status === 404) answer = await change('/api/kibana/settings');
  if (!answer.ok) throw new Error(`theme:darkMode: ${answer.status}`);
}

/** Logs in if Kibana shows its login page. */
export async function logIn(page: Page): Promise<void> {
  const known = credentials();
  if (!known) return;
  await page.goto(`${base()}/login`);
  await page.locator('[data-test-subj="loginUsername"]').fill(known.username);
  await page.locator('[data-test-subj="loginPassword"]').fill(known.password);
  await page.locator('[data-test-subj="loginSubmit"]').click();
  await page.waitForURL((now) => !now.pathname.endsWith('/login'));
}
