/** The trials along the time axis, above the charts: their order, their phases, and the cursor. */
import { useEuiTheme } from '@elastic/eui';
import type { ReactNode } from 'react';
import { i18n } from '../../i18n';
import { AXIS_WIDTH, RIGHT_MARGIN, phaseAt, phasesWithin, useTimeAxis, type Phase } from './axis';
import { formatClock } from './clock';
import { useCursorAt } from './cursor';
import { phaseText } from './time-header';

const HEIGHT = 26;
/** A text is shown in a trial's block if the block is at least this wide, as a share of the time axis. */
const TEXT_FROM = 0.05;

export interface TrialStripProps {
  /** Id of the highlighted trial; '' for none. */
  selected: string;
  onSelect: (trial: string) => void;
}

/**
 * The trials as blocks along the time axis; a click selects a trial. The blocks only react to pointers. With a keyboard or a screen reader,
 * users select a trial in other controls of the page.
 */
export function TrialStrip({ selected, onSelect }: TrialStripProps): ReactNode {
  const { euiTheme } = useEuiTheme();
  const axis = useTimeAxis();
  const seen = phasesWithin(axis.phases, axis.from, axis.to);
  const trials = [...new Set(seen.map(({ trial }) => trial))];
  return (
    <div
      aria-hidden
      css={{
        position: 'relative',
        marginLeft: AXIS_WIDTH,
        marginRight: RIGHT_MARGIN,
        blockSize: HEIGHT + 18,
      }}
    >
      {trials.map((trial) => (
        <Block
          key={trial}
          phases={seen.filter((phase) => phase.trial === trial)}
          selected={trial === selected}
          onSelect={() => onSelect(trial)}
        />
      ))}
      <Playhead colour={euiTheme.colors.textPrimary} />
    </div>
  );
}

/** Returns the position of a time on the axis, in percent. */
const share = (at: number, { from, to }: { from: number; to: number }): number =>
  (Math.min(1, Math.max(0, (at - from) / (to - from))) || 0) * 100;

function Block({
  phases,
  selected,
  onSelect,
}: {
  phases: readonly Phase[];
  selected: boolean;
  onSelect: () => void;
}): ReactNode {
  const { euiTheme } = useEuiTheme();
  const axis = useTimeAxis();
  const left = share(phases[0]!.from, axis);
  const width = share(phases.at(-1)!.to, axis) - left;
  const { order, label, level } = phases[0]!;
  // The level is first, because a narrow block shows only the beginning of the text.
  const text = i18n.translate('dyno.strip.level', {
    defaultMessage: '{level} · trial {number}',
    values: { number: order + 1, level },
  });
  const title = i18n.translate('dyno.strip.trial', {
    defaultMessage: '{label}, trial {number}',
    values: { number: order + 1, label },
  });
  return (
    <button
      type="button"
      tabIndex={-1}
      title={title}
      onClick={onSelect}
      css={{
        position: 'absolute',
        top: 0,
        blockSize: HEIGHT,
        overflow: 'hidden',
        borderRadius: euiTheme.border.radius.small,
        outline: selected ? `2px solid ${euiTheme.colors.primary}` : 'none',
        backgroundColor: euiTheme.colors.backgroundBaseSubdued,
        '&:hover': { filter: 'brightness(0.96)' },
      }}
      style={{ left: `${left}%`, width: `calc(${width}% - 1px)`, minWidth: 2 }}
    >
      {phases.map((phase) => (
        <span
          key={`${phase.phase}-${phase.from}`}
          css={{
            position: 'absolute',
            insetBlock: 0,
            backgroundColor:
              phase.phase === 'measure'
                ? euiTheme.colors.backgroundLightPrimary
                : phase.phase === 'warm-up'
                  ? euiTheme.colors.backgroundLightWarning
                  : 'transparent',
          }}
          style={within(phase, phases)}
        />
      ))}
      {width < TEXT_FROM * 100 ? null : (
        <span
          css={{
            position: 'relative',
            display: 'block',
            paddingInline: 6,
            fontSize: 12,
            lineHeight: `${HEIGHT}px`,
            textAlign: 'left',
            whiteSpace: 'nowrap',
            overflow: 'hidden',
            textOverflow: 'ellipsis',
            color: euiTheme.colors.textParagraph,
          }}
        >
          {text}
        </span>
      )}
    </button>
  );
}

function within(phase: Phase, phases: readonly Phase[]): { left: string; width: string } {
  const span = { from: phases[0]!.from, to: phases.at(-1)!.to };
  const left = share(phase.from, span);
  return { left: `${left}%`, width: `${share(phase.to, span) - left}%` };
}

/** Shows the time and the phase at the cursor. */
function Playhead({ colour }: { colour: string }): ReactNode {
  const { euiTheme } = useEuiTheme();
  const axis = useTimeAxis();
  const at = useCursorAt();
  if (at === null || at < axis.from || at > axis.to) return null;
  const place = share(at, axis);
  const phase = phaseAt(axis.phases, at);
  return (
    <>
      <span
        css={{ position: 'absolute', top: 0, blockSize: HEIGHT + 4, inlineSize: 1, backgroundColor: colour }}
        style={{ left: `${place}%` }}
      />
      <span
        css={{
          position: 'absolute',
          top: HEIGHT + 2,
          fontSize: 11,
          lineHeight: '16px',
          whiteSpace: 'nowrap',
          color: euiTheme.colors.textParagraph,
          fontVariantNumeric: 'tabular-nums',
        }}
        style={place > 60 ? { right: `${100 - place}%` } : { left: `${place}%` }}
      >
        {formatClock(at)}
        {phase === undefined ? '' : ` · ${phaseText(phase)}`}
      </span>
    </>
  );
}
