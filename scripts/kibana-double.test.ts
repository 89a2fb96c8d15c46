/**
 * Tests that the simulation of Kibana refuses the same registrations as Kibana. Each case is one registration that a valid plugin must not
 * contain.
 */
import { checkFeature, checkManifest, DOUBLED_VERSIONS, kibanaDouble, SOURCES } from './kibana-double.mjs';

type Setup = ReturnType<typeof kibanaDouble>['setup'];

const validate = (): object => ({});
const route = {
  path: '/api/a/{id}',
  validate: { params: validate },
  security: { authz: { requiredPrivileges: ['p'] } },
};
const handler = (): undefined => undefined;
const task = { title: 't', timeout: '5m', createTaskRunner: handler };
const ruleType = {
  ...{
    id: 'a.b',
    name: 'n',
    category: 'management',
    producer: 'a',
    solution: 'stack',
    minimumLicenseRequired: 'basic',
  },
  ...{ actionGroups: [{ id: 'default' }], defaultActionGroupId: 'default', executor: handler },
  validate: { params: { validate: handler } },
};
const savedObject = {
  name: 'a',
  namespaceType: 'single',
  hidden: true,
  mappings: { dynamic: false, properties: {} },
};
const rules = [{ ruleTypeId: 'a.b', consumers: ['a'] }];
const privilege = {
  ...{ app: ['a'], api: ['p'], savedObject: { all: [], read: [] }, ui: ['read'] },
  alerting: { rule: { all: rules } },
};
const feature = {
  ...{ id: 'a', name: 'A', category: { id: 'management', label: 'M' }, app: ['a'], alerting: rules },
  privileges: { all: privilege, read: privilege },
};
const manifest = {
  ...{
    id: 'dyno',
    version: '1.0.0',
    kibanaVersion: '9.5.3',
    type: 'standard',
    owner: { name: 'D' },
    configPath: ['dyno'],
  },
  server: true,
};

const registered = (action: (setup: Setup) => void): string => {
  try {
    action(kibanaDouble('9.5.3').setup);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};
const get = (given: object) =>
  registered(({ core }) => core.http.createRouter().get({ ...route, ...given }, handler));

test('each check names a file of Kibana and the commit at which it was read', () => {
  expect(DOUBLED_VERSIONS).toEqual(['8.19', '9.0', '9.2', '9.4', '9.5']);
  for (const [file, commit] of Object.values(SOURCES)) {
    expect(file).toMatch(/^(?:src|x-pack)\/[\w./-]+\.tsx?$/);
    expect(commit).toMatch(/^[0-9a-f]{40}$/);
  }
});

test('valid registrations are accepted, and problems found later are reported', () => {
  const kibana = kibanaDouble('9.5.3');
  const { core, plugins } = kibana.setup;
  core.http.createRouter().get(route, handler);
  plugins.features.registerKibanaFeature(feature);
  plugins.taskManager.registerTaskDefinitions({ 'a:task': task });
  plugins.alerting.registerType(ruleType);
  core.savedObjects.registerType(savedObject);
  plugins.encryptedSavedObjects.registerType({ type: 'a', attributesToEncrypt: new Set(['secret']) });
  kibana.endSetup();
  expect(kibana.faults()).toEqual([]);
  expect(() => core.http.createRouter()).toThrow('after setup');
  expect((core as unknown as Record<string, unknown>)['nothing']).toBeUndefined();
  expect(kibana.faults()).toEqual(['it reads core.nothing, which Kibana 9.5.3 does not have']);
});

test.each<[string, object, string]>([
  ['no security', { security: undefined }, '[security]: expected an object with authz'],
  ['no privilege', { security: { authz: { requiredPrivileges: [] } } }, 'requires no privilege'],
  ['a privilege twice', { security: { authz: { requiredPrivileges: ['p', 'p'] } } }, 'required twice'],
  ['authz off without a reason', { security: { authz: { enabled: false } } }, 'without a reason'],
  ['an unknown key', { options: { acess: 'public' } }, 'definition for this key is missing'],
  ['security among its options', { options: { security: {} } }, 'definition for this key is missing'],
  ['no validation', { validate: undefined }, 'has no validate'],
  ['a validator that is not a function', { validate: { params: {} } }, 'is not a function'],
  ['parameters without a validator', { validate: {} }, 'parameters without validation'],
  ['a body of a GET', { validate: { params: validate, body: validate } }, 'hapi refuses'],
])('a route with %s is refused', (_, given, message) => {
  expect(get(given)).toContain(message);
});

test('an existing path with another parameter name is refused', () => {
  expect(
    registered(({ core }) => {
      const router = core.http.createRouter();
      router.get(route, handler);
      router.get({ ...route, path: '/api/a/{name}' }, handler);
    }),
  ).toContain('registered twice');
});

test.each<[string, object, string]>([
  ['an unknown key', { scope: [] }, 'definition for this key is missing'],
  [
    'the category of a solution',
    { category: { id: 'observability', label: 'O' } },
    'a space with a solution view hides',
  ],
  ['grants of rules as texts', { alerting: ['a.b'] }, 'is not an object'],
  ['an app that nothing grants', { app: ['a', 'b'] }, 'no privilege grants: b'],
  ['a grant that it does not declare', { app: [] }, 'has unknown app entries: a'],
  ['an id with a dot', { id: 'a.b' }, 'is not allowed'],
])('a feature with %s is refused', (_, given, message) => {
  expect(() => checkFeature({ ...feature, ...given })).toThrow(message);
});

test.each<[string, object, string]>([
  ['maxConcurrency', { maxConcurrency: 1 }, "maxConcurrency setting isn't allowed"],
  ['an unknown key', { retries: 1 }, 'definition for this key is missing'],
  ['a timeout without a unit', { timeout: '5' }, 'Invalid timeout'],
  ['a cost that not all versions have', { cost: 4 }, 'Invalid cost'],
])('a task with %s is refused', (_, given, message) => {
  expect(
    registered(({ plugins }) =>
      plugins.taskManager.registerTaskDefinitions({ 'a:task': { ...task, ...given } }),
    ),
  ).toContain(message);
});

test.each<[string, object, string]>([
  ['the reserved group', { actionGroups: [{ id: 'recovered' }] }, 'is reserved'],
  ['a default group that it lacks', { defaultActionGroupId: 'other' }, 'not one of its groups'],
  ['a blank in its id', { id: 'a b' }, 'invalid characters'],
  [
    'two groups of one severity',
    { actionGroups: ['default', 'other'].map((id) => ({ id, severity: { level: 1 } })) },
    'the same severity',
  ],
])('a rule type with %s is refused', (_, given, message) => {
  expect(registered(({ plugins }) => plugins.alerting.registerType({ ...ruleType, ...given }))).toContain(
    message,
  );
});

test.each<[string, object, string]>([
  ['migrations', { migrations: {} }, 'has migrations'],
  ['mappings that may grow', { mappings: { properties: {} } }, 'may grow'],
  ['an unknown kind of namespace', { namespaceType: 'some' }, 'namespaceType is unknown'],
])('a saved object type with %s is refused', (_, given, message) => {
  expect(registered(({ core }) => core.savedObjects.registerType({ ...savedObject, ...given }))).toContain(
    message,
  );
});

test('a saved object type cannot be changed once it is registered', () => {
  const own = structuredClone(savedObject);
  expect(registered(({ core }) => core.savedObjects.registerType(own))).toBe('');
  expect(() => Object.assign(own, { hidden: false })).toThrow(TypeError);
});

test.each<[string, object, string]>([
  ['a key that Kibana does not know', { plugin: {} }, 'unrecognized properties: plugin'],
  ['another version of Kibana', { kibanaVersion: '9.5.2' }, 'it is for 9.5.2'],
  ['no owner', { owner: undefined }, 'no owner'],
])('a manifest with %s is refused', (_, given, message) => {
  expect(() => checkManifest(manifest, '9.5.3')).not.toThrow();
  expect(() => checkManifest({ ...manifest, ...given }, '9.5.3')).toThrow(message);
});
