import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { EXECUTORS } from '../common/executors/registry';
import { PARAMETER_KINDS } from '../common/parameters/registry';
import { REQUEST_KINDS } from '../common/requests/registry';
import { definitionSchema } from '../common/experiment/definition';
import { TASK_KINDS } from '../common/tasks/registry';
import { BYTES_FORM } from '../common/units/bytes';
import { DURATION_FORM } from '../common/units/duration';
import { definitionBlocks, missingIn, REFERENCE_FILE, withTables } from './definition-reference.mjs';

const language = {
  definitionSchema,
  EXECUTORS,
  TASK_KINDS,
  REQUEST_KINDS,
  PARAMETER_KINDS,
  DURATION_FORM,
  BYTES_FORM,
};

describe('the reference of the definition', () => {
  const blocks = definitionBlocks(language);
  const keys = blocks.flatMap((block) => block.keys);
  const at = (path: string) => keys.find((key) => key.path === path);

  it('explains each key, with an example that the schema accepts', () => {
    expect(missingIn(blocks)).toEqual([]);
    expect(keys.length).toBeGreaterThan(90);
  });

  it('is current: otherwise `npm run docs` renews docs/definition.md', () => {
    const text = readFileSync(REFERENCE_FILE, 'utf8');
    // `toBe` would print the difference of two long files. The name of the command is more helpful.
    const isCurrent = withTables(text, blocks) === text;
    expect(isCurrent ? 'current' : 'docs/definition.md is not current: `npm run docs` renews it').toBe(
      'current',
    );
  });

  it('takes values, defaults and what is required from the schema', () => {
    expect(at('index.count')).toMatchObject({
      values: 'whole number, 1 to 20',
      usual: '1',
      isRequired: false,
    });
    expect(at('tasks[].name')).toMatchObject({ isRequired: true });
    expect(at('request-timeout')).toMatchObject({ values: 'duration; at most 7d', usual: '60s' });
    expect(blocks.find(({ path }) => path === 'tasks[].ingest.bulk')?.needs).toBe(
      'exactly one of docs, bytes',
    );
  });

  it('takes texts that no docstring has from the forms', () => {
    const clients = 'tasks[].executor.ramping-clients.stages[].clients';
    expect(at(clients)).toMatchObject({ text: 'Clients reached.', example: 'clients: 8' });
  });

  it('reports keys without text or example, and wrong examples', () => {
    const { shape } = definitionSchema;
    const changed = z.strictObject({ ...shape, undocumented: z.string(), seed: z.literal('a word') });
    expect(missingIn(definitionBlocks({ ...language, definitionSchema: changed }))).toEqual([
      expect.stringMatching(/^the @example of seed is wrong: /),
      'undocumented has no docstring that explains it',
      'undocumented has no @example in its docstring',
    ]);
  });
});
