/**
 * The page of a published benchmark: its numbers, warnings about them, and its conclusions. Users can test the conclusions with their own
 * runs.
 */
import {
  EuiAccordion,
  EuiButton,
  EuiButtonEmpty,
  EuiCallOut,
  EuiEmptyPrompt,
  EuiFlexGrid,
  EuiFlexGroup,
  EuiFlexItem,
  EuiLink,
  EuiSpacer,
  EuiText,
  useGeneratedHtmlId,
} from '@elastic/eui';
import { useMemo, type ReactNode } from 'react';
import { useParams } from 'react-router';
import { PRESETS } from '../../../common/presets';
import {
  accountsOf,
  valueWarnings,
  printedCharts,
  printedTable,
  type PrintedChart as Printed,
} from '../../../common/report/tables/printed';
import { presetYaml, type Preset } from '../../../common/presets/preset';
import { usePrivilege } from '../../app/context';
import { ChartFrame } from '../../charts/result/chart-frame';
import { PrintedChart } from '../../charts/result/printed-chart';
import { useSeriesColours } from '../../charts/theme';
import { i18n } from '../../i18n';
import { AnswerBadge } from '../../ui/answer';
import { AppLink, useLinkProps } from '../../ui/link';
import { Page, Part, WithContents } from '../../ui/page';
import { ReportTable } from '../../ui/report-table';
import { Time } from '../../ui/time';
import { RunDialog } from '../experiments/run-dialog';
import { useExperimentActions } from '../experiments/use-actions';
import { accountPath } from './path';
import { useMeasured, type Measured, type MeasuredClaims } from './measured';

const HEIGHT = 260;

function Chart({ printed, preset }: { printed: Printed; preset: Preset }): ReactNode {
  const colours = useSeriesColours();
  const title = i18n.translate('dyno.account.chart', {
    defaultMessage: '{columns}, {unit}',
    values: {
      columns: printed.series.length > 2 ? preset.name : printed.series.map(({ name }) => name).join(', '),
      unit: printed.unit,
    },
  });
  const isFlagged = printed.series.some(({ bars }) => bars.some(({ warning }) => warning !== undefined));
  const description = isFlagged
    ? i18n.translate('dyno.account.chart.doubtful', {
        defaultMessage: 'As published. Pale bars with an outline are questionable; the reasons are below.',
      })
    : i18n.translate('dyno.account.chart.printed', { defaultMessage: 'As published.' });
  return (
    <ChartFrame
      title={title}
      description={description}
      height={HEIGHT}
      legend={
        printed.series.length < 2
          ? []
          : printed.series.map(({ name }, at) => ({
              name,
              colour: colours[at % colours.length]!,
              glyph: '■',
            }))
      }
    >
      <PrintedChart printed={printed} />
    </ChartFrame>
  );
}

function Sentences({ title, items }: { title: string; items: readonly string[] }): ReactNode {
  const id = useGeneratedHtmlId();
  return items.length === 0 ? null : (
    <>
      <EuiAccordion id={id} buttonContent={`${title} (${items.length})`} paddingSize="s">
        <EuiText size="s">
          <ul>
            {items.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </EuiText>
      </EuiAccordion>
      <EuiSpacer size="s" />
    </>
  );
}

function Claim({ claim, measured }: { claim: string; measured: Measured | undefined }): ReactNode {
  return (
    <li css={{ '&&': { marginBlockEnd: 8 } }} data-test-subj="dynoAccountClaim">
      <EuiText size="s">
        <code>{claim}</code>
        {measured === undefined ? (
          <div>{i18n.translate('dyno.account.notMeasured', { defaultMessage: 'Not measured here.' })}</div>
        ) : (
          <>
            <div>
              {i18n.translate('dyno.account.measured', { defaultMessage: 'Measured here on' })}{' '}
              <Time iso={measured.started} />: <AnswerBadge answer={measured.answer} />{' '}
              <AppLink to={`/runs/${encodeURIComponent(measured.run)}/result`}>
                {i18n.translate('dyno.account.result', { defaultMessage: 'Result' })}
              </AppLink>
            </div>
            <div>{measured.why}</div>
          </>
        )}
      </EuiText>
    </li>
  );
}

function Actions({
  preset,
  isMeasured,
  busy,
  onRun,
}: {
  preset: Preset;
  isMeasured: boolean;
  busy: boolean;
  onRun: (text: string) => void;
}): ReactNode {
  const linkProps = useLinkProps();
  const canRun = usePrivilege('run');
  const canManage = usePrivilege('manage');
  const { name } = preset;
  const run = isMeasured
    ? i18n.translate('dyno.account.runAgain', { defaultMessage: 'Run this here again, short form' })
    : i18n.translate('dyno.account.run', { defaultMessage: 'Run this here, short form' });
  return (
    <EuiFlexGroup gutterSize="s" wrap responsive={false} alignItems="center">
      <EuiFlexItem grow={false}>
        <EuiButton
          size="s"
          iconType="play"
          isLoading={busy}
          isDisabled={!canRun || !canManage}
          aria-label={`${run}: ${name}`}
          onClick={() => onRun(presetYaml(preset, 'quick'))}
        >
          {run}
        </EuiButton>
      </EuiFlexItem>
      <EuiFlexItem grow={false}>
        <EuiButtonEmpty size="s" {...linkProps(`/experiments/new?preset=${name}&scale=full`)}>
          {i18n.translate('dyno.account.open', {
            defaultMessage: 'Open the published variant in the editor',
          })}
        </EuiButtonEmpty>
      </EuiFlexItem>
    </EuiFlexGroup>
  );
}

function PresetPart({
  preset,
  measured,
  ...actions
}: {
  preset: Preset;
  measured: MeasuredClaims | undefined;
  busy: boolean;
  onRun: (text: string) => void;
}): ReactNode {
  const { conditions, notes, changes, variantOf } = preset.published;
  const table = useMemo(() => printedTable(preset), [preset]);
  const charts = useMemo(() => printedCharts(preset), [preset]);
  const warnings = valueWarnings(preset);
  const claims = preset.definition.expect ?? [];
  return (
    <Part title={preset.summary} note={<code>{preset.name}</code>}>
      {charts.length === 0 ? null : (
        <>
          <EuiFlexGrid columns={charts.length > 1 ? 2 : 1} gutterSize="l">
            {charts.map((printed) => (
              <EuiFlexItem key={printed.unit} css={{ minInlineSize: 0 }}>
                <Chart printed={printed} preset={preset} />
              </EuiFlexItem>
            ))}
          </EuiFlexGrid>
          <EuiSpacer size="m" />
        </>
      )}
      {table === null ? (
        <EuiText size="s" color="subdued">
          <p>
            {variantOf === undefined
              ? i18n.translate('dyno.account.noFigures', {
                  defaultMessage: 'The published benchmark recommends this, but has no numbers for it.',
                })
              : i18n.translate('dyno.account.variant', {
                  defaultMessage: 'The published results are shown above, with {original}.',
                  values: { original: variantOf },
                })}
          </p>
        </EuiText>
      ) : (
        <ReportTable table={table} titled={false} />
      )}
      <EuiSpacer size="m" />
      {warnings.length === 0 ? null : (
        <>
          <EuiCallOut
            size="s"
            color="warning"
            title={i18n.translate('dyno.account.doubts', { defaultMessage: 'Doubtful figures' })}
          >
            <EuiText size="s">
              <ul>
                {warnings.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            </EuiText>
          </EuiCallOut>
          <EuiSpacer size="m" />
        </>
      )}
      <Sentences
        title={i18n.translate('dyno.account.notes', {
          defaultMessage: 'What the publication does not say, and what does not add up',
        })}
        items={notes}
      />
      <Sentences
        title={i18n.translate('dyno.account.conditions', { defaultMessage: 'Conditions' })}
        items={conditions}
      />
      <Sentences
        title={i18n.translate('dyno.account.changes', { defaultMessage: 'What is different here' })}
        items={changes}
      />
      <EuiSpacer size="s" />
      {claims.length === 0 ? null : (
        <ul css={{ listStyle: 'none', '&&': { margin: 0 } }}>
          {claims.map((claim) => (
            <Claim key={claim} claim={claim} measured={measured?.get(claim)} />
          ))}
        </ul>
      )}
      <Actions preset={preset} isMeasured={(measured?.size ?? 0) > 0} {...actions} />
    </Part>
  );
}

/** Link to the published article. */
function Article({ url }: { url: string | null }): ReactNode {
  if (url === null) return null;
  return (
    <>
      <EuiText size="s">
        <p>
          <EuiLink href={url} target="_blank" external>
            {i18n.translate('dyno.account.article', { defaultMessage: 'Read the published article' })}
          </EuiLink>
        </p>
      </EuiText>
      <EuiSpacer size="m" />
    </>
  );
}

const ACCOUNTS = accountsOf(PRESETS);

export default function AccountPage(): ReactNode {
  const { seed = '' } = useParams();
  const account = ACCOUNTS.find((one) => one.seed === seed);
  const measured = useMeasured(account?.presets ?? NONE);
  const actions = useExperimentActions();
  const experiments = i18n.translate('dyno.nav.experiments', { defaultMessage: 'Experiments' });
  const above = [{ text: experiments, path: '/experiments' }];
  if (account === undefined) {
    const title = i18n.translate('dyno.account.none', {
      defaultMessage: 'This published benchmark does not exist',
    });
    return (
      <Page title={title} above={above}>
        <EuiEmptyPrompt
          iconType="search"
          title={<h2>{title}</h2>}
          body={ACCOUNTS.map((one) => (
            <p key={one.seed}>
              <AppLink to={accountPath(one.seed)}>{one.title}</AppLink>
            </p>
          ))}
        />
      </Page>
    );
  }
  const { title, presets, own } = account;
  const { repeated } = presets[0]!.published;
  return (
    <Page
      title={title}
      above={above}
      description={
        own
          ? i18n.translate('dyno.account.own', {
              defaultMessage:
                'Dyno’s own experiments. They are not from a publication, and have no published numbers.',
            })
          : i18n.translate('dyno.account.description', {
              defaultMessage:
                'The published numbers as printed ({repeated}), and the published conclusions as claims, which a run here confirms or refutes.',
              values: { repeated },
            })
      }
    >
      <Article url={account.url} />
      <WithContents>
        {presets.map((preset) => (
          <PresetPart
            key={preset.name}
            preset={preset}
            measured={measured.get(preset.name)}
            busy={actions.busy}
            onRun={(text) => void actions.runText(text)}
          />
        ))}
      </WithContents>
      <RunDialog running={actions} />
    </Page>
  );
}

const NONE: readonly Preset[] = [];
