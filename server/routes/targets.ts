/** Routes of targets: clusters under test. */
import type { TARGET_ROUTES, Target } from '../../common/api/targets';
import { targetsIn } from '../../common/experiment/preload';
import { inputError } from '../../common/problem';
import type { HandlersOf } from './handler';
import type { Services } from './services';

export function targetHandlers({ targets, experiments }: Services): HandlersOf<typeof TARGET_ROUTES> {
  /** Returns the names of the experiments that use each target, by the id of the target. */
  async function users(): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    for (const { definition } of await experiments.list())
      for (const target of targetsIn(definition))
        found.set(target, [...(found.get(target) ?? []), definition.name]);
    return found;
  }

  const counted = async (target: Omit<Target, 'experiments'>): Promise<Target> => ({
    ...target,
    experiments: (await users()).get(target.id)?.length ?? 0,
  });

  return {
    async listTargets() {
      const [found, used] = await Promise.all([targets.list(), users()]);
      return {
        targets: found.map((target) => ({ ...target, experiments: used.get(target.id)?.length ?? 0 })),
        secretsRefused: targets.secretsRefused,
      };
    },

    createTarget: async ({ body }) => counted(await targets.create(body)),

    saveTarget: async ({ params: { id }, body }) => counted(await targets.save(id, body)),

    async deleteTarget({ params: { id } }) {
      await targets.get(id);
      const names = (await users()).get(id) ?? [];
      if (names.length > 0) {
        throw inputError('target.in-use', 'id', 'experiments use it: change or delete them first', {
          found: names.slice(0, 5).join(', '),
        });
      }
      await targets.delete(id);
      return { deleted: true };
    },

    inspectTarget: ({ params: { id } }) => targets.inspect(id),

    testTarget: ({ body }) => targets.try(body),
  };
}
