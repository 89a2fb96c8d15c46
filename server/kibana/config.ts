/** Settings of the plugin in `kibana.yml`, all below `dyno`. */
import { schema, type TypeOf } from '@kbn/config-schema';
import { parseRetention, RETENTION_FORM } from '../../common/experiment/retention';

/** Schema of the settings. It declares `enabled`, because Kibana accepts `dyno.enabled: false` only if the schema contains it. */
const configSchema = schema.object({
  enabled: schema.boolean({ defaultValue: true }),
  results: schema.object({
    /** URLs of a separate results cluster. If absent, Kibana's own cluster stores the results. */
    hosts: schema.maybe(schema.arrayOf(schema.string({ minLength: 1 }), { minSize: 1 })),
    /** API key for the results cluster, in base64 as Elasticsearch returns it. It can be used instead of `username` and `password`. */
    apiKey: schema.maybe(schema.string({ minLength: 1 })),
    username: schema.maybe(schema.string({ minLength: 1 })),
    password: schema.maybe(schema.string()),
    /** Path of the PEM file with the certificate authority of the results cluster. */
    certificateAuthority: schema.maybe(schema.string({ minLength: 1 })),
    verifyCertificates: schema.boolean({ defaultValue: true }),
  }),
  targets: schema.object({
    /** Hosts that targets may use: `host`, `host:port`, or patterns with `*`. If absent, targets may use all hosts. */
    allowedHosts: schema.maybe(schema.arrayOf(schema.string({ minLength: 1 }))),
  }),
  limits: schema.object({
    /** Number of worker threads that generate the load of one run. If absent, Dyno chooses the number depending on the load. */
    workers: schema.maybe(schema.number({ min: 1, max: 256 })),
    /**
     * Maximum size, in MB, of the results that are spooled on disk while the results cluster is unavailable. Samples beyond this size are
     * dropped.
     */
    spoolMegabytes: schema.number({ defaultValue: 256, min: 1, max: 100_000 }),
  }),
  retention: schema.object({
    /**
     * How long the samples of runs are kept, such as `90d, 20 runs`. Samples are removed only when all limits in the text are exceeded. If
     * absent, samples are never removed.
     */
    samples: schema.maybe(
      schema.string({
        validate: (text) => (parseRetention(text) ? undefined : `must be ${RETENTION_FORM}`),
      }),
    ),
  }),
  seats: schema.object({
    /** Whether this node may generate load for runs that use several machines. Other Kibana nodes may execute these runs. */
    lend: schema.boolean({ defaultValue: false }),
    /** Labels of this node, which are shown when it generates load for a run. */
    labels: schema.recordOf(schema.string({ minLength: 1 }), schema.string(), { defaultValue: {} }),
  }),
  /**
   * Folder for results that wait for the results cluster. Its subfolder `corpora` contains the files that experiments may read. If absent,
   * the folder is below Kibana's `path.data`.
   */
  dataFolder: schema.maybe(schema.string({ minLength: 1 })),
});

export type Config = TypeOf<typeof configSchema>;

/** Settings for Kibana. They are not exposed to the browser. */
export const config = { schema: configSchema };
