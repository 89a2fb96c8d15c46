/** Published experiments to begin with: what each asks, what it takes, to run at once or to change first. */
import {
  EuiButton,
  EuiButtonEmpty,
  EuiButtonGroup,
  EuiCard,
  EuiFlexGroup,
  EuiFlexItem,
  EuiText,
} from '@elastic/eui';
import { useMemo, useState, type ReactNode } from 'react';
import { costOf, type Cost } from '../../../common/experiment/cost';
import { readDefinition } from '../../../common/experiment/read';
import { PRESETS } from '../../../common/presets';
import { presetDefinition, presetYaml, type Preset, type Scale } from '../../../common/presets/preset';
import { formatDuration } from '../../../common/units/format';
import { usePrivilege } from '../../app/context';
import { i18n } from '../../i18n';
import { useLinkProps } from '../../ui/link';

interface PresetProps {
  busy: boolean;
  /** Keeps the text and runs it. */
  onRun: (text: string) => void;
}

const scaleText = (scale: Scale, { ms }: Cost): string =>
  scale === 'quick'
    ? i18n.translate('dyno.presets.quick', {
        defaultMessage: 'Quick, {time}',
        values: { time: formatDuration(ms) },
      })
    : i18n.translate('dyno.presets.full', {
        defaultMessage: 'Full, {time}',
        values: { time: formatDuration(ms) },
      });

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
  const { name, summary, published } = preset;
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
            {i18n.translate('dyno.presets.after', {
              defaultMessage: 'After “{title}” ({seed}).',
              values: { title: published.title, seed: published.seed },
            })}
          </p>
          <p>
            {i18n.translate('dyno.presets.cells', {
              defaultMessage:
                '{cells, plural, one {# cell} other {# cells}} × {trials, plural, one {# trial} other {# trials}}',
              values: { cells, trials },
            })}
          </p>
        </EuiText>
      }
      footer={
        <EuiFlexGroup direction="column" gutterSize="s">
          <EuiFlexItem>
            <EuiButtonGroup
              isFullWidth
              buttonSize="compressed"
              legend={i18n.translate('dyno.presets.scale', {
                defaultMessage: 'How thoroughly {name} is done',
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
              <EuiFlexItem grow={false}>
                <EuiButton
                  size="s"
                  iconType="play"
                  isLoading={busy}
                  isDisabled={!canManage || !canRun}
                  aria-label={i18n.translate('dyno.presets.runNamed', {
                    defaultMessage: 'Run it now: {name}',
                    values: { name },
                  })}
                  onClick={() => onRun(presetYaml(preset, scale))}
                >
                  {i18n.translate('dyno.presets.run', { defaultMessage: 'Run it now' })}
                </EuiButton>
              </EuiFlexItem>
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

export function PresetGallery(props: PresetProps): ReactNode {
  return (
    <div
      css={{
        display: 'grid',
        gap: 16,
        gridTemplateColumns: 'repeat(auto-fill, minmax(min(300px, 100%), 1fr))',
      }}
    >
      {PRESETS.map((preset) => (
        <PresetCard key={preset.name} preset={preset} {...props} />
      ))}
    </div>
  );
}
