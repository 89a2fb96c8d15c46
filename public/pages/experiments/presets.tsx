/**
 * Predefined experiments, each with its question and duration. Most come from published benchmarks. Users can run an experiment at once, or
 * edit it first.
 */
import {
  EuiAccordion,
  EuiButton,
  EuiButtonEmpty,
  EuiButtonGroup,
  EuiCard,
  EuiFlexGroup,
  EuiFlexItem,
  EuiPanel,
  EuiSpacer,
  EuiText,
  EuiTitle,
  useGeneratedHtmlId,
} from '@elastic/eui';
import { useMemo, useState, type ReactNode } from 'react';
import { costOf, type Cost } from '../../../common/experiment/cost';
import { readDefinition } from '../../../common/experiment/read';
import { PRESETS } from '../../../common/presets';
import { accountsOf, valueWarnings, figuresLine, type Account } from '../../../common/report/tables/printed';
import { needsYourFile, presetDefinition, presetYaml, type Preset } from '../../../common/presets/preset';
import type { Scale } from '../../../common/presets/scale';
import { formatDuration } from '../../../common/units/format';
import { usePrivilege } from '../../app/context';
import { i18n } from '../../i18n';
import { AppLink, useLinkProps } from '../../ui/link';
import { accountPath } from '../account/path';

interface PresetProps {
  busy: boolean;
  /** Saves the text as an experiment and runs it. */
  onRun: (text: string) => void;
}

const MINUTE_MS = 60_000;

/** Formats an estimated duration. From two minutes on, it is rounded to minutes. */
const roughly = (ms: number): string =>
  formatDuration(ms < 2 * MINUTE_MS ? ms : Math.round(ms / MINUTE_MS) * MINUTE_MS);

const scaleText = (scale: Scale, { ms }: Cost): string =>
  scale === 'quick'
    ? i18n.translate('dyno.presets.quick', { defaultMessage: 'Quick, {time}', values: { time: roughly(ms) } })
    : i18n.translate('dyno.presets.full', { defaultMessage: 'Full, {time}', values: { time: roughly(ms) } });

function PresetCard({ preset, busy, onRun }: PresetProps & { preset: Preset }): ReactNode {
  const [scale, setScale] = useState<Scale>('quick');
  const linkProps = useLinkProps();
  const canRun = usePrivilege('run');
  const canManage = usePrivilege('manage');
  const costs = useMemo<Record<Scale, Cost>>(
    () => ({
      quick: costOf(readDefinition(presetDefinition(preset, 'quick'))),
      full: costOf(readDefinition(presetDefinition(preset, 'full'))),
    }),
    [preset],
  );
  const { cells, trials } = costs[scale];
  const { name, summary } = preset;
  const figures = figuresLine(preset);
  const warnings = valueWarnings(preset).length;
  const notes = preset.published.notes.length;
  return (
    <EuiCard
      textAlign="left"
      titleSize="xs"
      hasBorder
      display="plain"
      title={summary}
      description={
        <EuiText size="s" color="subdued">
          <p>
            <code>{name}</code>
          </p>
          <p>
            {i18n.translate('dyno.presets.cells', {
              defaultMessage:
                '{cells, plural, one {# cell} other {# cells}} × {trials, plural, one {# trial} other {# trials}}',
              values: { cells, trials },
            })}
          </p>
          {figures === '' ? null : (
            <p>
              {i18n.translate('dyno.presets.printed', {
                defaultMessage: 'Printed: {figures}.',
                values: { figures },
              })}
            </p>
          )}
          {warnings + notes === 0 ? null : (
            <p>
              <AppLink to={accountPath(preset.published.seed)}>
                {[
                  ...(warnings === 0
                    ? []
                    : [
                        i18n.translate('dyno.presets.warnings', {
                          defaultMessage:
                            '{warnings, plural, one {# flagged result} other {# flagged results}}',
                          values: { warnings },
                        }),
                      ]),
                  ...(notes === 0
                    ? []
                    : [
                        i18n.translate('dyno.presets.notes', {
                          defaultMessage: '{notes, plural, one {# note} other {# notes}}',
                          values: { notes },
                        }),
                      ]),
                ].join(', ')}
              </AppLink>
            </p>
          )}
        </EuiText>
      }
      footer={
        <EuiFlexGroup direction="column" gutterSize="s">
          <EuiFlexItem>
            <EuiButtonGroup
              isFullWidth
              buttonSize="compressed"
              legend={i18n.translate('dyno.presets.scale', {
                defaultMessage: 'Scale of {name}',
                values: { name },
              })}
              idSelected={`${name}-${scale}`}
              onChange={(id) => setScale(id.endsWith('-full') ? 'full' : 'quick')}
              options={(['quick', 'full'] as const).map((one) => ({
                id: `${name}-${one}`,
                label: scaleText(one, costs[one]),
              }))}
            />
          </EuiFlexItem>
          <EuiFlexItem>
            <EuiFlexGroup gutterSize="s" responsive={false} justifyContent="spaceBetween">
              {needsYourFile(preset) ? null : (
                <EuiFlexItem grow={false}>
                  <EuiButton
                    size="s"
                    iconType="play"
                    isLoading={busy}
                    isDisabled={!canManage || !canRun}
                    aria-label={i18n.translate('dyno.presets.runNamed', {
                      defaultMessage: 'Run now: {name}',
                      values: { name },
                    })}
                    onClick={() => onRun(presetYaml(preset, scale))}
                  >
                    {i18n.translate('dyno.presets.run', { defaultMessage: 'Run now' })}
                  </EuiButton>
                </EuiFlexItem>
              )}
              <EuiFlexItem grow={false}>
                <EuiButtonEmpty
                  size="s"
                  aria-label={i18n.translate('dyno.presets.openNamed', {
                    defaultMessage: 'Open in the editor: {name}',
                    values: { name },
                  })}
                  {...linkProps(`/experiments/new?preset=${name}&scale=${scale}`)}
                >
                  {i18n.translate('dyno.presets.open', { defaultMessage: 'Open in the editor' })}
                </EuiButtonEmpty>
              </EuiFlexItem>
            </EuiFlexGroup>
          </EuiFlexItem>
        </EuiFlexGroup>
      }
    />
  );
}

/** Published benchmarks with their predefined experiments. */
const ACCOUNTS: readonly Account[] = accountsOf(PRESETS);

/** The experiments of one published benchmark in a section that can be opened. The contents are drawn when the section is first opened. */
function AccountPart({ account, ...props }: PresetProps & { account: Account }): ReactNode {
  const { seed, title, presets } = account;
  const id = useGeneratedHtmlId();
  const [open, setOpen] = useState(account === ACCOUNTS[0]);
  const [drawn, setDrawn] = useState(open);
  return (
    <EuiAccordion
      id={id}
      data-test-subj={`account-${seed}`}
      forceState={open ? 'open' : 'closed'}
      onToggle={(isOpen) => {
        setOpen(isOpen);
        if (isOpen) setDrawn(true);
      }}
      paddingSize="m"
      borders="horizontal"
      buttonProps={{ paddingSize: 's' }}
      buttonContent={
        <>
          <EuiTitle size="xs">
            <span>{title}</span>
          </EuiTitle>
          <EuiText size="xs" color="subdued" component="span" css={{ display: 'block' }}>
            {i18n.translate('dyno.presets.ofAccount', {
              defaultMessage: '{seed}: {count, plural, one {# experiment} other {# experiments}}',
              values: { seed, count: presets.length },
            })}
          </EuiText>
        </>
      }
    >
      {account.own ? null : (
        <EuiText size="s" css={{ marginBlockEnd: 8 }}>
          <p>
            <AppLink to={accountPath(seed)}>
              {i18n.translate('dyno.presets.account', {
                defaultMessage: 'The published benchmark: its results, warnings and claims',
              })}
            </AppLink>
          </p>
        </EuiText>
      )}
      {drawn ? (
        <div
          css={{
            display: 'grid',
            gap: 16,
            gridTemplateColumns: 'repeat(auto-fill, minmax(min(300px, 100%), 1fr))',
          }}
        >
          {presets.map((preset) => (
            <PresetCard key={preset.name} preset={preset} {...props} />
          ))}
        </div>
      ) : null}
    </EuiAccordion>
  );
}

/** The predefined experiment for new users. A run takes about a minute. */
const FIRST = PRESETS.find(({ name }) => name === 'first-minute')!;

/** Offers a first experiment to users who have not run anything yet. */
export function FirstExperiment({ busy, onRun }: PresetProps): ReactNode {
  const linkProps = useLinkProps();
  const canRun = usePrivilege('run');
  const canManage = usePrivilege('manage');
  const { ms, cells, trials } = useMemo(() => costOf(readDefinition(presetDefinition(FIRST, 'quick'))), []);
  return (
    <EuiPanel hasBorder data-test-subj="dynoFirstExperiment">
      <EuiTitle size="xs">
        <h2>
          {i18n.translate('dyno.presets.first', {
            defaultMessage:
              'Your first experiment: a result in about {minutes, plural, one {one minute} other {# minutes}}',
            values: { minutes: Math.round(ms / MINUTE_MS) },
          })}
        </h2>
      </EuiTitle>
      <EuiSpacer size="s" />
      <EuiText size="s">
        <p>
          {i18n.translate('dyno.presets.first.hypothesis', {
            defaultMessage: '{hypothesis}. Is this true on your cluster?',
            values: { hypothesis: FIRST.definition.hypothesis },
          })}
        </p>
        <p>
          {i18n.translate('dyno.presets.first.size', {
            defaultMessage:
              'This experiment stores generated log lines in new indices, {trials} times for each of {cells} bulk sizes, and then removes the indices.',
            values: { cells, trials },
          })}
        </p>
      </EuiText>
      <EuiFlexGroup gutterSize="s" responsive={false} wrap css={{ marginBlockStart: 12 }}>
        <EuiFlexItem grow={false}>
          <EuiButton
            size="s"
            fill
            iconType="play"
            isLoading={busy}
            isDisabled={!canManage || !canRun}
            onClick={() => onRun(presetYaml(FIRST, 'quick'))}
          >
            {i18n.translate('dyno.presets.first.run', { defaultMessage: 'Run it now' })}
          </EuiButton>
        </EuiFlexItem>
        <EuiFlexItem grow={false}>
          <EuiButtonEmpty size="s" {...linkProps(`/experiments/new?preset=${FIRST.name}&scale=quick`)}>
            {i18n.translate('dyno.presets.first.open', { defaultMessage: 'Open it in the editor' })}
          </EuiButtonEmpty>
        </EuiFlexItem>
      </EuiFlexGroup>
    </EuiPanel>
  );
}

/** All predefined experiments, grouped by published benchmark. The first group is open. */
export function PresetGallery(props: PresetProps): ReactNode {
  return (
    <>
      {ACCOUNTS.map((account) => (
        <AccountPart key={account.seed} account={account} {...props} />
      ))}
    </>
  );
}
