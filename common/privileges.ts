/** What a role must grant to whoever uses Dyno in Kibana: the one list that pages, requests, the README and tests take. */

/** To define and run, which includes to look; or only to look. */
export const USES = ['run', 'look'] as const;
export type Use = (typeof USES)[number];

export interface RoleNeeds {
  /** As the requests name the role. */
  role: string;
  /** Of the feature Dyno in Kibana. */
  feature: 'all' | 'read';
  /** Of Elasticsearch. */
  elasticsearch: {
    cluster: readonly string[];
    indices: readonly { names: readonly string[]; privileges: readonly string[] }[];
  };
}

const OWN_INDICES = ['dyno-*'];

/** Holds for the cluster of Kibana, being the target `local` and the place of the results. */
export const NEEDS: Readonly<Record<Use, RoleNeeds>> = {
  run: {
    role: 'dyno_user',
    feature: 'all',
    elasticsearch: {
      cluster: ['monitor', 'manage_index_templates', 'manage_own_api_key'],
      indices: [
        // Indices are made, merged, copied, emptied of caches and removed; only `manage` covers all of it.
        { names: OWN_INDICES, privileges: ['manage', 'read', 'write', 'view_index_metadata'] },
      ],
    },
  },
  look: {
    role: 'dyno_viewer',
    feature: 'read',
    elasticsearch: {
      cluster: ['monitor'],
      indices: [{ names: OWN_INDICES, privileges: ['read', 'view_index_metadata'] }],
    },
  },
};

/** What experiments on data that was there before take of it: nothing is created or deleted, so they need no right to. */
export const EXISTING_NEEDS = {
  /** To search it, and to see whether it stays as it is. */
  search: ['read', 'view_index_metadata', 'monitor'],
  /** Beside that, to write to it and to count what was written. */
  write: ['index', 'maintenance'],
  /** Beside that, to empty its caches before a cold start: no lesser privilege covers it. */
  cold: ['manage'],
} as const;

/** What some experiments take of the cluster of their target beyond {@link NEEDS}. */
export const MORE_NEEDS = {
  /** Where an ingest pipeline parses. */
  pipelines: 'manage_pipeline',
  /** Where a trial makes a data stream, which takes an index template. */
  streams: 'manage_index_templates',
  /** Where settings of the cluster are changed, and to end a copy of documents that the cluster makes. */
  cluster: 'manage',
} as const;

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** For Kibana's Dev Tools: the part of the role that Elasticsearch knows. It replaces a role of that name. */
export const elasticsearchRequest = (use: Use): string =>
  `PUT _security/role/${NEEDS[use].role}\n${json(NEEDS[use].elasticsearch)}`;

/** Kibana's API takes both parts at once. */
export const kibanaRole = (use: Use): object => ({
  elasticsearch: NEEDS[use].elasticsearch,
  kibana: [{ base: [], feature: { dyno: [NEEDS[use].feature] }, spaces: ['*'] }],
});

/** For a shell: the whole role, by Kibana's API at `url`. It asks for the password. */
export const kibanaRequest = (use: Use, url: string): string =>
  [
    `curl -u elastic -X PUT '${url}/api/security/role/${NEEDS[use].role}' \\`,
    `  -H 'kbn-xsrf: dyno' -H 'content-type: application/json' -d '${json(kibanaRole(use))}'`,
  ].join('\n');

/** Problems that a role may fix. */
const FORBIDDEN = [
  'results.forbidden',
  'target.forbidden',
  'target.missing-privileges',
  'request.forbidden',
  'run.key',
];

export const lacksPrivileges = (problems: readonly { code: string }[]): boolean =>
  problems.some(({ code }) => FORBIDDEN.includes(code));
