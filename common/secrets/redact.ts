/**
 * Takes secrets out of what leaves Dyno to be read by others. The only place that knows what a secret looks like: by the
 * name that it stands under, by its own form, and by being one that this process knows.
 *
 * It rather takes too much: a line that lost a value still says what happened.
 */

import { splitAddresses, decodePart } from './address';
import { nearest } from '../near';
import { REMOVED } from './removed';

export { REMOVED };

/** Shorter ones would be found within ordinary words. */
const SHORTEST_KNOWN = 4;
/** Shorter parts of a webhook's path are ordinary words. */
const SHORTEST_TOKEN = 8;

/** Words of a name, in camel case, snake case, kebab case or with dots, under which a secret stands. */
const SECRET_WORDS = new Set([
  ...['password', 'passwd', 'passwort', 'pwd', 'passphrase', 'passcode', 'pass', 'pw'],
  ...['secret', 'secrets', 'token', 'tokens', 'apikey', 'apikeys', 'credential', 'credentials'],
  ...['authorization', 'authorisation', 'auth', 'bearer', 'jwt', 'cookie', 'cookies', 'sid', 'session'],
  ...['signature', 'sig', 'otp', 'privatekey', 'accesskey', 'secretkey', 'encryptionkey', 'keypassphrase'],
]);

/** `api key`, `private-key`: two words that mean one together. */
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

/** Whether a secret may stand under this name: `apiKey`, `DYNO_TARGET_API_KEY`, `xpack.security.http.ssl.keystore.secure_password`. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  return words.some(
    (word, i) => SECRET_WORDS.has(word) || (i > 0 && SECRET_PAIRS.has(`${words[i - 1]!} ${word}`)),
  );
}

/** Of which a name may be a misspelling. */
const OFTEN_MISSPELT = [
  'password',
  'passphrase',
  'authorization',
  'credentials',
  'apikey',
  'x-api-key',
  'secret',
];

/** Whether a secret may have been written under this name, which may be a header's or misspelt. For what is only shown. */
export const isSecretHeaderName = (name: string): boolean =>
  isSecretName(name) || /-key$/i.test(name) || nearest(name, OFTEN_MISSPELT) !== undefined;

/** Names and how a value follows them: `password: x`, `"apiKey":"x"`, `--token x`, `['Cookie', 'x']`, `secret [x]`, also within JSON as text. */
const NAMED =
  /(?<before>^|[^\w.-])(?<dashes>-{1,2})?(?<open>\\*["']?)(?<name>[A-Za-z][\w.-]{0,120})\k<open>(?<between>\s*(?:=>|[:=])[ \t]*|[ \t]+(?=\[)|,[ \t]*(?=\\*["'])|[ \t]+)/g;

/** Characters of a quoted value, and of a list of values. */
const LONGEST_QUOTED = 10_000;
const LONGEST_LIST = 20_000;

/** Where `text` has a value from `from` on, and how it ends. */
function valueEnd(text: string, from: number, toLineEnd: boolean): number {
  const quoted = /^(\\*)(["'`])/.exec(text.slice(from, from + 12));
  if (quoted) {
    const [opening, slashes = ''] = quoted;
    // One that is never closed ends somewhere: a quote may have been cut off with the end of its line.
    const last = Math.min(text.length, from + LONGEST_QUOTED);
    for (let i = from + opening.length; i < last; i += 1) {
      if (!text.startsWith(opening, i)) continue;
      // A quote behind more backslashes than opened it belongs to the value.
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

/** Behind the bracket that closes the one at `from`; undefined where none does within a few thousand characters. */
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

/** What says nothing, and so may stay: a name before such a value is no secret's. */
const HARMLESS = /^(?:|null|none|true|false|undefined|''|""|\\"\\"|\[\]|\{\}|0|\[removed\])[,;)}\]]*$/i;

/** `key_passphrase 'abc'`, but not `Unexpected token '<'`. */
const isQuotedSecret = (name: string, quote: string | undefined): boolean =>
  (quote === "'" || quote === '"') && /[_.-]|pass|pwd|secret|key/i.test(name);

/** Removes what stands under names of secrets. */
function withoutNamed(text: string): string {
  let out = '';
  let done = 0;
  NAMED.lastIndex = 0;
  for (let match = NAMED.exec(text); match !== null; match = NAMED.exec(text)) {
    const { before, dashes, name, between, open } = match.groups as Record<string, string | undefined>;
    const from = match.index + match[0].length;
    const isSpaced = /^[ \t]+$/.test(between!);
    const isListed = between!.startsWith(',');
    // Words follow each other in every sentence, and in lists: only options and quoted headers name their value so.
    const isNaming =
      isSecretName(name!) &&
      (!isSpaced || dashes !== undefined || text[from] === '[' || isQuotedSecret(name!, text[from])) &&
      (!isListed || open !== '');
    if (!isNaming) {
      // The next name may be what was taken for the value's beginning.
      NAMED.lastIndex = match.index + match[0].length - between!.length;
      continue;
    }
    const isYaml = between!.includes(':') && open === '';
    const end = valueEnd(text, from, isYaml);
    const value = text.slice(from, end);
    // A block below: the value is what is indented deeper.
    const block =
      isYaml && /^[|>]?[+\-\d]*\s*(?:#.*)?$/.test(value)
        ? blockEnd(text, match.index + before!.length, end)
        : end;
    if (block === end && HARMLESS.test(value.trim())) {
      NAMED.lastIndex = from;
      continue;
    }
    out += text.slice(done, from) + (/^\\*["'`]/.exec(value)?.[0] ?? '') + REMOVED;
    // Closing quotes stay, so that JSON remains JSON.
    const closing = /^(\\*["'`])/.exec(value)?.[1];
    if (closing !== undefined && value.length > closing.length && value.endsWith(closing)) out += closing;
    done = block;
    NAMED.lastIndex = Math.max(block, from);
  }
  return out + text.slice(done);
}

/** Where the lines end that are indented deeper than the line in which the name begins; `end` where none is. */
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

/** `elastic:abc@host` without a scheme. A digest of a container's image, `:9.5@sha256:`, and a query behind a port are none. */
const BARE_USER_INFO =
  /(^|[\s"'`(<[=,;])((?!mailto:)[\w.+-]{1,64}:(?!\/\/|\d{1,5}[/?#])[^\s"'<>`\\]{1,256})@(?!sha256:)(?=[\w[])/gm;

/** The placeholder of Dyno's own advice, `https://user:password@host`. */
const ADVISED = 'user:password';

/** Users and passwords in URLs; with a slash in the password too, which no URL may have and people write. */
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
 * What is left of any address in a text that people read at once, such as an error: it takes no more than users, passwords and
 * parameters of queries whose names say that they are secrets.
 */
export const withoutAddressSecrets = (text: string): string =>
  withoutUserInfo(text)
    .replaceAll(/(--[\w-]+=)(?!(?:https?:\/\/)?user:password@)[^\s'"@]*:[^\s'"]*@/g, `$1${REMOVED}@`)
    .replaceAll(/([?&]([\w.-]+)=)[^&#\s"'<>]+/g, (whole: string, begin: string, name: string) =>
      isSecretName(name) ? begin + REMOVED : whole,
    );

/** Secrets by their own form. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [
    /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----(?:[\s\S]{0,10000}?-----END [A-Z0-9 ]*PRIVATE KEY-----|(?:(?:\s|\\[nr])*[A-Za-z0-9+/=]{16,})*)/g,
    REMOVED,
  ],
  [/\b(ApiKey|Bearer|Basic|Negotiate|Digest)([ \t]+|%20)(?!\[removed\])[\w+/=.:~-]{6,}/gi, `$1$2${REMOVED}`],
  // JSON web tokens.
  [/\beyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?/g, REMOVED],
  // Tokens of Elasticsearch's service accounts, of Elastic Cloud, and those of services that machines often know.
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
  // Whoever knows the path of a webhook may post there.
  [
    /(\bhttps?:\/\/(?:hooks\.slack(?:-gov)?\.com|hooks\.zapier\.com|chat\.googleapis\.com|(?:[\w-]+\.)*webhook\.office\.com|(?:[\w-]+\.)*logic\.azure\.com(?::\d+)?|(?:[\w.-]+)\/(?:api\/)?(?:hooks|webhooks?|webhookb2))\/)[^\s"'<>\\]+/gi,
    `$1${REMOVED}`,
  ],
  // A line of nothing else is a part of a key, a certificate or a cookie.
  [/^[A-Za-z0-9+/=_-]{60,}$/gm, REMOVED],
];

/** Whether a text by itself is a credential, such as `Bearer ...` or a token of a known form. */
export const isCredential = (text: string): boolean =>
  /^(?:ApiKey|Bearer|Basic|Negotiate|Digest|Token)\s+\S/i.test(text) ||
  FORMS.some(([form]) => text.search(form) !== -1);

/** The end of a private key of which a log's tail lacks the beginning. */
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

/** As they may stand in a text: as they are, in JSON, in URLs and in base64. */
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
  /** Of JSON: what stands under names of secrets is gone, whatever it is, and every text is as {@link text} gives it. */
  value<T>(value: T): T;
}

/** `known`: secrets of this process, which are removed wherever they stand. */
export function createRedactor(known: readonly string[] = []): Redactor {
  const forms = [...new Set(known.filter((one) => one.length >= SHORTEST_KNOWN).flatMap(formsOf))]
    // A longer one may hold a shorter one.
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

/** A scheme of the header `Authorization` with anything behind it. */
const SCHEME = /\b(ApiKey|Bearer|Basic|Negotiate|Digest)([ \t]+)(?!\[removed\])[^\s"',]+/gi;

/**
 * A single value of a definition or an option, as an error shows it. It may be anything that was put in the wrong place,
 * such as a whole header, `X-Api-Key: abc` or `X-Api-Key abc`, so more of it is removed than of a log.
 */
export function withoutShownSecrets(text: string): string {
  const [, begin = '', name = ''] = /^(\s*["']?([\w.-]+)["']?(?:\s*[:=]\s*|\s+))\S/.exec(text) ?? [];
  if (name !== '' && isSecretHeaderName(name) && !HARMLESS.test(text.slice(begin.length).trim()))
    return `${begin}${REMOVED}`;
  return redactor.text(text).replaceAll(SCHEME, `$1$2${REMOVED}`);
}

/** Of a setting such as `path=value`, what an error may show: no more than the name before the value. */
export function shownSetting(setting: string): string {
  const [, name, separator] = /^\s*([A-Za-z_][\w.[\]-]*)\s*([=:])/.exec(setting) ?? [];
  return name === undefined ? REMOVED : `${name}${separator}${REMOVED}`;
}

const holdsText = (value: unknown): boolean =>
  typeof value === 'string'
    ? value !== ''
    : typeof value === 'object' && value !== null && Object.values(value).some(holdsText);

/** Variables that systems set, whose names only look like those of secrets. */
const NO_SECRETS = /^(OLD)?PWD$|^(XDG|DBUS|DESKTOP)_SESSION|^SESSION_MANAGER$|_SOCK$|_FILE$/;
/** Values that say how something is done, and stand in every text. */
const ORDINARY = /^(true|false|yes|no|none|null|on|off|enabled|disabled|basic|native|default|\d{1,5})$/i;

/** Secrets among the variables of an environment: values of those with names of secrets, passwords and tokens in addresses. */
export function secretsOf(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value = '']) => [
    ...(isSecretName(name) && !NO_SECRETS.test(name) && !ORDINARY.test(value) ? [value] : []),
    ...(/WEBHOOK/i.test(name) ? tokensOf(value) : []),
    ...passwordsIn(value),
  ]);
}

/** Anyone who has the address of a webhook may post there: its path and query are secrets. */
export function tokensOf(url: string): string[] {
  const [, behind = ''] = /^[^/]*\/\/[^/?#]*([\s\S]*)$/.exec(url) ?? [];
  const pieces = behind.split(/[/?&#=]+/).filter((piece) => piece.length >= SHORTEST_TOKEN);
  return [behind, ...pieces].filter((one) => one.length >= SHORTEST_TOKEN);
}

/**
 * Passwords of the addresses in `text`, as written and decoded, and their pieces: other software may have shown one up to a
 * character that it took for the end.
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
