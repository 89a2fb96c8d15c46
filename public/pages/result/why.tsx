/** Answers the question why two combinations of factor levels differ: a button that asks it, and the answer of a run with a profile. */
import { EuiButtonEmpty, EuiFlexItem, EuiSpacer, EuiText } from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import { FINAL_STATES } from '../../../common/experiment/run';
import { formatYaml } from '../../../common/experiment/document';
import { DynoError } from '../../../common/problem';
import type { ProfileSource } from '../../../common/profile/events';
import type { Profile } from '../../../common/report/model/profile';
import type { Report } from '../../../common/report/model/report';
import { isProfiled, whySentences } from '../../../common/report/why';
import { isDecided, usualSource, whyExperiment, whyPair } from '../../../common/tuning/why';
import { useApi } from '../../api/queries';
import { useApp, usePrivilege } from '../../app/context';
import { i18n } from '../../i18n';

/**
 * Returns the experiment that explains the effect of a run. Null if the run decided no effect, if it is not reliable, or if no profile can
 * explain it. Runs with a profile contain the answer already. `source`: how the nodes are profiled.
 */
function experimentFor(report: Report, source: ProfileSource): Record<string, unknown> | null {
  if (!FINAL_STATES.includes(report.run.state) || report.trust?.level === 'none') return null;
  if (!isDecided(report) || isProfiled(report)) return null;
  try {
    return whyExperiment(report, whyPair(report), source);
  } catch (error) {
    if (error instanceof DynoError) return null;
    throw error;
  }
}

/** A button in a row that opens the experiment in the editor. Absent if there is nothing to explain, or if the user may not define experiments. */
export function WhyButton({ report }: { report: Report }): ReactNode {
  const { host } = useApp();
  const mayDefine = usePrivilege('manage');
  const { data: status, isPending } = useApi('getStatus', {});
  const source = usualSource(status?.startsClustersOf === report.definition.target);
  const experiment = useMemo(() => experimentFor(report, source), [report, source]);
  if (experiment === null || !mayDefine) return null;
  return (
    <EuiFlexItem grow={false}>
      <EuiButtonEmpty
        size="s"
        iconType="magnify"
        isLoading={isPending}
        onClick={() => host.history.push('/experiments/new', { text: formatYaml(experiment) })}
      >
        {i18n.translate('dyno.result.why', { defaultMessage: 'Find out why' })}
      </EuiButtonEmpty>
    </EuiFlexItem>
  );
}

/**
 * Sentences about what changed in CPU time, waiting, I/O and garbage collection between the two cells of the profile. Without a profile, they
 * are about the effect of the run.
 */
export function WhySentences({
  report,
  profile,
}: {
  report: Report;
  profile: Profile | undefined;
}): ReactNode {
  const sentences = useMemo(() => whySentences(report, profile), [report, profile]);
  if (sentences.length === 0) return null;
  return (
    <>
      <EuiText size="s">
        <ul data-test-subj="dynoWhy">
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </EuiText>
      <EuiSpacer size="l" />
    </>
  );
}
