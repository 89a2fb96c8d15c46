/**
 * Removes secrets from everything that others may read. No other code recognises secrets. They are recognised by the name of the value, by
 * their form, and by comparison with the secrets that this process knows.
 *
 * If it is uncertain whether a value is a secret, it is removed, because a line without the value still says what happened.
 */

import { splitAddresses, decodePart } from './address';
import { nearest } from '../near';
import { REMOVED } from './removed';

export { REMOVED };

/** Minimum length, in characters, of known secrets that are removed from texts. Shorter secrets also occur in ordinary words. */
const SHORTEST_KNOWN = 4;
/** Minimum length, in characters, of a part of a webhook's path that counts as a secret. Shorter parts are usually ordinary words. */
const SHORTEST_TOKEN = 8;

/** Words in the name of a secret, in camel case, snake case, kebab case or with dots. */
const SECRET_WORDS = new Set([
  ...['password', 'passwd', 'passwort', 'pwd', 'passphrase', 'passcode', 'pass', 'pw'],
  ...['secret', 'secrets', 'token', 'tokens', 'apikey', 'apikeys', 'credential', 'credentials'],
  ...['authorization', 'authorisation', 'auth', 'bearer', 'jwt', 'cookie', 'cookies', 'sid', 'session'],
  ...['signature', 'sig', 'otp', 'privatekey', 'accesskey', 'secretkey', 'encryptionkey', 'keypassphrase'],
]);

/** Pairs of words in the name of a secret: `api key`, `private-key`. */
const SECRET_PAIRS = new Set([
  ...['api key', 'api keys', 'private key', 'access key', 'secret key', 'encryption key', 'shared key'],
  ...['signing key', 'master key', 'account key', 'connection string', 'client key', 'ssh key'],
]);

const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

/** Whether this may be the name of a secret: `apiKey`, `DYNO_TARGET_API_KEY`, `xpack.security.http.ssl.keystore.secure_password`. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  return words.some(
    (word, i) => SECRET_WORDS.has(word) || (i > 0 && SECRET_PAIRS.has(`${words[i - 1]!} ${word}`)),
  );
}

/** Names of secrets whose misspellings are also recognised. */
const OFTEN_MISSPELT = [
  'password',
  'passphrase',
  'authorization',
  'credentials',
  'apikey',
  'x-api-key',
  'secret',
];

/**
 * Returns whether this may be the name of a secret. Unlike `isSecretName`, it recognises names of headers and misspelt names too. It is
 * only used for text that is shown.
 */
export const isSecretHeaderName = (name: string): boolean =>
  isSecretName(name) || /-key$/i.test(name) || nearest(name, OFTEN_MISSPELT) !== undefined;

/** Matches a name and the separator before its value: `password: x`, `"apiKey":"x"`, `--token x`, `['Cookie', 'x']`, `secret [x]`. */
const NAMED =
  /(?<before>^|[^\w.-])(?<dashes>-{1,2})?(?<open>\\*["']?)(?<name>[A-Za-z][\w.-]{0,120})\k<open>(?<between>\s*(?:=>|[:=])[ \t]*|[ \t]+(?=\[)|,[ \t]*(?=\\*["'])|[ \t]+)/g;

/** Largest number of characters of a quoted value, and of a list of values. */
const LONGEST_QUOTED = 10_000;
const LONGEST_LIST = 20_000;

/** Returns the position at which the value that begins at `from` ends. */
function valueEnd(text: string, from: number, toLineEnd: boolean): number {
  const quoted = /^(\\*)(["'`])/.exec(text.slice(from, from + 12));
  if (quoted) {
    const [opening, slashes = ''] = quoted;
    // A value without a closing quote ends after a maximum length, because the quote may have been cut off.
    const last = Math.min(text.length, from + LONGEST_QUOTED);
    for (let i = from + opening.length; i < last; i += 1) {
      if (!text.startsWith(opening, i)) continue;
      // A quote after more backslashes than the opening quote is a part of the value.
      let before = 0;
      while (text[i - 1 - before] === '\\') before += 1;
      if (slashes === '' ? before % 2 === 1 : before > 0) continue;
      return i + opening.length;
    }
    return last;
  }
  if (text[from] === '[' || text[from] === '{') {
    const end = endOfBrackets(text, from);
    if (end !== undefined) return end;
  }
  const rest = text.slice(from);
  const length = toLineEnd ? /^[^\r\n]*/.exec(rest)![0].length : /^[^\s&"'`<>]*/.exec(rest)![0].length;
  return from + length;
}

/** Returns the position after the bracket that closes the one at `from`; undefined if it is not found within the maximum length. */
function endOfBrackets(text: string, from: number): number | undefined {
  let depth = 0;
  const last = Math.min(text.length, from + LONGEST_LIST);
  for (let i = from; i < last; i += 1) {
    if (text[i] === '[' || text[i] === '{') depth += 1;
    else if (text[i] === ']' || text[i] === '}') {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  return undefined;
}

/** Matches values that reveal nothing. They are not removed, even after the name of a secret. */
const HARMLESS = /^(?:|null|none|true|false|undefined|''|""|\\"\\"|\[\]|\{\}|0|\[removed\])[,;)}\]]*$/i;

/** Whether a quoted word after the name `name` is a secret. It is one in `key_passphrase 'abc'`, but not in `Unexpected token '<'`. */
const isQuotedSecret = (name: string, quote: string | undefined): boolean =>
  (quote === "'" || quote === '"') && /[_.-]|pass|pwd|secret|key/i.test(name);

/** Removes the values after names of secrets. */
function withoutNamed(text: string): string {
  let out = '';
  let done = 0;
  NAMED.lastIndex = 0;
  for (let match = NAMED.exec(text); match !== null; match = NAMED.exec(text)) {
    const { before, dashes, name, between, open } = match.groups as Record<string, string | undefined>;
    const from = match.index + match[0].length;
    const isSpaced = /^[ \t]+$/.test(between!);
    const isListed = between!.startsWith(',');
    // In sentences and lists, the word after a name is not its value. Only after options and quoted headers, the next word is the value.
    const isNaming =
      isSecretName(name!) &&
      (!isSpaced || dashes !== undefined || text[from] === '[' || isQuotedSecret(name!, text[from])) &&
      (!isListed || open !== '');
    if (!isNaming) {
      // The text that looked like the beginning of a value may itself be the next name.
      NAMED.lastIndex = match.index + match[0].length - between!.length;
      continue;
    }
    const isYaml = between!.includes(':') && open === '';
    const end = valueEnd(text, from, isYaml);
    const value = text.slice(from, end);
    // In a YAML block, the value consists of the following lines with a deeper indentation.
    const block =
      isYaml && /^[|>]?[+\-\d]*\s*(?:#.*)?$/.test(value)
        ? blockEnd(text, match.index + before!.length, end)
        : end;
    if (block === end && HARMLESS.test(value.trim())) {
      NAMED.lastIndex = from;
      continue;
    }
    out += text.slice(done, from) + (/^\\*["'`]/.exec(value)?.[0] ?? '') + REMOVED;
    // Closing quotes are kept, so that JSON stays valid.
    const closing = /^(\\*["'`])/.exec(value)?.[1];
    if (closing !== undefined && value.length > closing.length && value.endsWith(closing)) out += closing;
    done = block;
    NAMED.lastIndex = Math.max(block, from);
  }
  return out + text.slice(done);
}

/**
 * Returns the end of the lines after `end` that belong to a secret: they are indented deeper than the line with its name. Returns `end` if
 * there are no such lines. `name`: position of the name.
 */
function blockEnd(text: string, name: number, end: number): number {
  const lineStart = text.lastIndexOf('\n', name - 1) + 1;
  const own = /^[ \t-]*/.exec(text.slice(lineStart, name))![0].length;
  let at = end;
  while (at < text.length) {
    const next = text.indexOf('\n', at + 1);
    const line = text.slice(at + 1, next === -1 ? text.length : next);
    if (line.trim() !== '' && /^[ \t]*/.exec(line)![0].length <= own) break;
    at = next === -1 ? text.length : next;
  }
  return at;
}

/**
 * Matches a user and password before a host without a scheme, such as `elastic:abc@host`. Does not match the digest of a container image
 * (`:9.5@sha256:`), or a query after a port.
 */
const BARE_USER_INFO =
  /(^|[\s"'`(<[=,;])((?!mailto:)[\w.+-]{1,64}:(?!\/\/|\d{1,5}[/?#])[^\s"'<>`\\]{1,256})@(?!sha256:)(?=[\w[])/gm;

/** Placeholder that Dyno's advice contains, as in `https://user:password@host`. It is not a secret. */
const ADVISED = 'user:password';

/** Removes users and passwords in URLs. Also removes passwords with a slash: they are invalid, but do occur. */
export const withoutUserInfo = (text: string): string =>
  text
    .replaceAll(
      /(https?:\/{1,2}|https?\/\/|:\/\/)((?:(?!:\/\/)[^\s"'<>`\\])*)@/gi,
      (whole: string, begin: string, before: string) => {
        if (before === ADVISED) return whole;
        const authority = /^[^/?#]*/.exec(before)![0];
        const isInAuthority = authority.length === before.length;
        const isHost = /^[^:]*(?::\d+)?$/.test(authority) && !authority.includes('@');
        if (isInAuthority || authority.includes('@') || !isHost) return `${begin}${REMOVED}@`;
        return whole;
      },
    )
    .replaceAll(BARE_USER_INFO, (whole: string, begin: string, userInfo: string) =>
      userInfo === ADVISED ? whole : `${begin}${REMOVED}@`,
    )
    .replaceAll(/(%3A%2F%2F)[^\s"'<>&]*?%40/gi, `$1${REMOVED}%40`);

/**
 * Removes the secrets of addresses from a text such as an error. They are users, passwords, and query parameters with names of secrets. The
 * rest of each address stays readable.
 */
export const withoutAddressSecrets = (text: string): string =>
  withoutUserInfo(text)
    .replaceAll(/(--[\w-]+=)(?!(?:https?:\/\/)?user:password@)[^\s'"@]*:[^\s'"]*@/g, `$1${REMOVED}@`)
    .replaceAll(/([?&]([\w.-]+)=)[^&#\s"'<>]+/g, (whole: string, begin: string, name: string) =>
      isSecretName(name) ? begin + REMOVED : whole,
    );

/** Patterns of secrets that are recognised by their form, such as private keys, each with its replacement. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [
    /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----(?:[\s\S]{0,10000}?-----END [A-Z0-9 ]*PRIVATE KEY-----|(?:(?:\s|\\[nr])*[A-Za-z0-9+/=]{16,})*)/g,
    REMOVED,
  ],
  [/\b(ApiKey|Bearer|Basic|Negotiate|Digest)([ \t]+|%20)(?!\[removed\])[\w+/=.:~-]{6,}/gi, `$1$2${REMOVED}`],
  // JSON web tokens.
  [/\beyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?/g, REMOVED],
  // Tokens of Elasticsearch service accounts, of Elastic Cloud, and of other widely used services.
  [/\bAAEAAW[\w+/=-]{16,}/g, REMOVED],
  [/\bessu_[\w+/=-]{8,}/g, REMOVED],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g, REMOVED],
  [
    /\b(?:gh[pousr]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|npm_\w{16,}|xox[abprs]-[\w-]{8,}|sk-[\w-]{16,})/g,
    REMOVED,
  ],
  // `curl -u user:password`.
  [/((?:^|[\s"'])(?:-u[ =]*|--user[ =]+)["']?[^\s:"']+:)[^\s"']+/g, `$1${REMOVED}`],
  // `client_secret%3Dabc`.
  [
    /((?:secret|passw(?:or)?d|passphrase|token|api_?-?key|access_?-?key)%3[AD])(?:(?!%26)[^\s"'&<>])+/gi,
    `$1${REMOVED}`,
  ],
  // `password is abc`, but not `password is wrong`.
  [
    /\b((?:password|passwd|pwd|pw|passphrase|secret|api[ _-]?key)\s+(?:is|was)\s+)(?!(?:an?|the|in|not|no|too|never|now|wrong|required|missing|incorrect|invalid|expired|empty|(?:un)?set|null|only|used|given|written|read|kept|stored|shorter|longer|needed|known|unknown|removed|refused|seen|shown|redacted|enabled|disabled|also|part|what|of|for|to|from|as|at|by|on|its?|that|this|there|valid|correct|one|here|optional|changed|created|reset)\b)(?:"[^"\n]*"|'[^'\n]*'|[^\s,;]+)/gi,
    `$1${REMOVED}`,
  ],
  // Anyone who knows the path of a webhook can post to it.
  [
    /(\bhttps?:\/\/(?:hooks\.slack(?:-gov)?\.com|hooks\.zapier\.com|chat\.googleapis\.com|(?:[\w-]+\.)*webhook\.office\.com|(?:[\w-]+\.)*logic\.azure\.com(?::\d+)?|(?:[\w.-]+)\/(?:api\/)?(?:hooks|webhooks?|webhookb2))\/)[^\s"'<>\\]+/gi,
    `$1${REMOVED}`,
  ],
  // A line that contains nothing else is part of a key, a certificate or a cookie.
  [/^[A-Za-z0-9+/=_-]{60,}$/gm, REMOVED],
];

/** Whether a text contains a credential, such as `Bearer ...` or a token in one of the forms of {@link FORMS}. */
export const isCredential = (text: string): boolean =>
  /^(?:ApiKey|Bearer|Basic|Negotiate|Digest|Token)\s+\S/i.test(text) ||
  FORMS.some(([form]) => text.search(form) !== -1);

/** Removes the rest of a private key whose beginning is missing, as in the last lines of a log. */
function withoutKeyEnds(text: string): string {
  let out = '';
  let done = 0;
  for (const { index, 0: end } of text.matchAll(/-----END [A-Z0-9 ]*PRIVATE KEY-----/g)) {
    let from = index;
    while (from > done && /[A-Za-z0-9+/=\s\\]/.test(text[from - 1]!)) from -= 1;
    out += text.slice(done, from) + REMOVED;
    done = index + end.length;
  }
  return out + text.slice(done);
}

/** Returns the forms of a secret in texts: plain, in JSON, in URLs and in base64. */
function formsOf(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const base64 = btoa(String.fromCodePoint(...new TextEncoder().encode(secret)));
  return [
    secret,
    inJson,
    encodeURIComponent(secret),
    base64,
    base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
  ];
}

export interface Redactor {
  text(text: string): string;
  /**
   * Removes secrets from a JSON value: the values of keys that are names of secrets, and the secrets that {@link text} removes from texts.
   */
  value<T>(value: T): T;
}

/** Returns a redactor. `known`: secrets of this process, which are removed everywhere. */
export function createRedactor(known: readonly string[] = []): Redactor {
  const forms = [...new Set(known.filter((one) => one.length >= SHORTEST_KNOWN).flatMap(formsOf))]
    // Longer secrets are replaced first, because a longer secret may contain a shorter one.
    .sort((a, b) => b.length - a.length);

  function text(given: string): string {
    let out = given;
    for (const form of forms) out = out.replaceAll(form, REMOVED);
    out = withoutUserInfo(out);
    for (const [pattern, instead] of FORMS) out = out.replaceAll(pattern, instead);
    return withoutNamed(withoutKeyEnds(out));
  }

  function value(given: unknown, name: string): unknown {
    if (given === null || typeof given === 'boolean') return given;
    if (name !== '' && isSecretName(name) && typeof given !== 'object' && given !== '') return REMOVED;
    if (typeof given === 'string') return text(given);
    if (Array.isArray(given)) return given.map((one: unknown) => value(one, name));
    if (typeof given !== 'object') return given;
    return Object.fromEntries(
      Object.entries(given).map(([key, inner]) => [
        key,
        isSecretName(key) && typeof inner === 'object' && inner !== null && holdsText(inner)
          ? REMOVED
          : value(inner, key),
      ]),
    );
  }

  return { text, value: <T>(given: T): T => value(given, '') as T };
}

const redactor = createRedactor();

/** Matches a scheme of the header `Authorization` with the text after it. */
const SCHEME = /\b(ApiKey|Bearer|Basic|Negotiate|Digest)([ \t]+)(?!\[removed\])[^\s"',]+/gi;

/**
 * Removes secrets from a single value that an error shows. Users may have entered a secret where it does not belong, such as a whole header
 * (`X-Api-Key: abc` or `X-Api-Key abc`). Therefore, this function removes more texts than the redaction of logs does.
 */
export function withoutShownSecrets(text: string): string {
  const [, begin = '', name = ''] = /^(\s*["']?([\w.-]+)["']?(?:\s*[:=]\s*|\s+))\S/.exec(text) ?? [];
  if (name !== '' && isSecretHeaderName(name) && !HARMLESS.test(text.slice(begin.length).trim()))
    return `${begin}${REMOVED}`;
  return redactor.text(text).replaceAll(SCHEME, `$1$2${REMOVED}`);
}

/** Returns the part of a setting such as `path=value` that an error may show: only the name. */
export function shownSetting(setting: string): string {
  const [, name, separator] = /^\s*([A-Za-z_][\w.[\]-]*)\s*([=:])/.exec(setting) ?? [];
  return name === undefined ? REMOVED : `${name}${separator}${REMOVED}`;
}

const holdsText = (value: unknown): boolean =>
  typeof value === 'string'
    ? value !== ''
    : typeof value === 'object' && value !== null && Object.values(value).some(holdsText);

/** Matches variables that systems set. Their names only look like names of secrets. */
const NO_SECRETS = /^(OLD)?PWD$|^(XDG|DBUS|DESKTOP)_SESSION|^SESSION_MANAGER$|_SOCK$|_FILE$/;
/**
 * Matches values that are never secrets, even if the name of their variable looks like the name of a secret. These values also occur in
 * ordinary texts.
 */
const ORDINARY = /^(true|false|yes|no|none|null|on|off|enabled|disabled|basic|native|default|\d{1,5})$/i;

/** Returns the secrets in environment variables: values of variables with names of secrets, and passwords and tokens in addresses. */
export function secretsOf(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value = '']) => [
    ...(isSecretName(name) && !NO_SECRETS.test(name) && !ORDINARY.test(value) ? [value] : []),
    ...(/WEBHOOK/i.test(name) ? tokensOf(value) : []),
    ...passwordsIn(value),
  ]);
}

/** Returns the secret parts of a webhook's address: its path and query. Anyone who knows them can post to it. */
export function tokensOf(url: string): string[] {
  const [, behind = ''] = /^[^/]*\/\/[^/?#]*([\s\S]*)$/.exec(url) ?? [];
  const pieces = behind.split(/[/?&#=]+/).filter((piece) => piece.length >= SHORTEST_TOKEN);
  return [behind, ...pieces].filter((one) => one.length >= SHORTEST_TOKEN);
}

/**
 * Returns the passwords of the addresses in `text`, as written and decoded. Also returns parts of them, because other software may show a
 * password only up to a special character.
 */
export function passwordsIn(text: string): string[] {
  const addresses = (text.match(/:[/\\]/g) ?? []).length === 1 ? [text] : splitAddresses(text);
  return addresses.flatMap((address) => {
    const [, userInfo = ''] =
      /:[/\\]{1,2}([\s\S]*)@/.exec(address) ?? /^(?:--[\w-]+=)?([^\s:@/]+:\S+)@[\w.-]+/.exec(address) ?? [];
    const password = userInfo.includes(':') ? userInfo.slice(userInfo.indexOf(':') + 1) : '';
    const pieces = password
      .split(/[\s,;/\\?#@%&"'`<>]+/)
      .filter((piece) => piece.length >= SHORTEST_KNOWN && !ORDINARY.test(piece));
    return password === '' ? [] : [...new Set([password, decodePart(password), ...pieces])];
  });
}
