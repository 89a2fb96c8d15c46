/** The settings of the plugin in `kibana.yml`, all below `dyno`. */
import { schema, type TypeOf } from '@kbn/config-schema';
import { parseRetention, RETENTION_FORM } from '../../common/experiment/retention';

/** Kibana switches the plugin off by `dyno.enabled: false`, which only a schema that knows it allows. */
const configSchema = schema.object({
  enabled: schema.boolean({ defaultValue: true }),
  results: schema.object({
    /** Of another cluster that keeps the results; Kibana's own without. */
    hosts: schema.maybe(schema.arrayOf(schema.string({ minLength: 1 }), { minSize: 1 })),
    /** For that cluster, base64 as Elasticsearch encodes it; or else: */
    apiKey: schema.maybe(schema.string({ minLength: 1 })),
    username: schema.maybe(schema.string({ minLength: 1 })),
    password: schema.maybe(schema.string()),
    /** File of its certificate authority, PEM. */
    certificateAuthority: schema.maybe(schema.string({ minLength: 1 })),
    verifyCertificates: schema.boolean({ defaultValue: true }),
  }),
  targets: schema.object({
    /** `host`, `host:port`, or patterns of them with `*`; all without. */
    allowedHosts: schema.maybe(schema.arrayOf(schema.string({ minLength: 1 }))),
  }),
  limits: schema.object({
    /** Threads that generate the load of one run; by the load itself without. */
    workers: schema.maybe(schema.number({ min: 1, max: 256 })),
    /** Of results that wait on the disk while their cluster is away; samples beyond it are dropped. */
    spoolMegabytes: schema.number({ defaultValue: 256, min: 1, max: 100_000 }),
  }),
  retention: schema.object({
    /** How long samples of runs are kept, such as `90d, 20 runs`; for ever without. */
    samples: schema.maybe(
      schema.string({
        validate: (text) => (parseRetention(text) ? undefined : `must be ${RETENTION_FORM}`),
      }),
    ),
  }),
  seats: schema.object({
    /** This node may generate load for runs with several seats, its own and those of other nodes. */
    lend: schema.boolean({ defaultValue: false }),
    /** Shown with the seats that this node takes. */
    labels: schema.recordOf(schema.string({ minLength: 1 }), schema.string(), { defaultValue: {} }),
  }),
  /** Folder of the spool and, in `corpora`, of the files that experiments may read; below Kibana's `path.data` without. */
  dataFolder: schema.maybe(schema.string({ minLength: 1 })),
});

export type Config = TypeOf<typeof configSchema>;

/** Nothing of it is for the browser. */
export const config = { schema: configSchema };
