/** Experiments that users can choose in the form of an alert rule. */
import { useApi } from '../api/queries';
import type { Option } from './fields';

export function useExperimentOptions(): { options: Option[]; isLoading: boolean } {
  const { data, isLoading } = useApi('listExperiments', { query: { last: 'brief' } });
  return { options: (data?.experiments ?? []).map(({ id, name }) => ({ label: name, key: id })), isLoading };
}
