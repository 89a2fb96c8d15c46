/** The actions of a row in the table of experiments. */
import type { EuiTableActionsColumnType } from '@elastic/eui';
import type { ExperimentSummary } from '../../../common/api/experiments';
import { i18n } from '../../i18n';

export interface RowActions {
  canRun: boolean;
  canManage: boolean;
  onRun: (experiment: ExperimentSummary) => void;
  onEdit: (experiment: ExperimentSummary) => void;
  onDuplicate: (experiment: ExperimentSummary) => void;
  onSchedule: (experiment: ExperimentSummary) => void;
  onExport: (experiment: ExperimentSummary) => void;
  onDelete: (experiment: ExperimentSummary) => void;
  onHistory: (experiment: ExperimentSummary) => void;
  /** Opens the dashboard of an experiment. Undefined without Kibana's dashboards. */
  onDashboard: ((experiment: ExperimentSummary) => void) | undefined;
}

/**
 * Returns whether an experiment can be deleted: no run is active, or the active run only waits for a person to change disks or machines.
 */
export const isDeletable = ({ active }: ExperimentSummary): boolean =>
  active === null || active.state === 'waiting';

type Action<T> = EuiTableActionsColumnType<T & object>['actions'][number];

export function rowActions<T extends ExperimentSummary>(actions: RowActions): Action<T>[] {
  const { canRun, canManage } = actions;
  return [
    {
      type: 'icon',
      icon: 'play',
      isPrimary: true,
      name: i18n.translate('dyno.experiments.action.run', { defaultMessage: 'Run now' }),
      description: ({ name }: T) =>
        i18n.translate('dyno.experiments.action.runOf', {
          defaultMessage: 'Run {name} now',
          values: { name },
        }),
      available: () => canRun,
      enabled: ({ active }: T) => active === null || active.state === 'waiting',
      onClick: actions.onRun,
    },
    {
      type: 'icon',
      icon: 'visLine',
      name: i18n.translate('dyno.experiments.action.history', { defaultMessage: 'History' }),
      description: ({ name }: T) =>
        i18n.translate('dyno.experiments.action.historyOf', {
          defaultMessage: 'Show how the metrics of {name} changed from run to run',
          values: { name },
        }),
      enabled: ({ runs }: T) => runs > 0,
      onClick: actions.onHistory,
    },
    {
      type: 'icon',
      icon: 'pencil',
      name: i18n.translate('dyno.experiments.action.edit', { defaultMessage: 'Edit' }),
      description: ({ name }: T) =>
        i18n.translate('dyno.experiments.action.editOf', { defaultMessage: 'Edit {name}', values: { name } }),
      available: () => canManage,
      onClick: actions.onEdit,
    },
    {
      type: 'icon',
      icon: 'copy',
      name: i18n.translate('dyno.experiments.action.duplicate', { defaultMessage: 'Duplicate' }),
      description: i18n.translate('dyno.experiments.action.duplicateOf', {
        defaultMessage: 'Create a new experiment with the same definition',
      }),
      available: () => canManage,
      onClick: actions.onDuplicate,
    },
    {
      type: 'icon',
      icon: 'calendar',
      name: i18n.translate('dyno.experiments.action.schedule', { defaultMessage: 'Schedule' }),
      description: i18n.translate('dyno.experiments.action.scheduleOf', {
        defaultMessage: 'Choose when the experiment runs automatically',
      }),
      available: () => canManage,
      onClick: actions.onSchedule,
    },
    {
      type: 'icon',
      icon: 'dashboardApp',
      name: i18n.translate('dyno.experiments.action.dashboard', { defaultMessage: 'Dashboard' }),
      description: i18n.translate('dyno.experiments.action.dashboardOf', {
        defaultMessage: 'Show all runs of the experiment in the Kibana dashboard',
      }),
      available: () => actions.onDashboard !== undefined,
      enabled: ({ runs }: T) => runs > 0,
      onClick: (experiment: T) => actions.onDashboard?.(experiment),
    },
    {
      type: 'icon',
      icon: 'download',
      name: i18n.translate('dyno.experiments.action.export', { defaultMessage: 'Export YAML' }),
      description: i18n.translate('dyno.experiments.action.exportOf', {
        defaultMessage: 'Download the definition as a file',
      }),
      onClick: actions.onExport,
    },
    {
      type: 'icon',
      icon: 'trash',
      color: 'danger',
      name: i18n.translate('dyno.experiments.action.delete', { defaultMessage: 'Delete' }),
      description: ({ name }: T) =>
        i18n.translate('dyno.experiments.action.deleteOf', {
          defaultMessage: 'Delete {name}',
          values: { name },
        }),
      available: () => canManage,
      enabled: isDeletable,
      onClick: actions.onDelete,
    },
  ];
}
