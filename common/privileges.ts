/** Privileges that users of Dyno in Kibana need. Pages, requests, docs and tests all use this list. */

/** Uses of Dyno. `run`: define and run experiments, and look at results. `look`: only look at results. */
export const USES = ['run', 'look'] as const;
export type Use = (typeof USES)[number];

export interface RoleNeeds {
  /** Name of the role in the requests. */
  role: string;
  /** Privilege of the feature Dyno in Kibana. */
  feature: 'all' | 'read';
  /** Privileges of Elasticsearch. */
  elasticsearch: {
    cluster: readonly string[];
    indices: readonly { names: readonly string[]; privileges: readonly string[] }[];
  };
}

const OWN_INDICES = ['dyno-*'];

/**
 * Privileges that each role needs in the cluster of Kibana. This cluster stores the results. It is also the target with the name `local`.
 */
export const NEEDS: Readonly<Record<Use, RoleNeeds>> = {
  run: {
    role: 'dyno_user',
    feature: 'all',
    elasticsearch: {
      cluster: ['monitor', 'manage_index_templates', 'manage_own_api_key'],
      indices: [
        // Dyno creates, merges, copies and deletes indices, and clears their caches. Only `manage` covers all of that.
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

/** Privileges for experiments on existing data. These experiments neither create nor delete indices. */
export const EXISTING_NEEDS = {
  /** Privileges on the indices with the data, to search them and to detect changes of the data. */
  search: ['read', 'view_index_metadata', 'monitor'],
  /** Additional privileges, to write to these indices and to count the written documents. */
  write: ['index', 'maintenance'],
  /** Additional privilege, to clear the caches of these indices before a cold start. No lower privilege allows this. */
  cold: ['manage'],
} as const;

/** Cluster privileges that some experiments need in addition to {@link NEEDS}. */
export const MORE_NEEDS = {
  /** Privilege for an ingest pipeline that parses lines. */
  pipelines: 'manage_pipeline',
  /** Privilege for a trial that creates a data stream. A data stream requires an index template. */
  streams: 'manage_index_templates',
  /** Privilege to restore an index from a snapshot. The privilege `manage` includes it. */
  snapshots: 'cluster:admin/snapshot/*',
  /** Privilege to change cluster settings, and to cancel a reindex task. */
  cluster: 'manage',
} as const;

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/**
 * Returns a request for Kibana's Dev Tools that creates or replaces the role for `use`. The role contains only the Elasticsearch
 * privileges, without those of Kibana.
 */
export const elasticsearchRequest = (use: Use): string =>
  `PUT _security/role/${NEEDS[use].role}\n${json(NEEDS[use].elasticsearch)}`;

/** Returns the whole role for `use`, as Kibana's API expects it. */
export const kibanaRole = (use: Use): object => ({
  elasticsearch: NEEDS[use].elasticsearch,
  kibana: [{ base: [], feature: { dyno: [NEEDS[use].feature] }, spaces: ['*'] }],
});

/** Returns a shell command that creates the whole role for `use` with Kibana's API at `url`. The command asks for the password. */
export const kibanaRequest = (use: Use, url: string): string =>
  [
    `curl -u elastic -X PUT '${url}/api/security/role/${NEEDS[use].role}' \\`,
    `  -H 'kbn-xsrf: dyno' -H 'content-type: application/json' -d '${json(kibanaRole(use))}'`,
  ].join('\n');

/** Codes of problems that a user can fix with a role that has more privileges. */
const FORBIDDEN = [
  'results.forbidden',
  'target.forbidden',
  'target.missing-privileges',
  'request.forbidden',
  'run.key',
];

export const lacksPrivileges = (problems: readonly { code: string }[]): boolean =>
  problems.some(({ code }) => FORBIDDEN.includes(code));
