/** Experiments that automatic tunings have created, grouped by tuning. They are listed separately from the experiments of users. */
import { EuiAccordion, EuiSkeletonText, EuiSpacer, EuiText, useGeneratedHtmlId } from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import type { ExperimentSummary } from '../../../common/api/experiments';
import { useApi } from '../../api/queries';
import { i18n } from '../../i18n';
import { OWN_HEIGHT } from '../../ui/accordion';
import { AppLink } from '../../ui/link';
import { Loadable } from '../../ui/loadable';

const encode = encodeURIComponent;

/** Returns the part of an experiment's name after the name of the tuning: `round 1` for `Tuning of logs: round 1`. */
const stageOf = ({ name }: ExperimentSummary, tuning: string | undefined): string =>
  tuning !== undefined && name.startsWith(`${tuning}: `) ? name.slice(tuning.length + 2) : name;

function Experiment({
  experiment,
  tuning,
}: {
  experiment: ExperimentSummary;
  tuning: string | undefined;
}): ReactNode {
  const { id, runs } = experiment;
  return (
    <li>
      <AppLink to={`/experiments/${encode(id)}`}>{stageOf(experiment, tuning)}</AppLink>
      {runs === 0 ? null : (
        <>
          {', '}
          <AppLink to={`/runs?experiment=${encode(id)}`}>
            {i18n.translate('dyno.experiments.ofTunings.runs', {
              defaultMessage: '{runs, plural, one {# run} other {# runs}}',
              values: { runs },
            })}
          </AppLink>
        </>
      )}
    </li>
  );
}

function Groups(): ReactNode {
  const experiments = useApi(
    'listExperiments',
    { query: { tunings: 'only', last: 'brief' } },
    { keep: true },
  );
  const names = new Map(useApi('listTunings', {}).data?.tunings.map(({ id, name }) => [id, name]));
  return (
    <Loadable query={experiments} skeleton={<EuiSkeletonText lines={4} />}>
      {({ experiments: all }) =>
        // Ids begin with the time, so in reverse order the newest tuning comes first.
        [...new Set(all.flatMap(({ tuning }) => tuning ?? []))]
          .sort()
          .reverse()
          .map((id) => (
            <EuiText key={id} size="s">
              <h3>
                <AppLink to={`/tune/${encode(id)}`}>{names.get(id) ?? id}</AppLink>
              </h3>
              <ul>
                {all
                  .filter(({ tuning }) => tuning === id)
                  .map((experiment) => (
                    <Experiment key={experiment.id} experiment={experiment} tuning={names.get(id)} />
                  ))}
              </ul>
              <EuiSpacer size="m" />
            </EuiText>
          ))
      }
    </Loadable>
  );
}

/** Shows the experiments that automatic tunings have created. `count`: their number. */
export function ExperimentsOfTunings({ count }: { count: number }): ReactNode {
  const id = useGeneratedHtmlId();
  const [isOpen, setOpen] = useState(false);
  if (count === 0) return null;
  return (
    <>
      <EuiSpacer size="l" />
      <EuiAccordion
        id={id}
        css={OWN_HEIGHT}
        paddingSize="m"
        onToggle={setOpen}
        buttonContent={i18n.translate('dyno.experiments.ofTunings', {
          defaultMessage: '{count, plural, one {# experiment} other {# experiments}} of tunings',
          values: { count },
        })}
      >
        {isOpen ? <Groups /> : null}
      </EuiAccordion>
    </>
  );
}
