/** Cells written one by one: a row each, a column for each factor. */
import { EuiButtonEmpty, EuiButtonIcon, EuiFieldText, EuiFlexGroup, EuiFlexItem } from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import { shortNames, type Levels } from '../../../../common/experiment/cells';
import { sameValue } from '../../../../common/experiment/text/values';
import { i18n } from '../../../i18n';
import { asText, useErrors, useField, useForm } from './context';
import { fieldPath } from './fields';
import { readPlain, whyUnread } from './key-values';

function Level({
  at,
  path,
  name,
  value,
}: {
  at: number;
  path: string;
  name: string;
  value: unknown;
}): ReactNode {
  const { reveal } = useForm();
  const own = ['factors', at, path];
  const { set, unread, hold, disabled } = useField(own);
  const errors = useErrors(own, true);
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed !== null && sameValue(readPlain(typed), value) ? typed : asText(value);
  return (
    <EuiFieldText
      compressed
      fullWidth
      prepend={name}
      aria-label={i18n.translate('dyno.editor.listed.level', {
        defaultMessage: '{path} of cell {number}',
        values: { path, number: at + 1 },
      })}
      {...fieldPath(own)}
      value={unread ?? shown}
      disabled={disabled}
      isInvalid={errors.length > 0}
      onFocus={() => reveal(`factors[${at}]`)}
      onChange={({ target }) => {
        const why = whyUnread(target.value);
        setTyped(target.value);
        if (why === '') set(readPlain(target.value));
        else hold(target.value, why);
      }}
    />
  );
}

export function ListedCells({
  cells,
  paths,
}: {
  cells: readonly Levels[];
  paths: readonly string[];
}): ReactNode {
  const { edit, disabled } = useForm();
  const names = shortNames(paths);
  return (
    <div css={{ marginBlockEnd: 12 }}>
      {cells.map((levels, at) => (
        <EuiFlexGroup
          key={at}
          gutterSize="s"
          alignItems="center"
          responsive={false}
          css={{ marginBlockEnd: 6 }}
        >
          {paths.map((path) => (
            <EuiFlexItem key={path}>
              <Level at={at} path={path} name={names.get(path) ?? path} value={levels[path]} />
            </EuiFlexItem>
          ))}
          <EuiFlexItem grow={false}>
            <EuiButtonIcon
              iconType="cross"
              color="text"
              isDisabled={disabled || cells.length === 1}
              aria-label={i18n.translate('dyno.editor.listed.remove', {
                defaultMessage: 'Remove cell {number}',
                values: { number: at + 1 },
              })}
              onClick={() => edit([{ path: ['factors', at], remove: true }])}
            />
          </EuiFlexItem>
        </EuiFlexGroup>
      ))}
      <EuiButtonEmpty
        size="s"
        flush="left"
        iconType="plusCircle"
        isDisabled={disabled}
        onClick={() => edit([{ path: ['factors', cells.length], value: cells.at(-1) ?? {} }])}
      >
        {i18n.translate('dyno.editor.listed.add', { defaultMessage: 'Add cell' })}
      </EuiButtonEmpty>
    </div>
  );
}
