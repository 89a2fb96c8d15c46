/** The page of a recording of traffic. It summarises the recorded requests. While the server reads the file, it shows the progress. */
import { EuiButton, EuiCallOut, EuiEmptyPrompt, EuiProgress, EuiSpacer } from '@elastic/eui';
import type { ReactNode } from 'react';
import type { TrafficState } from '../../../common/api/traffic';
import { formatNumber, formatPercent } from '../../../common/units/format';
import { useApi } from '../../api/queries';
import { i18n } from '../../i18n';
import { useLinkProps } from '../../ui/link';
import { Loadable } from '../../ui/loadable';
import { Page, Part, WithContents } from '../../ui/page';
import { replayPath } from './paths';
import { RateChart } from './rate-chart';
import { Figures, SurveyTables } from './survey-parts';

/** Refresh interval in ms while the server reads the recording. */
const READING_MS = 1000;

type Found = Extract<TrafficState, { state: 'read' }>;

function Reading({ read, of }: Extract<TrafficState, { state: 'reading' }>): ReactNode {
  return (
    <EuiProgress
      size="s"
      color="primary"
      label={i18n.translate('dyno.traffic.reading', { defaultMessage: 'Dyno reads the recording' })}
      valueText={
        of === null
          ? i18n.translate('dyno.traffic.read', {
              defaultMessage: '{read} requests',
              values: { read: formatNumber(read) },
            })
          : `${formatNumber(read)} / ${formatNumber(of)}`
      }
      {...(of === null ? {} : { max: Math.max(1, of), value: read })}
    />
  );
}

/**
 * Lists the requests that the recording lacks. `share`: recorded share of the connections, in [0, 1]. `losses`: other reasons for missing
 * requests.
 */
function Missing({ share, losses }: Pick<Found, 'share' | 'losses'>): ReactNode {
  if (share === 1 && losses.length === 0) return null;
  return (
    <>
      <EuiCallOut
        color="warning"
        iconType="warning"
        title={i18n.translate('dyno.traffic.missing', { defaultMessage: 'This is not the whole traffic' })}
      >
        <ul>
          {share === 1 ? null : (
            <li>
              {i18n.translate('dyno.traffic.share', {
                defaultMessage:
                  'Only {share} of the connections were recorded. Rates are lower than those of the cluster.',
                values: { share: formatPercent(share) },
              })}
            </li>
          )}
          {losses.map(({ text, examples }) => (
            <li key={text}>{examples.length === 0 ? text : `${text} (${examples.join('; ')})`}</li>
          ))}
        </ul>
      </EuiCallOut>
      <EuiSpacer />
    </>
  );
}

function Survey({ found: { survey, share, losses } }: { found: Found }): ReactNode {
  return (
    <>
      <Missing share={share} losses={losses} />
      {survey.requests === 0 ? (
        <EuiEmptyPrompt
          iconType="search"
          title={
            <h2>
              {i18n.translate('dyno.traffic.empty', { defaultMessage: 'The recording contains no request' })}
            </h2>
          }
        />
      ) : (
        <>
          <Figures survey={survey} />
          <EuiSpacer size="l" />
          <WithContents>
            <Part title={i18n.translate('dyno.traffic.overTime', { defaultMessage: 'Over time' })}>
              <RateChart rates={survey.rates} effects={survey.effects} />
            </Part>
            <SurveyTables survey={survey} />
          </WithContents>
        </>
      )}
    </>
  );
}

function replayFacts(state: TrafficState | undefined): { format: string | null; lastsMs: number | null } {
  if (state?.state !== 'read') return { format: null, lastsMs: null };
  const { firstAt, lastAt } = state.survey;
  return { format: state.format, lastsMs: firstAt === null || lastAt === null ? null : lastAt - firstAt };
}

const everyWhileReading = (answer: unknown): number | false =>
  (answer as TrafficState | undefined)?.state === 'reading' ? READING_MS : false;

/** Shows a recording. `target`: id of the target that is suggested for a replay; null for the default target. */
export function Recording({ file, target }: { file: string; target: string | null }): ReactNode {
  const query = useApi('getTraffic', { query: { file } }, { every: everyWhileReading });
  const linkProps = useLinkProps();
  return (
    <Page
      title={file}
      above={[
        {
          text: i18n.translate('dyno.traffic.title', { defaultMessage: 'Recorded traffic' }),
          path: '/traffic',
        },
      ]}
      actions={[
        <EuiButton
          key="replay"
          fill
          iconType="play"
          {...linkProps(replayPath(file, { target, ...replayFacts(query.data) }))}
        >
          {i18n.translate('dyno.traffic.replay', { defaultMessage: 'Replay this traffic' })}
        </EuiButton>,
      ]}
    >
      <Loadable query={query}>
        {(state) => (state.state === 'reading' ? <Reading {...state} /> : <Survey found={state} />)}
      </Loadable>
    </Page>
  );
}
