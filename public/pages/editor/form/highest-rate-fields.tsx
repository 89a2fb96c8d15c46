/** The search for the highest rate: the limits that it keeps, where it begins, and how long it looks. */
import {
  EuiButtonEmpty,
  EuiButtonIcon,
  EuiFieldText,
  EuiFlexGroup,
  EuiFlexItem,
  EuiFormRow,
  EuiSpacer,
} from '@elastic/eui';
import type { ReactNode } from 'react';
import type { EditPath } from '../../../../common/experiment/text/edit';
import { i18n } from '../../../i18n';
import { asList, asText, useErrors, useForm, valueAtPath } from './context';
import { NumberRow, TextRow } from './fields';
import { Columns } from './part';

function Limit({ path, at, last }: { path: EditPath; at: number; last: boolean }): ReactNode {
  const { values, edit, disabled } = useForm();
  const own = [...path, at];
  const errors = useErrors(own);
  return (
    <EuiFormRow fullWidth isInvalid={errors.length > 0} error={errors} css={{ marginBlockEnd: 6 }}>
      <EuiFlexGroup gutterSize="s" alignItems="center" responsive={false}>
        <EuiFlexItem>
          <EuiFieldText
            fullWidth
            compressed
            className="eui-textFontMono"
            aria-label={i18n.translate('dyno.editor.search.limitNumber', {
              defaultMessage: 'Limit {number}',
              values: { number: at + 1 },
            })}
            value={asText(valueAtPath(values, own))}
            disabled={disabled}
            isInvalid={errors.length > 0}
            onChange={({ target }) => edit([{ path: own, value: target.value }])}
          />
        </EuiFlexItem>
        <EuiFlexItem grow={false}>
          <EuiButtonIcon
            iconType="cross"
            color="text"
            isDisabled={disabled || last}
            aria-label={i18n.translate('dyno.editor.search.removeLimit', {
              defaultMessage: 'Remove limit {number}',
              values: { number: at + 1 },
            })}
            onClick={() => edit([{ path: own, remove: true }])}
          />
        </EuiFlexItem>
      </EuiFlexGroup>
    </EuiFormRow>
  );
}

/** A limit to begin with, of a figure that none is about yet. */
const SUGGESTED = ['rejection_rate < 0.1%', 'error_rate < 0.1%', 'latency.p99 < 500ms'];
const nextLimit = (limits: readonly unknown[]): string =>
  SUGGESTED.find((one) => !limits.some((known) => asText(known).startsWith(one.split(' ')[0]!))) ??
  'service_time.p99 < 500ms';

function Limits({ path }: { path: EditPath }): ReactNode {
  const { values, edit, disabled } = useForm();
  const errors = useErrors(path);
  const limits = asList(valueAtPath(values, path));
  const label = i18n.translate('dyno.editor.search.limits', { defaultMessage: 'Limits' });
  return (
    <EuiFormRow
      fullWidth
      label={label}
      helpText={i18n.translate('dyno.editor.search.limitsHelp', {
        defaultMessage: 'What a sustained rate keeps: latency.p99 < 500ms, rejection_rate < 0.1%.',
      })}
      isInvalid={errors.length > 0}
      error={errors}
      hasChildLabel={false}
    >
      <div role="group" aria-label={label}>
        {limits.map((_, at) => (
          <Limit key={at} path={path} at={at} last={limits.length === 1} />
        ))}
        <EuiButtonEmpty
          size="s"
          flush="left"
          iconType="plusCircle"
          isDisabled={disabled}
          onClick={() => edit([{ path: [...path, limits.length], value: nextLimit(limits) }])}
        >
          {i18n.translate('dyno.editor.search.addLimit', { defaultMessage: 'Add limit' })}
        </EuiButtonEmpty>
      </div>
    </EuiFormRow>
  );
}

export function HighestRateFields({ path }: { path: EditPath }): ReactNode {
  return (
    <>
      <Limits path={[...path, 'limits']} />
      <EuiSpacer size="m" />
      <Columns>
        <NumberRow
          path={[...path, 'start']}
          min={0}
          step="any"
          label={i18n.translate('dyno.editor.search.start', {
            defaultMessage: 'Begins with, requests per second',
          })}
        />
        <NumberRow
          path={[...path, 'max']}
          min={0}
          step="any"
          label={i18n.translate('dyno.editor.search.max', { defaultMessage: 'No more than' })}
        />
      </Columns>
      <Columns>
        <NumberRow
          path={[...path, 'grow']}
          min={1.05}
          step="any"
          placeholder="1.5"
          label={i18n.translate('dyno.editor.search.grow', { defaultMessage: 'Factor from step to step' })}
        />
        <NumberRow
          path={[...path, 'precision']}
          scale={100}
          append="%"
          step="any"
          placeholder="5"
          label={i18n.translate('dyno.editor.search.precision', { defaultMessage: 'Narrowed to' })}
        />
      </Columns>
      <Columns>
        <TextRow
          path={[...path, 'settle']}
          placeholder="5s"
          label={i18n.translate('dyno.editor.search.settle', { defaultMessage: 'Each step settles for' })}
        />
        <TextRow
          path={[...path, 'step']}
          placeholder="15s"
          label={i18n.translate('dyno.editor.search.step', { defaultMessage: 'and is judged for' })}
        />
      </Columns>
      <Columns>
        <TextRow
          path={[...path, 'hold']}
          placeholder="60s"
          label={i18n.translate('dyno.editor.search.hold', { defaultMessage: 'The rate found is held for' })}
          help={i18n.translate('dyno.editor.search.holdHelp', {
            defaultMessage: 'At least three times the refresh interval.',
          })}
        />
        <NumberRow
          path={[...path, 'max-clients']}
          min={1}
          placeholder="256"
          label={i18n.translate('dyno.editor.executor.maxClients', {
            defaultMessage: 'Most requests in flight',
          })}
        />
      </Columns>
    </>
  );
}
