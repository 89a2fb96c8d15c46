/** Steps that are timed after a load: what each does, in which order. */
import {
  EuiButtonEmpty,
  EuiButtonIcon,
  EuiFlexGroup,
  EuiFlexItem,
  EuiFormRow,
  EuiPanel,
  EuiSelect,
} from '@elastic/eui';
import type { ReactNode } from 'react';
import { INDEX_SETTING_NAMES } from '../../../../common/elasticsearch/index-settings';
import type { RecipeStep } from '../../../../common/experiment/recipe';
import type { EditPath } from '../../../../common/experiment/text/edit';
import { i18n } from '../../../i18n';
import { asList, asRecord, asText, useErrors, useForm, valueAtPath } from './context';
import { NumberRow, SelectRow, TextRow } from './fields';
import { KeyValues } from './key-values';

const RECIPE = ['measure', 'recipe'];

type Action = Exclude<keyof RecipeStep, 'name'>;

/** What a step of each kind does at first; its key is the name of the step too, as far as that is free. */
const ACTIONS: readonly { action: Action; first: unknown; name: string; label: () => string }[] = [
  {
    action: 'settings',
    first: { number_of_replicas: 1 },
    name: 'restore',
    label: () => i18n.translate('dyno.editor.recipe.settings', { defaultMessage: 'set settings' }),
  },
  {
    action: 'force-merge',
    first: 1,
    name: 'merge',
    label: () => i18n.translate('dyno.editor.recipe.merge', { defaultMessage: 'merge' }),
  },
  {
    action: 'refresh',
    first: true,
    name: 'refresh',
    label: () => i18n.translate('dyno.editor.recipe.refresh', { defaultMessage: 'refresh' }),
  },
  {
    action: 'wait',
    first: 'green',
    name: 'wait',
    label: () => i18n.translate('dyno.editor.recipe.wait', { defaultMessage: 'wait' }),
  },
];

const actionOf = (step: unknown): Action | '' =>
  ACTIONS.find(({ action }) => asRecord(step)[action] !== undefined)?.action ?? '';

/** `merge`, or `merge-2` where there is one. */
function freeName(name: string, steps: readonly unknown[]): string {
  const taken = steps.map((step) => asText(asRecord(step)['name']));
  const free = (at: number): string => (at === 1 ? name : `${name}-${at}`);
  const at = [...taken, ''].findIndex((_, before) => !taken.includes(free(before + 1)));
  return free(at + 1);
}

function What({ path, action }: { path: EditPath; action: Action | '' }): ReactNode {
  switch (action) {
    case 'settings':
      return (
        <KeyValues
          path={[...path, action]}
          label={i18n.translate('dyno.editor.recipe.settingsLabel', { defaultMessage: 'Settings' })}
          addLabel={i18n.translate('dyno.editor.recipe.addSetting', { defaultMessage: 'Add setting' })}
          suggestions={INDEX_SETTING_NAMES}
        />
      );
    case 'force-merge':
      return (
        <NumberRow
          path={[...path, action]}
          min={1}
          max={1000}
          label={i18n.translate('dyno.editor.recipe.segments', { defaultMessage: 'Segments of a shard' })}
        />
      );
    case 'wait':
      return (
        <SelectRow
          path={[...path, action]}
          fallback=""
          label={i18n.translate('dyno.editor.recipe.until', { defaultMessage: 'Until' })}
          options={[
            {
              value: 'green',
              text: i18n.translate('dyno.editor.recipe.green', { defaultMessage: 'all copies are there' }),
            },
            {
              value: 'searchable',
              text: i18n.translate('dyno.editor.recipe.searchable', { defaultMessage: 'all is searchable' }),
            },
          ]}
        />
      );
    default:
      return null;
  }
}

function Step({ at, steps }: { at: number; steps: readonly unknown[] }): ReactNode {
  const { edit, disabled } = useForm();
  const path = [...RECIPE, at];
  const errors = useErrors(path);
  const step = asRecord(steps[at]);
  const action = actionOf(step);
  const number = at + 1;
  const swap = (other: number): void =>
    edit([
      { path: [...RECIPE, at], value: steps[other] },
      { path: [...RECIPE, other], value: steps[at] },
    ]);
  const become = (next: Action): void =>
    edit([
      ...ACTIONS.filter((one) => one.action !== next && step[one.action] !== undefined).map((one) => ({
        path: [...path, one.action],
        remove: true as const,
      })),
      { path: [...path, next], value: ACTIONS.find((one) => one.action === next)!.first },
    ]);
  return (
    <EuiPanel
      hasBorder
      hasShadow={false}
      paddingSize="s"
      role="group"
      aria-label={i18n.translate('dyno.editor.recipe.step', {
        defaultMessage: 'Step {number}',
        values: { number },
      })}
      css={{ marginBlockEnd: 8 }}
    >
      <EuiFlexGroup gutterSize="s" alignItems="flexStart" wrap responsive={false}>
        <EuiFlexItem css={{ minInlineSize: 120 }}>
          <TextRow
            path={[...path, 'name']}
            required
            label={i18n.translate('dyno.editor.recipe.name', { defaultMessage: 'Name' })}
          />
        </EuiFlexItem>
        <EuiFlexItem css={{ minInlineSize: 140 }}>
          <EuiFormRow
            label={i18n.translate('dyno.editor.recipe.does', { defaultMessage: 'Does' })}
            isInvalid={errors.length > 0}
            error={errors}
          >
            <EuiSelect
              disabled={disabled}
              isInvalid={errors.length > 0}
              hasNoInitialSelection={action === ''}
              value={action}
              onChange={({ target }) => become(target.value as Action)}
              options={ACTIONS.map((one) => ({ value: one.action, text: one.label() }))}
            />
          </EuiFormRow>
        </EuiFlexItem>
        <EuiFlexItem css={{ minInlineSize: 140 }}>
          {action === 'settings' ? null : <What path={path} action={action} />}
        </EuiFlexItem>
        <EuiFlexItem grow={false} css={{ paddingBlockStart: 24 }}>
          <EuiFlexGroup gutterSize="none" responsive={false}>
            <EuiButtonIcon
              iconType="sortUp"
              color="text"
              isDisabled={disabled || at === 0}
              aria-label={i18n.translate('dyno.editor.recipe.up', {
                defaultMessage: 'Move step {number} up',
                values: { number },
              })}
              onClick={() => swap(at - 1)}
            />
            <EuiButtonIcon
              iconType="sortDown"
              color="text"
              isDisabled={disabled || at === steps.length - 1}
              aria-label={i18n.translate('dyno.editor.recipe.down', {
                defaultMessage: 'Move step {number} down',
                values: { number },
              })}
              onClick={() => swap(at + 1)}
            />
            <EuiButtonIcon
              iconType="cross"
              color="text"
              isDisabled={disabled}
              aria-label={i18n.translate('dyno.editor.recipe.remove', {
                defaultMessage: 'Remove step {number}',
                values: { number },
              })}
              // A list without steps is no recipe.
              onClick={() => edit([{ path: steps.length === 1 ? RECIPE : path, remove: true }])}
            />
          </EuiFlexGroup>
        </EuiFlexItem>
      </EuiFlexGroup>
      {action === 'settings' ? <What path={path} action={action} /> : null}
    </EuiPanel>
  );
}

export function Recipe(): ReactNode {
  const { values, edit, disabled } = useForm();
  const errors = useErrors(RECIPE);
  const written = valueAtPath(values, RECIPE);
  const steps = asList(written);
  const label = i18n.translate('dyno.editor.recipe.label', { defaultMessage: 'Steps timed after the load' });
  const add = (): void => {
    const { action, first, name } =
      ACTIONS.find((one) => !steps.some((step) => actionOf(step) === one.action)) ?? ACTIONS[0]!;
    edit([
      {
        path: Array.isArray(written) ? [...RECIPE, steps.length] : RECIPE,
        value: Array.isArray(written)
          ? { name: freeName(name, steps), [action]: first }
          : [{ name: freeName(name, steps), [action]: first }],
      },
    ]);
  };
  return (
    <EuiFormRow
      fullWidth
      label={label}
      helpText={i18n.translate('dyno.editor.recipe.help', {
        defaultMessage:
          'As an import ends: settings put back, a merge, waiting. The load is then a number of documents.',
      })}
      isInvalid={errors.length > 0}
      error={errors}
      hasChildLabel={false}
    >
      <div role="group" aria-label={label}>
        {steps.map((_, at) => (
          <Step key={at} at={at} steps={steps} />
        ))}
        <EuiButtonEmpty size="s" flush="left" iconType="plusCircle" isDisabled={disabled} onClick={add}>
          {i18n.translate('dyno.editor.recipe.add', { defaultMessage: 'Add step' })}
        </EuiButtonEmpty>
      </div>
    </EuiFormRow>
  );
}
