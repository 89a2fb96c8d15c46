// Simulates the checks that Kibana makes when a plugin registers itself, in versions 8.19 to 9.5. Each check names the file in Kibana's
// repository from which it was derived, and the commit at which that file was read (commits of the main branch since 8.19). If versions of
// Kibana differ, the check is as strict as the strictest version.

/** Minor versions of Kibana that are simulated: the last one of 8.x, the first one of 9.x, and newer ones. */
export const DOUBLED_VERSIONS = ['8.19', '9.0', '9.2', '9.4', '9.5'];

/** Source files in github.com/elastic/kibana of the checks that are simulated here, each with the commit at which it was read. */
export const SOURCES = {
  manifest: [
    'src/core/packages/plugins/server-internal/src/discovery/plugin_manifest_parser.ts',
    '4926f7c08828a5e33b42b3381021c9c522c98425',
  ],
  route: [
    'src/core/packages/http/router-server-internal/src/route.ts',
    '0198047a535e37cd913b5016c1f9f3b0aa709a2c',
  ],
  routeOptions: [
    'src/core/packages/http/router-server-internal/src/util.ts',
    '042299db8d204d66d756fb17a2ebb1ee0383f1ae',
  ],
  routeSecurity: [
    'src/core/packages/http/router-server-internal/src/security_route_config_validator.ts',
    '1d7f15d1af13b25128a61e6d14513dd92d29d46e',
  ],
  feature: [
    'x-pack/platform/plugins/shared/features/server/feature_schema.ts',
    '2549770c4f9162dec00f1a23fe758c6764417ec3',
  ],
  solutions: [
    'x-pack/platform/plugins/shared/spaces/server/lib/utils/space_solution_disabled_features.ts',
    '057dcf9cdc63289f79e1eaac4e8872e3bc6b23c9',
  ],
  ruleType: [
    'x-pack/platform/plugins/shared/alerting/server/rule_type_registry.ts',
    '0bbac85b7395b49564373d8508da2c98447a25e7',
  ],
  taskTypes: [
    'x-pack/platform/plugins/shared/task_manager/server/task_type_dictionary.ts',
    '030f13c152f0fc6b61b6d285f9fa7d03c9503817',
  ],
  task: [
    'x-pack/platform/plugins/shared/task_manager/server/task.ts',
    '020a42515d7dc778e79812d30bfceed86a4a3b30',
  ],
  savedObject: [
    'src/core/packages/saved-objects/base-server-internal/src/saved_objects_type_registry.ts',
    '0f49911453b27b624c0ee2842d1d3497ef2cf09e',
  ],
  encrypted: [
    'x-pack/platform/plugins/shared/encrypted_saved_objects/server/crypto/encrypted_saved_object_type_definition.ts',
    '099372c82325cbbc59e6f412ec84ad18a2b6c159',
  ],
  bundles: [
    'src/core/packages/plugins/browser-internal/src/plugin_reader.ts',
    '0a2f207aad7b1d14932d6ee061a45720b4145991',
  ],
  policy: [
    'src/core/packages/http/server-internal/src/csp/csp_directives.ts',
    '00c7693be31e3fee5b959f64928e1740c25d2f4e',
  ],
  app: [
    'src/core/packages/application/browser-internal/src/application_service.tsx',
    '1a3940565767a3f67afa9682b14ff5eea68b168f',
  ],
  start: [
    'src/core/packages/lifecycle/browser/src/core_start.ts',
    '09908d1170eb5d8c9b994a2d7740f2b2c0571984',
  ],
  breadcrumbs: [
    'src/core/packages/chrome/browser-internal/src/project_navigation/breadcrumbs.tsx',
    '01cffa7c54940eda2cd55c710a9f1901b350f0a8',
  ],
  theme: ['src/core/packages/theme/browser/src/types.ts', '437def57ef40330062e2aac9e390313a077cb5cb'],
};

/** Error for a registration that Kibana would refuse. The message names the file of Kibana that contains the check. */
export class Refusal extends Error {
  constructor(source, message) {
    super(`${message} (${SOURCES[source][0]})`);
  }
}

const demand = (source, condition, message) => {
  if (!condition) throw new Refusal(source, message);
};

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value) => typeof value === 'string';
const texts = (value) => Array.isArray(value) && value.every(isText);

/** Throws a {@link Refusal} if an object has a key that is not in `known`, as Kibana's schemas do. */
function keysAmong(source, what, value, known) {
  demand(source, isObject(value), `${what} is not an object`);
  const unknown = Object.keys(value).filter((key) => !known.includes(key) && value[key] !== undefined);
  demand(source, unknown.length === 0, `[${what}.${unknown[0]}]: definition for this key is missing`);
}

const difference = (some, all) => some.filter((one) => !all.includes(one));

// Manifest

const MANIFEST_KEYS = [
  ...[
    'id',
    'kibanaVersion',
    'type',
    'version',
    'configPath',
    'requiredPlugins',
    'optionalPlugins',
    'ui',
    'server',
  ],
  ...[
    'extraPublicDirs',
    'requiredBundles',
    'serviceFolders',
    'owner',
    'description',
    'enabledOnAnonymousPages',
  ],
  'runtimePluginDependencies',
];

export function checkManifest(manifest, kibanaVersion) {
  const own = (condition, message) => demand('manifest', condition, message);
  own(isText(manifest.id) && /^[a-z][a-zA-Z0-9]*$/.test(manifest.id), 'the id is not in camelCase');
  own(isText(manifest.version), 'it has no version');
  own(isText(manifest.owner?.name), 'it has no owner with a name');
  own(
    isText(manifest.configPath) || texts(manifest.configPath),
    'its configPath is neither a text nor a list',
  );
  own(manifest.kibanaVersion === kibanaVersion, `it is for ${manifest.kibanaVersion}, not ${kibanaVersion}`);
  own(manifest.server === true || manifest.ui === true, 'it has neither server nor ui');
  own(['standard', 'preboot'].includes(manifest.type), `its type is ${manifest.type}`);
  const unknown = difference(Object.keys(manifest), MANIFEST_KEYS);
  own(unknown.length === 0, `unrecognized properties: ${unknown}`);
}

// Routes

const RESERVED = ['superuser', 'operator'];

function checkSecurity(security, path) {
  const own = (condition, message) => demand('routeSecurity', condition, `${path}: ${message}`);
  own(isObject(security), '[security]: expected an object with authz');
  keysAmong('routeSecurity', `${path} security`, security, ['authz', 'authc']);
  const { authz, authc } = security;
  keysAmong('routeSecurity', `${path} authz`, authz, ['enabled', 'requiredPrivileges', 'reason']);
  if (authz.enabled === undefined) {
    own(authz.reason === undefined, 'authz has a reason though it is enabled');
    const { requiredPrivileges: needed } = authz;
    own(texts(needed) && needed.length > 0, 'authz requires no privilege');
    own(new Set(needed).size === needed.length, 'a privilege is required twice');
    own(!needed.some((one) => RESERVED.includes(one)), 'a reserved privilege is required');
  } else {
    own(authz.enabled === false, 'authz.enabled is not false');
    own(isText(authz.reason), 'authz is off without a reason');
    own(authz.requiredPrivileges === undefined, 'authz is off and requires privileges');
  }
  if (authc !== undefined) {
    keysAmong('routeSecurity', `${path} authc`, authc, ['enabled', 'reason']);
    own(authc.enabled === true || isText(authc.reason), 'authc is off or optional without a reason');
  }
}

const OPTIONS = [
  ...[
    'access',
    'tags',
    'body',
    'timeout',
    'xsrfRequired',
    'deprecated',
    'summary',
    'description',
    'discontinued',
  ],
  ...[
    'excludeFromOAS',
    'excludeFromRateLimiter',
    'availability',
    'httpResource',
    'oasOperationObject',
    'idleSocket',
  ],
];

/**
 * Checks a route as Kibana does. The key `security` is required here. Kibana requires it since 9.1, and older versions accept routes
 * without it.
 */
function checkRoute(method, config, handler) {
  keysAmong('route', `${method} route`, config, [
    'path',
    'validate',
    'options',
    'security',
    'onRequestValidationError',
  ]);
  const { path, validate, options = {} } = config;
  demand('route', isText(path) && path.startsWith('/'), `the path ${path} does not begin with a slash`);
  demand('route', typeof handler === 'function', `${path} has no handler`);
  demand('route', validate !== undefined, `${path} has no validate: false bypasses it`);
  if (validate !== false) {
    keysAmong('route', `${path} validate`, validate, ['params', 'query', 'body', 'request', 'response']);
    for (const [key, one] of Object.entries(validate))
      demand(
        'route',
        one === undefined || typeof one === 'function',
        `${path}: validate.${key} is not a function`,
      );
    const named = [...path.matchAll(/\{(\w+)[^}]*\}/g)].map(([, name]) => name);
    demand('route', named.length === 0 || validate.params, `${path} has parameters without validation`);
  }
  keysAmong('routeOptions', `${path} options`, options, OPTIONS);
  demand(
    'routeOptions',
    ['public', 'internal', undefined].includes(options.access),
    `${path}: access is ${options.access}`,
  );
  demand('routeOptions', options.tags === undefined || texts(options.tags), `${path}: tags are not texts`);
  const { output } = options.body ?? {};
  demand('routeOptions', [undefined, 'data', 'stream'].includes(output), `${path}: body.output is ${output}`);
  demand(
    'routeOptions',
    method !== 'get' || (options.body === undefined && (validate === false || !validate.body)),
    `GET ${path} takes a body, which hapi refuses`,
  );
  checkSecurity(config.security, path);
}

/** Returns a path without the names of its parameters. Kibana's HTTP server hapi ignores these names when it compares paths. */
const shapeOf = (path) => path.replaceAll(/\{(\w+)([?*]?)[^}]*\}/g, '{$2}');

function router(routes) {
  const takes = (method) => (config, handler) => {
    checkRoute(method, config, handler);
    const name = `${method} ${shapeOf(config.path)}`;
    demand('route', !routes.has(name), `${name} is registered twice`);
    routes.set(name, config);
  };
  return Object.fromEntries(
    ['get', 'post', 'put', 'delete', 'patch'].map((method) => [method, takes(method)]),
  );
}

// Features

const NAME = /^[a-zA-Z0-9_-]+$/;
const CAPABILITY = /^[a-zA-Z0-9:_-]+$/;
/**
 * Categories of features that belong to a solution. The plugin may not use them, because Kibana hides such a category in spaces of other
 * solutions.
 */
const OF_SOLUTIONS = ['observability', 'enterpriseSearch', 'securitySolution', 'chat'];
const FEATURE_KEYS = [
  ...['id', 'name', 'category', 'description', 'order', 'excludeFromBasePrivileges', 'minimumLicense', 'app'],
  ...[
    'management',
    'catalogue',
    'alerting',
    'cases',
    'privileges',
    'subFeatures',
    'privilegesTooltip',
    'reserved',
  ],
];
const PRIVILEGE_KEYS = [
  ...['excludeFromBasePrivileges', 'requireAllSpaces', 'disabled', 'management', 'catalogue', 'api', 'app'],
  ...['alerting', 'cases', 'savedObject', 'ui', 'replacedBy'],
];

const pagesOf = (management = {}) =>
  Object.entries(management).flatMap(([section, pages]) => pages.map((page) => `${section}.${page}`));

function rulesOf(grants, what) {
  demand('feature', Array.isArray(grants), `[${what}]: expected a list`);
  return grants.flatMap((grant) => {
    keysAmong('feature', what, grant, ['ruleTypeId', 'consumers']);
    demand('feature', isText(grant.ruleTypeId), `[${what}.ruleTypeId]: expected a text`);
    demand(
      'feature',
      texts(grant.consumers) && grant.consumers.length > 0,
      `[${what}.consumers]: array size is [0]`,
    );
    return grant.consumers.map((consumer) => `${grant.ruleTypeId} of ${consumer}`);
  });
}

function grantsOf(alerting = {}, what) {
  keysAmong('feature', what, alerting, ['rule', 'alert']);
  return Object.entries(alerting).flatMap(([kind, levels]) => {
    const known =
      kind === 'rule' ? ['all', 'read', 'enable', 'manual_run', 'manage_rule_settings'] : ['all', 'read'];
    keysAmong('feature', `${what}.${kind}`, levels, known);
    return Object.entries(levels).flatMap(([level, grants]) => rulesOf(grants, `${what}.${kind}.${level}`));
  });
}

export function checkFeature(feature) {
  const own = (condition, message) => demand('feature', condition, message);
  keysAmong('feature', 'feature', feature, FEATURE_KEYS);
  const { id, category, app, catalogue = [], management = {}, alerting = [], privileges } = feature;
  own(NAME.test(id) && !['catalogue', 'management', 'navLinks'].includes(id), `[id]: ${id} is not allowed`);
  own(isText(feature.name), '[name]: expected a text');
  keysAmong('feature', 'category', category, ['id', 'label', 'ariaLabel', 'euiIconType', 'order']);
  demand(
    'solutions',
    !OF_SOLUTIONS.includes(category.id),
    `a space with a solution view hides the category ${category.id}`,
  );
  own(texts(app), '[app]: expected a list of texts');
  own(
    Object.keys(management).every((section) => NAME.test(section)),
    '[management]: a section is not allowed',
  );
  own(
    [...catalogue, ...Object.values(management).flat()].every((one) => CAPABILITY.test(one)),
    'a capability is not allowed',
  );
  keysAmong('feature', 'privileges', privileges, ['all', 'read']);
  const granted = { app: [], catalogue: [], pages: [], rules: [] };
  const declared = { app, catalogue, pages: pagesOf(management), rules: rulesOf(alerting, 'alerting') };
  for (const [level, privilege] of Object.entries(privileges)) {
    const what = `privileges.${level}`;
    keysAmong('feature', what, privilege, PRIVILEGE_KEYS);
    keysAmong('feature', `${what}.savedObject`, privilege.savedObject, ['all', 'read']);
    own(
      texts(privilege.savedObject.all) && texts(privilege.savedObject.read),
      `[${what}.savedObject]: expected lists`,
    );
    own(
      privilege.ui?.every((one) => CAPABILITY.test(one)),
      `[${what}.ui]: expected a list of capabilities`,
    );
    own(privilege.api === undefined || texts(privilege.api), `[${what}.api]: expected a list of texts`);
    const grants = {
      app: privilege.app ?? [],
      catalogue: privilege.catalogue ?? [],
      pages: pagesOf(privilege.management),
      rules: grantsOf(privilege.alerting, `${what}.alerting`),
    };
    for (const part of Object.keys(granted)) {
      const unknown = difference(grants[part], declared[part]);
      own(unknown.length === 0, `${what} has unknown ${part} entries: ${unknown}`);
      granted[part].push(...grants[part]);
    }
  }
  for (const part of Object.keys(granted)) {
    const unseen = difference(declared[part], granted[part]);
    own(unseen.length === 0, `the feature specifies ${part} entries that no privilege grants: ${unseen}`);
  }
}

// Tasks and rule types

const REMOVED_TASKS = [
  'sampleTaskRemovedType',
  'alerting:siem.signals',
  'reports:monitor',
  'cleanup_failed_action_executions',
];
const TASK_KEYS = [
  ...[
    'title',
    'priority',
    'cost',
    'description',
    'timeout',
    'maxAttempts',
    'maxConcurrency',
    'createTaskRunner',
  ],
  ...['stateSchemaByVersion', 'paramsSchema'],
];
const DURATION = /^[1-9]\d*[smhd]$/;
/** Values of Kibana's `TaskCost` that exist in all versions. */
const COSTS = [1, 2, 10];
/** Values of Kibana's `TaskPriority` that exist in all versions. */
const PRIORITIES = [1, 50];

function checkTask(type, definition, known) {
  demand('taskTypes', !known.has(type), `Task ${type} is already defined!`);
  demand('taskTypes', !REMOVED_TASKS.includes(type), `Task ${type} has been removed from registration!`);
  demand(
    'taskTypes',
    definition.maxConcurrency === undefined,
    `maxConcurrency setting isn't allowed for task type: ${type}`,
  );
  // Kibana's Task Manager only logs the errors below, and then ignores the type of task. The double refuses them.
  keysAmong('task', type, definition, TASK_KEYS);
  const { title, timeout = '5m', maxAttempts = 1, cost, priority, createTaskRunner } = definition;
  demand('task', title === undefined || isText(title), `${type}: the title is not a text`);
  demand('task', DURATION.test(timeout), `${type}: Invalid timeout "${timeout}"`);
  demand('task', Number.isInteger(maxAttempts) && maxAttempts >= 1, `${type}: maxAttempts is ${maxAttempts}`);
  demand('task', cost === undefined || COSTS.includes(cost), `${type}: Invalid cost "${cost}"`);
  demand(
    'task',
    priority === undefined || PRIORITIES.includes(priority),
    `${type}: Invalid priority "${priority}"`,
  );
  demand('task', typeof createTaskRunner === 'function', `${type} has no createTaskRunner`);
}

function checkRuleType(type, tasks) {
  const own = (condition, message) => demand('ruleType', condition, `${type.id}: ${message}`);
  own(isText(type.id) && /^[a-zA-Z0-9_\-.]+$/.test(type.id), 'the id has invalid characters');
  own(type.ruleTaskTimeout === undefined || DURATION.test(type.ruleTaskTimeout), 'the timeout is invalid');
  own(
    type.defaultScheduleInterval === undefined || DURATION.test(type.defaultScheduleInterval),
    'the interval is invalid',
  );
  own(
    type.cancelAlertsOnRuleTimeout !== false || type.autoRecoverAlerts === false,
    'alerts are not cancelled, but recovered',
  );
  const groups = type.actionGroups?.map(({ id }) => id) ?? [];
  own(groups.length > 0 && !groups.includes('recovered'), 'the action group recovered is reserved');
  own(groups.includes(type.defaultActionGroupId), 'the default action group is not one of its groups');
  const levels = type.actionGroups.flatMap(({ severity }) => (severity ? [severity.level] : []));
  own(new Set(levels).size === levels.length, 'two action groups have the same severity');
  own(typeof type.executor === 'function', 'it has no executor');
  own(
    ['basic', 'gold', 'platinum', 'enterprise', 'standard', 'trial'].includes(type.minimumLicenseRequired),
    'it names no licence',
  );
  own(
    ['name', 'category', 'producer', 'solution'].every((key) => isText(type[key])),
    'it lacks a name, category, producer or solution',
  );
  own(typeof type.validate?.params?.validate === 'function', 'it does not validate its parameters');
  // A rule type also becomes a task type.
  const { name: title, ruleTaskTimeout: timeout } = type;
  checkTask(`alerting:${type.id}`, { title, ...(timeout ? { timeout } : {}), createTaskRunner() {} }, tasks);
  tasks.add(`alerting:${type.id}`);
}

// Saved objects

function deepFreeze(value) {
  if (isObject(value) || Array.isArray(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
}

function checkSavedObject(type, known) {
  const own = (condition, message) => demand('savedObject', condition, `${type.name}: ${message}`);
  own(isText(type.name) && !known.has(type.name), 'the type is already registered');
  own(
    ['single', 'multiple', 'multiple-isolated', 'agnostic'].includes(type.namespaceType),
    'its namespaceType is unknown',
  );
  own(
    isObject(type.mappings) && type.mappings.dynamic === false && isObject(type.mappings.properties),
    'its mappings may grow',
  );
  own(type.hidden !== true || type.hiddenFromHttpApis !== false, 'it is hidden, but not from HTTP APIs');
  own(
    type.management === undefined || type.management.importableAndExportable === true,
    'it has a management without export',
  );
  own(
    type.migrations === undefined && type.modelVersions === undefined,
    'it has migrations, which are refused after 8.10',
  );
  // The type is frozen, as in Kibana: a plugin that changes the type later causes an error.
  deepFreeze(type);
  known.add(type.name);
}

function checkEncrypted(registration, types, known) {
  const own = (condition, message) => demand('encrypted', condition, `${registration.type}: ${message}`);
  own(!known.has(registration.type), 'the type is already registered');
  own(types.has(registration.type), 'it is not a saved object type');
  const keys = [...registration.attributesToEncrypt].map((one) => (isText(one) ? one : one.key));
  const included = [...(registration.attributesToIncludeInAAD ?? [])];
  own(keys.length > 0, 'attributesToEncrypt is empty');
  own(![...keys, ...included].some((key) => key.includes('.')), 'a key has a dot');
  own(!included.some((key) => keys.includes(key)), 'a key is encrypted and authenticated');
  known.add(registration.type);
}

/** Returns an object that only has `properties`. If the plugin reads another property, the name of that property is added to `unknown`. */
function strict(name, properties, unknown) {
  return new Proxy(properties, {
    get(target, key) {
      if (typeof key === 'symbol' || key === 'then' || key === 'toJSON') return target[key];
      if (!Object.hasOwn(target, key)) unknown.add(`${name}.${key}`);
      return target[key];
    },
  });
}

/**
 * Properties that the plugin reads only to detect older versions of Kibana. Reading them is allowed, although the simulated versions do not
 * have them.
 */
const DETECTED = ['core.elasticsearch.legacy', 'coreStart.http.staticAssets', 'plugins.security.authc'];

const answers = () => Promise.resolve({ statusCode: 200, body: {}, headers: {} });

/**
 * Simulates this version of Kibana. Returns the arguments of the plugin's `setup` and `start`, and the function `faults`. A registration
 * that Kibana refuses throws a {@link Refusal}.
 */
export function kibanaDouble(kibanaVersion) {
  const unknown = new Set();
  const routes = new Map();
  const features = [];
  const tasks = new Set();
  const ruleTypes = [];
  const savedObjects = new Set();
  const encrypted = new Set();
  let isSetUp = false;
  const setupOnly =
    (what, action) =>
    (...given) => {
      demand('app', !isSetUp, `${what} after setup`);
      return action(...given);
    };
  const scoped = {
    asCurrentUser: { transport: { request: answers } },
    asInternalUser: { transport: { request: answers } },
  };
  const repository = {
    find: async () => ({ saved_objects: [], total: 0 }),
    get: async () => ({}),
    create: async () => ({}),
  };
  const scheduled = {
    ensureScheduled: async (task) => task,
    schedule: async (task) => task,
    removeIfExists: async () => undefined,
  };
  return {
    setup: {
      core: strict(
        'core',
        {
          http: strict(
            'core.http',
            { createRouter: setupOnly('createRouter', () => router(routes)) },
            unknown,
          ),
          elasticsearch: strict('core.elasticsearch', {}, unknown),
          savedObjects: strict(
            'core.savedObjects',
            {
              registerType: setupOnly('registerType', (type) => checkSavedObject(type, savedObjects)),
            },
            unknown,
          ),
        },
        unknown,
      ),
      plugins: {
        features: strict(
          'plugins.features',
          {
            registerKibanaFeature: setupOnly('registerKibanaFeature', (feature) => {
              checkFeature(feature);
              features.push(feature);
            }),
          },
          unknown,
        ),
        taskManager: strict(
          'plugins.taskManager',
          {
            registerTaskDefinitions: setupOnly('registerTaskDefinitions', (definitions) => {
              for (const [type, definition] of Object.entries(definitions)) {
                checkTask(type, definition, tasks);
                tasks.add(type);
              }
            }),
          },
          unknown,
        ),
        alerting: strict(
          'plugins.alerting',
          {
            registerType: setupOnly('registerType', (type) => {
              checkRuleType(type, tasks);
              ruleTypes.push(type.id);
            }),
          },
          unknown,
        ),
        encryptedSavedObjects: strict(
          'plugins.encryptedSavedObjects',
          {
            canEncrypt: true,
            registerType: setupOnly('registerType', (one) => checkEncrypted(one, savedObjects, encrypted)),
          },
          unknown,
        ),
      },
    },
    endSetup() {
      isSetUp = true;
    },
    start: {
      core: strict(
        'coreStart',
        {
          elasticsearch: { client: { ...scoped, asScoped: () => scoped } },
          savedObjects: {
            createInternalRepository: () => repository,
            getScopedClient: () => repository,
          },
          http: { basePath: { prepend: (path) => path, serverBasePath: '', publicBaseUrl: undefined } },
          security: {
            authc: {
              apiKeys: { areAPIKeysEnabled: async () => false, invalidateAsInternalUser: async () => null },
            },
          },
          featureFlags: {},
        },
        unknown,
      ),
      plugins: {
        taskManager: scheduled,
        spaces: { spacesService: { getSpaceId: () => 'default', spaceIdToNamespace: () => undefined } },
        security: strict('plugins.security', {}, unknown),
        encryptedSavedObjects: { getClient: () => ({}) },
      },
    },
    /**
     * Returns the faults that can only be found after all registrations, as sentences: missing registrations, and reads of unknown
     * properties.
     */
    faults() {
      const granted = features.flatMap(({ privileges }) =>
        Object.values(privileges).flatMap(({ api = [] }) => api),
      );
      const unreachable = [...routes].flatMap(([name, { security }]) =>
        difference(security.authz.requiredPrivileges ?? [], granted).map(
          (one) => `${name} needs ${one}, which no role grants`,
        ),
      );
      const declared = features.flatMap(({ alerting = [] }) => alerting.map(({ ruleTypeId }) => ruleTypeId));
      return [
        ...(features.length === 1 ? [] : [`it registers ${features.length} features`]),
        ...(routes.size === 0 ? ['it registers no route'] : []),
        ...unreachable,
        ...difference(ruleTypes, declared).map((id) => `the feature grants no rule of ${id}`),
        ...difference(declared, ruleTypes).map(
          (id) => `the feature grants rules of ${id}, which is not registered`,
        ),
        ...difference([...unknown], DETECTED).map(
          (name) => `it reads ${name}, which Kibana ${kibanaVersion} does not have`,
        ),
      ];
    },
  };
}
