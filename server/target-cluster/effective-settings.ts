/** Reads the effective values of settings whose defaults differ between engines. */
import * as z from 'zod';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import {
  INDEX_SETTINGS,
  JVM,
  jvmSettings,
  listedSettings,
  NODE_SETTINGS_READ,
  type EffectiveSettings,
} from '../../common/elasticsearch/defaults';
import * as api from '../elasticsearch/api';
import { ask } from './answer';

const settings = z.record(z.string(), z.unknown()).optional();
const indices = z.record(z.string(), z.looseObject({ settings, defaults: settings }));
const node = z.looseObject({
  jvm: z
    .looseObject({
      version: z.string().optional(),
      vm_vendor: z.string().optional(),
      gc_collectors: z.array(z.string()).optional(),
      input_arguments: z.array(z.string()).optional(),
    })
    .optional(),
});

/**
 * Returns the settings that {@link EffectiveSettings} lists: effective settings of `index` and of the cluster, and JVM settings of the
 * first node.
 */
export async function readEffectiveSettings(
  client: ElasticsearchClient,
  index: string,
): Promise<EffectiveSettings> {
  const [ofIndex, ofCluster, ofNodes] = await Promise.all([
    ask(
      client,
      api.nestedSettings(index, indices, { include_defaults: true, flat_settings: true }),
      `read the settings of ${index}`,
    ),
    ask(client, api.allClusterSettings(), 'read the settings of the cluster'),
    ask(client, api.nodes('jvm', ['jvm'], node), 'read the Java of the nodes'),
  ]);
  const own = ofIndex[index];
  const { transient, persistent, defaults } = ofCluster;
  const { jvm } = Object.values(ofNodes.nodes ?? {})[0] ?? {};
  return {
    ...listedSettings(INDEX_SETTINGS, [own?.settings, own?.defaults]),
    ...listedSettings(NODE_SETTINGS_READ, [transient, persistent, defaults]),
    ...(jvm?.version === undefined ? {} : { [JVM.version]: jvm.version }),
    ...(jvm?.vm_vendor === undefined ? {} : { [JVM.vendor]: jvm.vm_vendor }),
    ...(jvm?.gc_collectors === undefined ? {} : { [JVM.collectors]: jvm.gc_collectors.join(', ') }),
    ...jvmSettings(jvm?.input_arguments ?? []),
  };
}
