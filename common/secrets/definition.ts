/**
 * Finds and removes credentials in definitions: in headers, parameters of the query string, and bodies. The document of a run contains the
 * credentials, because the run has to send them. Everything that is shown or exported contains `[removed]` instead.
 */
import { isCredential, isSecretName } from './redact';
import { REMOVED } from './removed';

type Change = (secret: string, path: string) => string;

/**
 * Matches names in a body that are only used for credentials. It does not match names such as `session` and `token`, because ordinary
 * documents have fields with these names.
 */
const CREDENTIAL =
  /(?:^|[._-])(?:password|passwd|passphrase|secret|api_?-?key|(?:access|secret|private)_?-?key)$/i;
const IN_JSON = new RegExp(
  `("(?:[\\w.-]*[._-])?${CREDENTIAL.source.slice('(?:^|[._-])'.length, -1)}"\\s*:\\s*")((?:[^"\\\\]|\\\\.)+)"`,
  'gi',
);
const IN_QUERY = /([?&]([\w.-]+)=)([^&#\s]+)/g;
const PLACEHOLDER = /\{\{\s*([\w.-]+)/g;

const isSecretHeader = (name: string, value: unknown): boolean =>
  isSecretName(name) || /-key$/i.test(name) || (typeof value === 'string' && isCredential(value));

/** Whether the value of `name` is a secret. `group`: the part of the definition that contains it, such as `headers`. */
function isSecretIn(group: string, name: string, value: unknown): boolean {
  if (group === 'headers') return isSecretHeader(name, value);
  return group === 'params' && isSecretName(name);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const joined = (path: string, key: string | number): string =>
  typeof key === 'number' ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;

/** Returns a copy of `value`, in which the result of `change` replaces each text. */
function everyText(value: unknown, path: string, change: Change): unknown {
  if (typeof value === 'string') return value === '' ? value : change(value, path);
  if (typeof value === 'number') return change(String(value), path);
  if (Array.isArray(value)) return value.map((one, i) => everyText(one, joined(path, i), change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'weight' ? inner : everyText(inner, joined(path, key), change),
    ]),
  );
}

/** Returns the names of the parameters (`{{name}}`) in secret headers. Their values are therefore secret too. */
function parametersOfSecrets(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const one of value) parametersOfSecrets(one, found);
  if (!isObject(value)) return found;
  for (const [key, inner] of Object.entries(value)) {
    parametersOfSecrets(inner, found);
    if ((key !== 'headers' && key !== 'params') || !isObject(inner)) continue;
    for (const [name, text] of Object.entries(inner))
      if (isSecretIn(key, name, text))
        for (const [, parameter = ''] of String(text).matchAll(PLACEHOLDER)) found.add(parameter);
  }
  return found;
}

/** Returns a copy of `definition`, in which the result of `change` replaces each secret. */
function changed(definition: unknown, change: Change): unknown {
  const parameters = parametersOfSecrets(definition);
  const isSecretAt = (group: string, key: string, inner: unknown): boolean => {
    if (isSecretIn(group, key, inner)) return true;
    if (group === 'parameters') return isSecretName(key) || parameters.has(key);
    // A factor refers to its value by a path.
    const [, within = '', name = ''] = /(?:^|\.)(headers|params)\.([^.]+)$/.exec(key) ?? [];
    return isSecretIn(within, name, inner);
  };
  const walk = (value: unknown, path: string, group: string): unknown => {
    if (typeof value === 'string')
      return value
        .replaceAll(IN_JSON, (_, begin: string, secret: string) => `${begin}${change(secret, path)}"`)
        .replaceAll(IN_QUERY, (whole: string, begin: string, name: string, secret: string) =>
          isSecretName(name) ? `${begin}${change(secret, path)}` : whole,
        );
    if (Array.isArray(value)) return value.map((one, i) => walk(one, joined(path, i), group));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        const place = joined(path, key);
        if (isSecretAt(group, key, inner)) return [key, everyText(inner, place, change)];
        if (typeof inner === 'string' && inner !== '' && CREDENTIAL.test(key))
          return [key, change(inner, place)];
        // A factor may vary a whole group, such as all headers. In this case, the key is the path of the group, and its last part is the
        // name of the group.
        return [key, walk(inner, place, key.slice(key.lastIndexOf('.') + 1))];
      }),
    );
  };
  return walk(definition, '', '');
}

/**
 * Minimum length, in characters, of secrets that are removed from other texts. Shorter secrets, and numbers, also occur in ordinary texts.
 */
const SHORTEST = 8;

/**
 * Returns a function that removes the secrets of `definition` from a document. They may be in the definition itself or in other fields,
 * such as names of factor levels. A document without secrets is returned as the same object.
 */
export function secretRemover(definition: unknown): <T>(document: T) => T {
  const secrets = new Set<string>();
  changed(definition, (secret) => {
    secrets.add(secret);
    return secret;
  });
  if (secrets.size === 0) return (document) => document;
  const long = [...secrets]
    .flatMap((secret) => [secret, secret.replace(/^[\w-]+\s+/, '')])
    .filter((secret) => secret.length >= SHORTEST && !/^\d+$/.test(secret) && secret !== REMOVED)
    .sort((a, b) => b.length - a.length);
  const without = (text: string): string => {
    let out = text;
    for (const secret of long) out = withoutBeginning(out, secret);
    return out;
  };
  const everywhere = (value: unknown): unknown => {
    if (typeof value === 'string') return without(value);
    if (Array.isArray(value)) return value.map(everywhere);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [without(key), everywhere(inner)]));
  };
  return <T>(document: T): T => everywhere(changed(document, () => REMOVED)) as T;
}

/** Removes secrets from one document that contains `definition`. See {@link secretRemover}. */
export const withoutSecrets = <T>(document: T, definition: unknown): T => secretRemover(definition)(document);

/**
 * Number of characters at the beginning of a secret that are enough to recognise it. A text such as a label may contain only the beginning
 * of a long secret, because it is cut off.
 */
const BEGINNING = 16;

function withoutBeginning(text: string, secret: string): string {
  const beginning = secret.slice(0, BEGINNING);
  let out = text;
  for (let at = out.indexOf(beginning); at !== -1; at = out.indexOf(beginning, at + REMOVED.length)) {
    let length = beginning.length;
    while (length < secret.length && out[at + length] === secret[length]) length += 1;
    out = out.slice(0, at) + REMOVED + out.slice(at + length);
  }
  return out;
}

/** Whether the path of a value in a definition shows that the value is a credential. */
export function isSecretPath(path: string): boolean {
  const [, group = '', name = ''] = /(?:^|\.)(headers|params)\.([^.[]+)[^.]*$/.exec(path) ?? [];
  return isSecretIn(group, name, '') || CREDENTIAL.test(path);
}

/** Returns the paths at which secrets were removed from a definition. A run cannot send these secrets. */
export function removedSecrets(definition: unknown): string[] {
  const paths: string[] = [];
  changed(definition, (secret, path) => {
    if (secret.includes(REMOVED)) paths.push(path);
    return secret;
  });
  return paths;
}
