/** Part of the dialogs that delete experiments or tunings. The user chooses whether their runs are also deleted. */
import { EuiRadioGroup, EuiSpacer } from '@elastic/eui';
import type { ReactNode } from 'react';
import { i18n } from '../i18n';

export type RunsChoice = 'keep' | 'delete';

interface Props {
  /** Label above the options. It names the experiments or tunings whose runs are kept or deleted. */
  legend: string;
  chosen: RunsChoice;
  onChoose: (chosen: RunsChoice) => void;
}

export function RunsQuestion({ legend, chosen, onChoose }: Props): ReactNode {
  return (
    <>
      <EuiSpacer size="m" />
      <EuiRadioGroup
        name="dyno-delete-runs"
        legend={{ children: legend }}
        idSelected={`dyno-runs-${chosen}`}
        onChange={(id) => onChoose(id === 'dyno-runs-delete' ? 'delete' : 'keep')}
        options={[
          {
            id: 'dyno-runs-keep',
            label: i18n.translate('dyno.delete.keepRuns', {
              defaultMessage: 'are kept, with all their results',
            }),
          },
          {
            id: 'dyno-runs-delete',
            label: i18n.translate('dyno.delete.deleteRuns', {
              defaultMessage: 'are deleted too: trials, samples, node metrics and reports',
            }),
          },
        ]}
      />
    </>
  );
}
