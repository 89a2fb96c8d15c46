/** Checks the example in common/presets/README.md, because authors of presets copy it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readPresets } from '../../../common/presets/read';

const README = path.join(__dirname, '../../../common/presets/README.md');

test('the example in the README is valid', () => {
  const examples = [
    ...readFileSync(README, 'utf8').matchAll(/^`(my-account\/\S+)`:\n\n```yaml\n(.*?)^```$/gms),
  ];
  expect(examples.map(([, name]) => name)).toEqual([
    'my-account/account.yaml',
    'my-account/my-replicas.yaml',
    'my-account/my-replicas.figures.yaml',
  ]);
  const [preset, ...others] = readPresets(
    examples.map(([, name, text]) => ({ file: `common/presets/${name}`, text: text! })),
  );
  expect(others).toEqual([]);
  expect(preset).toMatchObject({ name: 'my-replicas', published: { seed: 'my-account' } });
  expect(preset!.published.rows).toHaveLength(3);
});
