/**
 * A dialog that asks for confirmation before some runs: those that take hours, cannot measure everything, or need a person who changes the
 * environment, such as disks.
 */
import { EuiFormRow, EuiSelect, EuiSpacer, EuiText } from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import type { ClusterChanges } from '../../../common/experiment/requested-cluster';
import type { Cost } from '../../../common/experiment/cost';
import { environmentLabel, type Environment } from '../../../common/experiment/environment';
import { formatBytes, formatDuration, formatNumber } from '../../../common/units/format';
import { i18n } from '../../i18n';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import type { Asked } from './run-cost';
import { CannotShowCallout } from './cannot-show';
import type { Running } from './use-running';

/** The dialog that confirms a run. Shows nothing if nothing has to be confirmed. */
export function RunDialog({
  running: { asked, confirm, dismiss },
}: {
  running: Pick<Running, 'asked' | 'confirm' | 'dismiss'>;
}): ReactNode {
  if (asked === null) return null;
  return <Question asked={asked} onConfirm={(begins) => void confirm(begins)} onCancel={dismiss} />;
}

interface QuestionProps {
  asked: Asked;
  onConfirm: (begins: Environment) => void;
  onCancel: () => void;
}

function Question({ asked, onConfirm, onCancel }: QuestionProps): ReactNode {
  const [at, setAt] = useState(0);
  const begins = asked.beginnings[at]!;
  const hasChoice = asked.beginnings.length > 1;
  const cost = asked.costFrom(begins);
  return (
    <ConfirmDialog
      title={i18n.translate('dyno.experiments.run.title', {
        defaultMessage: 'This takes about {time}',
        values: { time: formatDuration(cost.ms) },
      })}
      onCancel={onCancel}
      // If there is no choice, no starting environment is sent.
      onConfirm={() => onConfirm(hasChoice ? begins : {})}
      defaultFocusedButton="confirm"
      cancelButtonText={i18n.translate('dyno.experiments.run.cancel', { defaultMessage: 'Not now' })}
      confirmButtonText={i18n.translate('dyno.experiments.run.confirm', { defaultMessage: 'Run' })}
      buttonColor="primary"
    >
      <EuiText size="s">
        <Amount asked={asked} cost={cost} />
        {cost.clusters === null ? null : <Clusters clusters={cost.clusters} />}
      </EuiText>
      <CannotShowCallout found={asked.hiddenFrom(begins)} />
      {hasChoice ? (
        <>
          <EuiSpacer size="m" />
          <Beginning environments={asked.beginnings} at={at} onChange={setAt} />
          <EuiSpacer size="m" />
        </>
      ) : null}
      {cost.environments.length > 1 ? (
        <EuiText size="s">
          <p>
            {i18n.translate('dyno.experiments.run.afterwards', {
              defaultMessage: 'After that, the run waits until you have set up {next} and continue the run.',
              values: { next: cost.environments.slice(1).join('; ') },
            })}
          </p>
        </EuiText>
      ) : null}
    </ConfirmDialog>
  );
}

function Amount({ asked: { name, target }, cost }: { asked: Asked; cost: Cost }): ReactNode {
  return (
    <p>
      {i18n.translate('dyno.experiments.run.body', {
        defaultMessage:
          '{name} has {cells, plural, one {# cell} other {# cells}} with {isMost, select, true {at most } other {}}{trials, plural, one {# trial} other {# trials}} each. It sends about {documents} documents to {target} and needs up to {disk} of disk space there at a time. You can cancel the run at any time. Completed trials are kept.',
        values: {
          name,
          cells: cost.cells,
          trials: cost.trials,
          isMost: cost.isMost,
          documents: formatNumber(cost.documents),
          target,
          disk: formatBytes(cost.diskBytes),
        },
      })}
    </p>
  );
}

function Clusters({ clusters: { names, clusters } }: { clusters: ClusterChanges }): ReactNode {
  return (
    <p>
      {i18n.translate('dyno.experiments.run.clusters', {
        defaultMessage:
          'Dyno sets {names} itself. For this, it starts {clusters, plural, one {a cluster} other {# clusters, one after another,}} of up to {nodes, plural, one {one node} other {# nodes}} next to the embedded Elasticsearch, and removes what it started at the end.',
        values: {
          names: names.join(', '),
          clusters: clusters.length,
          nodes: Math.max(...clusters.map(({ nodes }) => nodes)),
        },
      })}
    </p>
  );
}

interface BeginningProps {
  environments: readonly Environment[];
  /** Index in `environments` of the environment in which the run starts. The user has chosen it. */
  at: number;
  onChange: (at: number) => void;
}

function Beginning({ environments, at, onChange }: BeginningProps): ReactNode {
  return (
    <EuiFormRow
      fullWidth
      label={i18n.translate('dyno.experiments.run.begins', {
        defaultMessage: 'Current environment',
      })}
      helpText={i18n.translate('dyno.experiments.run.beginsHelp', {
        defaultMessage: 'The run begins there. Dyno cannot check that the target has this environment.',
      })}
    >
      <EuiSelect
        fullWidth
        options={environments.map((environment, value) => ({
          value,
          text:
            environmentLabel(environment) ||
            i18n.translate('dyno.experiments.run.noLabels', { defaultMessage: 'without labels' }),
        }))}
        value={at}
        onChange={(event) => onChange(Number(event.target.value))}
      />
    </EuiFormRow>
  );
}
