/** The editor's form for the steps after the load (`measure.recipe`), such as a force merge. The form shows them as a list. */
import { freeName, type ListField, type Way, type Written } from '../fields/form';
import type { RecipeStep } from './recipe';

type Action = Exclude<keyof RecipeStep, 'name'>;

/**
 * An action of a step after the load, such as a force merge. Contains the action's initial value, and the name of a new step with this
 * action.
 */
interface ActionWay extends Omit<Way, 'is' | 'writes'> {
  value: Action;
  first: unknown;
  name: string;
}

const ACTIONS: readonly ActionWay[] = [
  {
    value: 'settings',
    first: { number_of_replicas: 1 },
    name: 'restore',
    text: { id: 'dyno.editor.recipe.settings', text: 'set settings' },
    rows: [
      {
        kind: 'settings',
        key: 'settings',
        label: { id: 'dyno.editor.recipe.settingsLabel', text: 'Settings' },
        add: { id: 'dyno.editor.recipe.addSetting', text: 'Add setting' },
      },
    ],
  },
  {
    value: 'force-merge',
    first: 1,
    name: 'merge',
    text: { id: 'dyno.editor.recipe.merge', text: 'merge' },
    rows: [
      {
        kind: 'number',
        key: 'force-merge',
        min: 1,
        max: 1000,
        label: { id: 'dyno.editor.recipe.segments', text: 'Segments per shard' },
      },
    ],
  },
  {
    value: 'refresh',
    first: true,
    name: 'refresh',
    text: { id: 'dyno.editor.recipe.refresh', text: 'refresh' },
  },
  {
    value: 'wait',
    first: 'green',
    name: 'wait',
    text: { id: 'dyno.editor.recipe.wait', text: 'wait' },
    rows: [
      {
        kind: 'choice',
        key: 'wait',
        fallback: '',
        label: { id: 'dyno.editor.recipe.until', text: 'Until' },
        options: [
          { value: 'green', text: { id: 'dyno.editor.recipe.green', text: 'all copies are allocated' } },
          {
            value: 'searchable',
            text: { id: 'dyno.editor.recipe.searchable', text: 'all documents are searchable' },
          },
        ],
      },
    ],
  },
];

const has = (step: unknown, action: Action): boolean => (Object(step) as Written)[action] !== undefined;

/** Returns a new step. Its action is the first one that no other step has. */
function nextStep(steps: readonly unknown[]): unknown {
  const { value, first, name } =
    ACTIONS.find((action) => !steps.some((step) => has(step, action.value))) ?? ACTIONS[0]!;
  return { name: freeName(name, steps), [value]: first };
}

export const RECIPE_FIELD: ListField = {
  kind: 'list',
  key: 'measure.recipe',
  label: { id: 'dyno.editor.recipe.label', text: 'Steps timed after the load' },
  help: {
    id: 'dyno.editor.recipe.help',
    text: 'The last steps of an import: restore settings, merge, wait. Steps need a load with a fixed number of documents.',
  },
  item: {
    name: { id: 'dyno.editor.recipe.step', text: 'Step {number}' },
    remove: { id: 'dyno.editor.recipe.remove', text: 'Remove step {number}' },
    up: { id: 'dyno.editor.recipe.up', text: 'Move step {number} up' },
    down: { id: 'dyno.editor.recipe.down', text: 'Move step {number} down' },
  },
  adds: [{ text: { id: 'dyno.editor.recipe.add', text: 'Add step' }, item: nextStep }],
  itemRows: () => [
    [
      {
        kind: 'text',
        key: 'name',
        required: true,
        label: { id: 'dyno.editor.recipe.name', text: 'Name' },
      },
      {
        kind: 'ways',
        label: { id: 'dyno.editor.recipe.does', text: 'Action' },
        ways: ACTIONS.map(({ first, ...way }) => ({
          ...way,
          is: (step) => has(step, way.value),
          writes: (step) => [
            ...ACTIONS.filter(({ value }) => value !== way.value && has(step, value)).map(({ value }) => ({
              key: value,
            })),
            { key: way.value, value: first },
          ],
        })),
      },
    ],
  ],
};
