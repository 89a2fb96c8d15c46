import { createRedactor, isSecretName, REMOVED, secretsOf } from './redact';

const { text, value } = createRedactor();

const KEY = `-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj
MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu
-----END PRIVATE KEY-----`;

/** Texts, with the secret that must be removed. */
const PLANTED: readonly (readonly [string, string])[] = [
  ['connecting to https://elastic:Hunter2-a@es1:9200/_bulk', 'Hunter2-a'],
  ['http://a:9200,https://svc:Hunter2-b@es1:9200', 'Hunter2-b'],
  ['https://elastic:Hun@ter2-c@es1:9200', 'ter2-c'],
  ['https://elastic:Hunter2/d@es1:9200', 'Hunter2/d'],
  ['redirect=https%3A%2F%2Felastic%3AHunter2-e%40es1', 'Hunter2-e'],
  ['Authorization: ApiKey SHVudGVyMi1mOnNlY3JldA==', 'SHVudGVyMi1m'],
  ['{"headers":{"authorization":"Basic SHVudGVyMi1n"}}', 'SHVudGVyMi1n'],
  ["rawHeaders: [ 'Authorization', 'Bearer Hunter2-h.x.y' ]", 'Hunter2-h'],
  ['token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJIdW50ZXIyLWkifQ.c2ln was refused', 'eyJzdWIiOiJIdW50ZXIyLWkifQ'],
  ['password: Hunter2 j with words', 'with words'],
  ['  password: "Hunter2-k"', 'Hunter2-k'],
  ["- xpack.secure_password: 'Hunter2-l'", 'Hunter2-l'],
  ['password: |\n  Hunter2-m\n  and-more-m\nuser: x', 'and-more-m'],
  ['output:\n  credentials:\n    kind: basic\n    words: Hunter2-n\n  hosts: [x]', 'Hunter2-n'],
  ['api_key: "id:Hunter2-o"', 'Hunter2-o'],
  ['GET /_search?api_key=Hunter2-p&pretty=true', 'Hunter2-p'],
  ['Cookie: sid=Hunter2-q; other=Hunter2-qq', 'Hunter2-qq'],
  ['set-cookie: ["sid=Hunter2-r; Path=/"]', 'Hunter2-r'],
  ['DYNO_TARGET_API_KEY=Hunter2-s', 'Hunter2-s'],
  ['export AWS_SECRET_ACCESS_KEY="Hunter2-t"', 'Hunter2-t'],
  ['{\\"password\\":\\"Hun\\\\\\"ter2-u\\"}', 'ter2-u'],
  ['{"password":"Hun\\"ter2-v","user":"a"}', 'ter2-v'],
  ["{ password: 'Hunter2-w', user: 'a' }", 'Hunter2-w'],
  ['dyno run --password Hunter2-x file', 'Hunter2-x'],
  ['curl -u elastic:Hunter2-y http://es1:9200', 'Hunter2-y'],
  ['-Djavax.net.ssl.keyStorePassword=Hunter2-z', 'Hunter2-z'],
  ['secret [Hunter2-A]', 'Hunter2-A'],
  ['clientSecret => Hunter2-B', 'Hunter2-B'],
  [KEY, 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj'],
  [JSON.stringify({ pem: KEY }), 'MzEfYyjiWA4R4'],
  [KEY.slice(0, -40), 'MzEfYyjiWA4R4'],
  [KEY.slice(50), 'JZHtCSuYEvu'],
  ['"password":"two\nlines-C"', 'lines-C'],
  ['tokens: [Hunter2-D, Hunter2-E]', 'Hunter2-E'],
  ['http//elastic:Hunter2-F@es1', 'Hunter2-F'],
  ['elastic:Hunter2-G@es1:9200 refuses', 'Hunter2-G'],
  ['curl -uelastic:Hunter2-H es1', 'Hunter2-H'],
  ['svc:Hun@ter2-N@es1:9200 refuses', 'ter2-N'],
  ['the password was "Hunter2 O"', 'Hunter2 O'],
  ['my pw is Hunter2-P', 'Hunter2-P'],
  ['the password is Hunter2-I', 'Hunter2-I'],
  ["key_passphrase 'Hunter2-J'", 'Hunter2-J'],
  ['a=b%26client_secret%3DHunter2-K%26c', 'Hunter2-K'],
  ['POST https://hooks.slack.com/services/T000/B000/Hunter2', 'T000/B000/Hunter2'],
  ['https://discord.com/api/webhooks/1234/Hunter2-L failed', '1234/Hunter2-L'],
  ['https://acme.webhook.office.com/webhookb2/Hunter2-M@x/IncomingWebhook/y', 'Hunter2-M'],
];

test.each(PLANTED)('%j loses its secret', (given, secret) => {
  expect(given).toContain(secret);
  expect(text(given)).not.toContain(secret);
  expect(text(given)).toContain(REMOVED);
});

test.each(PLANTED)(
  '%j also loses its secret within a line of a log, and in JSON as text',
  (given, secret) => {
    const line = `2026-11-24T22:00:00.000Z WARN node-1: ${given}`;
    expect(text(line)).not.toContain(secret);
    const nested = JSON.stringify({ message: line });
    const inJson = JSON.stringify(secret).slice(1, -1);
    expect(text(nested)).not.toContain(inJson);
    expect(JSON.stringify(value({ message: line }))).not.toContain(inJson);
  },
);

test.each([
  'the token is expired and the password was wrong',
  '[2026-11-24T22:00:00,000][INFO ][o.e.n.Node] [node-1] version[9.5.3], pid[12]',
  'http://127.0.0.1:9200/dyno-runs-000001/_search?sort=@timestamp&q=a@b',
  'run 20261124-2203-abcd: 12,345 docs/s, p99 12 ms, uuid 3f2b9c1e-8d4a-4f67-9b21-0a1b2c3d4e5f',
  'password: null',
  'the password is wrong',
  "Unexpected token '<' in JSON",
  'allowed: http://host:9200, https://user:password@host:9243/path',
  'docker.elastic.co/elasticsearch:9.5.3@sha256:0123456789abcdef',
  'mailto:a@example.org',
  'org.elasticsearch.Node$1@5d2f3a at 127.0.0.1:9300/_x?q=a@b',
  'secret=, "cookie": [], token: ""',
  'keystore at /usr/share/elasticsearch/config/elasticsearch.keystore',
])('%j has no secret and is unchanged', (given) => {
  expect(text(given)).toBe(given);
});

test('redacted JSON is still JSON, and shows which names had a value', () => {
  const given = {
    hosts: ['https://u:p@h:9200'],
    password: 'x',
    nested: { apiKey: 'y', list: ['a'] },
    empty: '',
  };
  expect(JSON.parse(text(JSON.stringify(given)))).toEqual({
    ...given,
    hosts: [`https://${REMOVED}@h:9200`],
    password: REMOVED,
    nested: { apiKey: REMOVED, list: ['a'] },
  });
  expect(value(given)).toEqual(JSON.parse(text(JSON.stringify(given))));
});

test('whole objects with the name of a secret are removed, but not empty values', () => {
  expect(value({ credentials: { kind: 'basic', words: 'x' }, cookies: null, token: '', auth: {} })).toEqual({
    credentials: REMOVED,
    cookies: null,
    token: '',
    auth: {},
  });
});

test('known secrets are removed everywhere, in every form', () => {
  const secret = 'pa"ss/wörd';
  const own = createRedactor([secret, 'abc']);
  const forms = [
    secret,
    JSON.stringify(secret),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
  ];
  for (const form of forms) expect(own.text(`said ${form} so`)).not.toContain(form.replaceAll('"', ''));
  expect(own.text(`said ${secret} so`)).toBe(`said ${REMOVED} so`);
  // A secret this short occurs in many words.
  expect(own.text('abcess')).toBe('abcess');
});

test('secrets in environment variables are found by their names, and in URLs', () => {
  expect(
    secretsOf({
      DYNO_PASSWORD: 'one',
      HTTPS_PROXY: 'http://me:tw%20o@proxy',
      HOME: '/root',
      GH_TOKEN: 'three',
    }),
  ).toEqual(expect.arrayContaining(['one', 'tw%20o', 'tw o', 'three']));
  expect(
    secretsOf({ HOME: '/root', PATH: '/bin', PWD: '/work', XDG_SESSION_CLASS: 'user', USE_AUTH: 'true' }),
  ).toEqual([]);
  expect(secretsOf({ AWS_SESSION_TOKEN: 'four' })).toEqual(['four']);
});

test.each([
  'apiKey',
  'API_KEY',
  'x-api-key',
  'secure_password',
  'http.cookies',
  'DYNO_SECRET_KEY',
  'privateKey',
])('%s is the name of a secret', (name) => expect(isSecretName(name)).toBe(true));

test.each(['key', 'tokenizer', 'keystore', 'passed', 'author', 'max_token_length_x', 'sessions'])(
  '%s is not the name of a secret',
  (name) => expect(isSecretName(name)).toBe(name === 'max_token_length_x'),
);

test('a log of several MB takes at most a few seconds', () => {
  const line = '[2026-11-24][INFO ][o.e.c.m.MetadataIndex] [node-1] [dyno-x/abc] update_mapping: a=b, c: d\n';
  const long = line.repeat(20_000) + 'A'.repeat(500_000);
  const began = performance.now();
  text(long);
  expect(performance.now() - began).toBeLessThan(5000);
});
