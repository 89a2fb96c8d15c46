/** Which of several indices each search of a log goes to. */
import { EuiFormRow, EuiSelect } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { EditPath } from '../../../../common/experiment/text/edit';
import { AS_DOCUMENTS } from '../../../../common/tasks/replay';
import { i18n } from '../../../i18n';
import { useErrors, useField } from './context';
import type { PartProps } from './described';
import { StructureRow } from './structure-row';

const ALL = 'all';
const OWN = 'own';

/** To begin with: two indices of the trial, with figures of each. */
const FIRST_ROUTE = {
  field: 'store_id',
  modulo: 2,
  indices: [{ trial: 1 }, { trial: 2 }],
  names: ['even', 'odd'],
};

export function ReplayRoute({ path: work }: PartProps): ReactNode {
  const path: EditPath = [...work, 'route'];
  const { value, set, disabled, onFocus } = useField(path);
  const errors = useErrors(path);
  const known = value === undefined ? ALL : value === AS_DOCUMENTS ? AS_DOCUMENTS : OWN;
  return (
    <>
      <EuiFormRow
        fullWidth
        label={i18n.translate('dyno.editor.replay.route', { defaultMessage: 'Each search goes to' })}
        isInvalid={errors.length > 0}
        error={known === OWN ? [] : errors}
      >
        <EuiSelect
          fullWidth
          disabled={disabled}
          onFocus={onFocus}
          isInvalid={errors.length > 0}
          value={known}
          onChange={({ target }) =>
            set(target.value === ALL ? undefined : target.value === AS_DOCUMENTS ? AS_DOCUMENTS : FIRST_ROUTE)
          }
          options={[
            {
              value: ALL,
              text: i18n.translate('dyno.editor.replay.routeAll', {
                defaultMessage: 'all indices of the trial',
              }),
            },
            {
              value: AS_DOCUMENTS,
              text: i18n.translate('dyno.editor.replay.routeIndex', {
                defaultMessage: 'the one that the documents of its value are in',
              }),
            },
            {
              value: OWN,
              text: i18n.translate('dyno.editor.replay.routeOwn', {
                defaultMessage: 'the one that a rule of its own names',
              }),
            },
          ]}
        />
      </EuiFormRow>
      {known === OWN ? (
        <StructureRow
          path={path}
          rows={8}
          label={i18n.translate('dyno.editor.replay.routeRule', { defaultMessage: 'The rule' })}
          help={i18n.translate('dyno.editor.replay.routeRuleHelp', {
            defaultMessage:
              'An index for each remainder: {all}, {one} or {standing}. With names there are figures for each.',
            values: { all: 'trial', one: '{ trial: 1 }', standing: '{ existing: NAME }' },
          })}
        />
      ) : null}
    </>
  );
}
