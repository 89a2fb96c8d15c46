/** Chooses runs to compare by experiment, cluster, time or id. An id that is not in the list can be typed. */
import { EuiComboBox, EuiFormRow, EuiHealth, type EuiComboBoxOptionOption } from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import type { RunSummary } from '../../../common/api/runs';
import { useApi } from '../../api/queries';
import { i18n } from '../../i18n';
import { formatLocal } from '../../ui/time';

/** Number of runs that the list offers. */
export const MOST_LISTED = 500;

const describe = ({ id, experiment, target, started }: RunSummary): string =>
  [experiment.name, target.cluster || target.name, target.version, formatLocal(started), id]
    .filter(Boolean)
    .join(' · ');

const HEALTH: Partial<Record<RunSummary['state'], string>> = {
  completed: 'success',
  running: 'primary',
  failed: 'danger',
  interrupted: 'warning',
};

export function RunPicker({
  runs,
  onChange,
}: {
  runs: readonly string[];
  onChange: (runs: string[]) => void;
}): ReactNode {
  const query = useApi('listRuns', { query: { limit: MOST_LISTED } });
  const known = useMemo(() => new Map(query.data?.runs.map((run) => [run.id, run])), [query.data]);
  const option = (id: string): EuiComboBoxOptionOption<string> => {
    const run = known.get(id);
    return { key: id, value: id, label: run ? describe(run) : id };
  };
  const options = useMemo(
    () => [...known.values()].map((run) => ({ key: run.id, value: run.id, label: describe(run) })),
    [known],
  );
  const label = i18n.translate('dyno.compare.pick', { defaultMessage: 'Runs, the baseline first' });
  return (
    <EuiFormRow
      fullWidth
      label={label}
      helpText={i18n.translate('dyno.compare.pick.help', {
        defaultMessage:
          'Search by experiment, cluster, version, time or id. You can also compare runs of different targets.',
      })}
      isInvalid={query.isError}
      error={
        query.isError
          ? i18n.translate('dyno.compare.pick.failed', {
              defaultMessage: 'The list of runs could not be loaded: {why}',
              values: { why: query.error.message },
            })
          : undefined
      }
    >
      <EuiComboBox
        fullWidth
        aria-label={label}
        placeholder={i18n.translate('dyno.compare.pick.placeholder', {
          defaultMessage: 'Choose at least two runs',
        })}
        isLoading={query.isPending}
        options={options}
        selectedOptions={runs.map(option)}
        onChange={(chosen) => onChange(chosen.flatMap(({ value }) => value ?? []))}
        onCreateOption={(text) => onChange([...runs, text.trim()])}
        customOptionText={i18n.translate('dyno.compare.pick.custom', {
          defaultMessage: 'Add the run with the id {searchValue}',
        })}
        renderOption={({ value, label: text }) => (
          <EuiHealth color={HEALTH[known.get(value ?? '')?.state ?? 'queued'] ?? 'subdued'}>{text}</EuiHealth>
        )}
        rowHeight={32}
      />
    </EuiFormRow>
  );
}
