/**
 * Menu of the baseline with which the newest runs of an experiment are compared. The baseline is one run, or all runs of one version of
 * Elasticsearch.
 */
import {
  EuiButton,
  EuiButtonEmpty,
  EuiContextMenuItem,
  EuiContextMenuPanel,
  EuiFormRow,
  EuiPopover,
  EuiSelect,
  EuiSpacer,
  EuiText,
} from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import type { BaselineOf } from '../../../common/history/annotations';
import type { History } from '../../../common/history/history';
import { useApi, useApiChange } from '../../api/queries';
import { usePrivilege } from '../../app/context';
import { i18n } from '../../i18n';
import { Dialog } from '../../ui/dialog';
import { formatLocal } from '../../ui/time';
import { useToasts } from '../../ui/toasts';

interface BaselineMenuProps {
  history: Pick<History, 'experiment' | 'nights' | 'baseline'>;
}

export function BaselineMenu({ history }: BaselineMenuProps): ReactNode {
  const { experiment, baseline, nights: runs } = history;
  const mayWrite = usePrivilege('manage');
  const toasts = useToasts();
  const [isOpen, setOpen] = useState(false);
  const [asks, setAsks] = useState(false);
  const remove = useApiChange('removeBaseline', ['getHistory', 'getBaseline']);
  const label =
    baseline === null
      ? i18n.translate('dyno.baseline.none', { defaultMessage: 'No baseline' })
      : baseline.run === null
        ? i18n.translate('dyno.baseline.gone', {
            defaultMessage: 'Baseline: {label} (no run exists any more)',
            values: { label: baseline.label },
          })
        : i18n.translate('dyno.baseline.label', {
            defaultMessage: 'Baseline: {label}',
            values: { label: baseline.label },
          });
  if (!mayWrite)
    return (
      <EuiText size="s" color="subdued">
        {label}
      </EuiText>
    );
  const items = [
    <EuiContextMenuItem
      key="set"
      icon="pencil"
      onClick={() => {
        setOpen(false);
        setAsks(true);
      }}
    >
      {i18n.translate('dyno.baseline.set', { defaultMessage: 'Set baseline' })}
    </EuiContextMenuItem>,
    <EuiContextMenuItem
      key="remove"
      icon="trash"
      disabled={baseline === null}
      onClick={() => {
        setOpen(false);
        remove.mutate(
          { params: { id: experiment.id } },
          {
            onError: (error) =>
              toasts.failed(
                i18n.translate('dyno.baseline.removeFailed', {
                  defaultMessage: 'The baseline was not removed',
                }),
                error,
              ),
          },
        );
      }}
    >
      {i18n.translate('dyno.baseline.remove', { defaultMessage: 'Remove baseline' })}
    </EuiContextMenuItem>,
  ];
  return (
    <>
      <EuiPopover
        aria-label={i18n.translate('dyno.baseline.menu', { defaultMessage: 'Baseline' })}
        isOpen={isOpen}
        closePopover={() => setOpen(false)}
        panelPaddingSize="none"
        button={
          <EuiButtonEmpty
            size="s"
            iconType="chevronSingleDown"
            iconSide="right"
            isLoading={remove.isPending}
            onClick={() => setOpen(!isOpen)}
          >
            {label}
          </EuiButtonEmpty>
        }
      >
        <EuiContextMenuPanel items={items} />
      </EuiPopover>
      {asks ? <BaselineDialog experiment={experiment.id} runs={runs} onClose={() => setAsks(false)} /> : null}
    </>
  );
}

/** Number of newest runs that are listed. */
const MOST_HISTORY_RUNS = 500;

interface BaselineDialogProps {
  experiment: string;
  runs: History['nights'];
  onClose: () => void;
}

function BaselineDialog({ experiment, runs, onClose }: BaselineDialogProps): ReactNode {
  const toasts = useToasts();
  const [kind, setKind] = useState<'run' | 'trait'>('run');
  const [run, setRun] = useState(runs.at(-1)?.run ?? '');
  const [trait, setTrait] = useState('0');
  const known = useApi('getBaseline', { params: { id: experiment } });
  const set = useApiChange('setBaseline', ['getHistory', 'getBaseline']);
  const traits = known.data?.traits ?? [];
  const chosen = traits[Number(trait)];
  const of: BaselineOf | undefined =
    kind === 'run' ? (run === '' ? undefined : { run }) : chosen && { ...chosen, since: null };
  return (
    <Dialog
      onClose={onClose}
      title={i18n.translate('dyno.baseline.title', { defaultMessage: 'Set the baseline' })}
      footer={
        <>
          <EuiButtonEmpty onClick={onClose}>
            {i18n.translate('dyno.baseline.cancel', { defaultMessage: 'Cancel' })}
          </EuiButtonEmpty>
          <EuiButton
            fill
            isDisabled={of === undefined}
            isLoading={set.isPending}
            onClick={() => {
              if (of === undefined) return;
              set.mutate(
                { params: { id: experiment }, body: { of } },
                {
                  onSuccess: onClose,
                  onError: (error) =>
                    toasts.failed(
                      i18n.translate('dyno.baseline.failed', { defaultMessage: 'The baseline was not set' }),
                      error,
                    ),
                },
              );
            }}
          >
            {i18n.translate('dyno.baseline.set', { defaultMessage: 'Set baseline' })}
          </EuiButton>
        </>
      }
    >
      <EuiText size="s">
        <p>
          {i18n.translate('dyno.baseline.about', {
            defaultMessage:
              'The newest level of each series is compared with the baseline. A single run is noisy. All runs of a version together reveal smaller differences.',
          })}
        </p>
      </EuiText>
      <EuiSpacer size="m" />
      <EuiFormRow label={i18n.translate('dyno.baseline.kind', { defaultMessage: 'Compare with' })} fullWidth>
        <EuiSelect
          fullWidth
          value={kind}
          onChange={({ target }) => setKind(target.value === 'run' ? 'run' : 'trait')}
          options={[
            { value: 'run', text: i18n.translate('dyno.baseline.run', { defaultMessage: 'One run' }) },
            {
              value: 'trait',
              text: i18n.translate('dyno.baseline.trait', {
                defaultMessage: 'All runs with the same version or another property',
              }),
            },
          ]}
        />
      </EuiFormRow>
      {kind === 'run' ? (
        <EuiFormRow label={i18n.translate('dyno.baseline.run', { defaultMessage: 'Run' })} fullWidth>
          <EuiSelect
            fullWidth
            value={run}
            onChange={({ target }) => setRun(target.value)}
            options={[...runs]
              .reverse()
              .slice(0, MOST_HISTORY_RUNS)
              .map((historyRun) => ({
                value: historyRun.run,
                text: `${formatLocal(historyRun.at)} · ${historyRun.run}`,
              }))}
          />
        </EuiFormRow>
      ) : (
        <EuiFormRow
          label={i18n.translate('dyno.baseline.value', { defaultMessage: 'Version or trait' })}
          fullWidth
          isInvalid={known.isError}
          error={known.error?.message}
        >
          <EuiSelect
            fullWidth
            isLoading={known.isPending}
            value={trait}
            onChange={({ target }) => setTrait(target.value)}
            options={traits.map(({ trait: what, value }, at) => ({
              value: String(at),
              text: `${what} ${value}`,
            }))}
          />
        </EuiFormRow>
      )}
    </Dialog>
  );
}
