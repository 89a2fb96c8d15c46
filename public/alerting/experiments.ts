/** The experiments that a rule's form offers. */
import { useApi } from '../api/queries';
import type { Option } from './fields';

export function useExperimentOptions(): Option[] {
  const { data } = useApi('listExperiments', { query: { last: 'brief' } });
  return (data?.experiments ?? []).map(({ id, name }) => ({ label: name, key: id }));
}
