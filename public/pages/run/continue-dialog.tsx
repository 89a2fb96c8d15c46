/**
 * A dialog that is shown before a waiting run continues. It shows the environment (labels such as `disk: ssd`) that a person must have set
 * up, and asks for the target.
 */
import {
  EuiButton,
  EuiButtonEmpty,
  EuiCallOut,
  EuiFormRow,
  EuiSelect,
  EuiSpacer,
  EuiText,
} from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import { engineWithVersion } from '../../../common/elasticsearch/engine';
import { environmentLabel } from '../../../common/experiment/environment';
import { blocksOf } from '../../../common/experiment/environment-blocks';
import { resolvePlan } from '../../../common/experiment/plan';
import type { RunDocument } from '../../../common/experiment/run';
import { formatBytes, plural } from '../../../common/units/format';
import { useApi } from '../../api/queries';
import { i18n } from '../../i18n';
import { Dialog } from '../../ui/dialog';
import { blockNumber } from '../../../common/measurement/stored-names';

interface ContinueDialogProps {
  run: RunDocument;
  isLoading: boolean;
  onClose: () => void;
  onContinue: (target: string) => void;
}

export function ContinueDialog({ run, isLoading, onClose, onContinue }: ContinueDialogProps): ReactNode {
  const before = run.experiment.target ?? run.definition.target;
  const [target, setTarget] = useState(before);
  const known = useApi('listTargets', {}).data?.targets.map(({ id }) => id) ?? [];
  const targets = [...new Set([before, ...known])];
  const label = environmentLabel(run.run.waiting?.environment ?? {});
  const next = blocksOf(resolvePlan(run))[blockNumber(run.progress)];
  return (
    <Dialog
      onClose={onClose}
      css={{ inlineSize: 520 }}
      title={i18n.translate('dyno.continue.title', {
        defaultMessage: 'Continue with {label}',
        values: { label },
      })}
      footer={
        <>
          <EuiButtonEmpty onClick={onClose}>
            {i18n.translate('dyno.continue.no', { defaultMessage: 'Not yet' })}
          </EuiButtonEmpty>
          <EuiButton fill iconType="play" isLoading={isLoading} onClick={() => onContinue(target)}>
            {i18n.translate('dyno.continue.yes', { defaultMessage: 'Continue' })}
          </EuiButton>
        </>
      }
    >
      <EuiText size="s">
        <p>
          {i18n.translate('dyno.continue.what', {
            defaultMessage:
              'Dyno cannot check that the target has {label}. It records the properties of the target that it can read, and then runs {trials, plural, one {the trial} other {the # trials}} of this environment.',
            values: { label, trials: next?.trials.length ?? 0 },
          })}
        </p>
      </EuiText>
      <EuiSpacer size="m" />
      <EuiFormRow
        fullWidth
        label={i18n.translate('dyno.continue.target', { defaultMessage: 'Target with this environment' })}
        helpText={i18n.translate('dyno.continue.targetHelp', {
          defaultMessage: 'The same target as before, or another one.',
        })}
      >
        <EuiSelect
          fullWidth
          options={targets.map((id) => ({ value: id, text: id }))}
          value={target}
          onChange={(event) => setTarget(event.target.value)}
        />
      </EuiFormRow>
      <EuiSpacer size="m" />
      <Found target={target} />
    </Dialog>
  );
}

/** Shows the cluster that now responds at the address of the target. */
function Found({ target }: { target: string }): ReactNode {
  const { data, error } = useApi('inspectTarget', { params: { id: target } });
  if (error) return <EuiCallOut size="s" color="warning" title={error.message} />;
  if (!data) return null;
  if (data.cluster === null || data.problem !== '')
    return <EuiCallOut size="s" color="warning" title={data.problem} />;
  const nodes = data.nodes.map(
    ({ name, cores, memoryBytes, disk, diskTotalBytes }) =>
      `${name}: ${plural(cores, 'core')}, memory ${formatBytes(memoryBytes)}, disk ${disk} ${formatBytes(diskTotalBytes)}`,
  );
  return (
    <EuiCallOut
      size="s"
      iconType="cluster"
      title={i18n.translate('dyno.continue.found', {
        defaultMessage: '{cluster} now answers at this address: {engine}',
        values: { cluster: data.cluster.name, engine: engineWithVersion(data.cluster) },
      })}
    >
      {nodes.map((node) => (
        <div key={node}>{node}</div>
      ))}
    </EuiCallOut>
  );
}
