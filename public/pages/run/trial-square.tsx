/** A trial in the grid. Colour and icon show its state, a tooltip shows its values, and a click shows it in the charts. */
import { EuiIcon, EuiToolTip, useEuiTheme, type EuiThemeComputed } from '@elastic/eui';
import type { ReactNode } from 'react';
import { i18n } from '../../i18n';
import type { Square, SquareState } from './grid';
import { squareState } from './square-state';
import { TrialNotes, trialTitle } from './trial-notes';

const SIZE = 32;

const ICONS: Readonly<Record<SquareState, string | null>> = {
  planned: null,
  'left-out': 'minus',
  running: 'play',
  completed: 'check',
  unverified: 'warning',
  failed: 'cross',
  cancelled: 'minus',
  interrupted: 'pause',
};

function look(
  state: SquareState,
  { colors }: EuiThemeComputed,
): { fill: string; text: string; border: string } {
  switch (state) {
    case 'left-out':
      return { fill: 'transparent', text: colors.textSubdued, border: 'transparent' };
    case 'planned':
      return { fill: 'transparent', text: colors.textSubdued, border: colors.borderBasePlain };
    case 'running':
      return { fill: colors.backgroundLightPrimary, text: colors.textPrimary, border: colors.primary };
    case 'completed':
      return { fill: colors.backgroundLightSuccess, text: colors.textSuccess, border: 'transparent' };
    case 'failed':
      return { fill: colors.backgroundLightDanger, text: colors.textDanger, border: 'transparent' };
    case 'unverified':
    case 'interrupted':
      return { fill: colors.backgroundLightWarning, text: colors.textWarning, border: 'transparent' };
    case 'cancelled':
      return { fill: colors.backgroundBaseSubdued, text: colors.textParagraph, border: 'transparent' };
  }
}

interface TrialSquareProps {
  square: Square;
  /** Levels of the trial's factors as text. */
  label: string;
  selected: boolean;
  onSelect: (trial: string) => void;
}

export function TrialSquare({ square, label, selected, onSelect }: TrialSquareProps): ReactNode {
  const { euiTheme } = useEuiTheme();
  const { state, trial, order } = square;
  const { fill, text, border } = look(state, euiTheme);
  const warnings = trial?.doubts.length ?? 0;
  const icon = ICONS[state];
  const name = i18n.translate('dyno.grid.square', {
    defaultMessage:
      'Trial {number}, {label}, repetition {repetition}: {state}{warnings, plural, =0 {} one {, one warning} other {, # warnings}}',
    values: {
      number: order + 1,
      label,
      repetition: square.repetition + 1,
      state: squareState(state),
      warnings,
    },
  });
  const css = {
    position: 'relative' as const,
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    inlineSize: SIZE,
    blockSize: SIZE,
    fontSize: 12,
    borderRadius: euiTheme.border.radius.small,
    border: `1px ${state === 'planned' ? 'dashed' : 'solid'} ${border}`,
    backgroundColor: fill,
    color: text,
    outline: selected ? `2px solid ${euiTheme.colors.primary}` : undefined,
    outlineOffset: 1,
    '&:not(:disabled):hover': { filter: 'brightness(0.95)' },
    ...(state === 'running' ? PULSE : {}),
  };
  const content = (
    <>
      {icon === null ? order + 1 : <EuiIcon type={icon} size="m" color="currentColor" aria-hidden />}
      {warnings === 0 ? null : <WarningMark colour={euiTheme.colors.warning} />}
    </>
  );
  return (
    <EuiToolTip
      title={trialTitle(square, label)}
      content={<TrialNotes square={square} />}
      display="block"
      disableScreenReaderOutput={trial === null}
      repositionOnScroll
    >
      {trial === null ? (
        <span role="img" aria-label={name} css={css}>
          {content}
        </span>
      ) : (
        <button
          type="button"
          aria-label={name}
          aria-pressed={selected}
          onClick={() => onSelect(trial.id)}
          css={css}
        >
          {content}
        </button>
      )}
    </EuiToolTip>
  );
}

/** A pulsing animation. If the user prefers reduced motion, nothing moves. */
const PULSE = {
  '@media (prefers-reduced-motion: no-preference)': {
    animation: 'dyno-breathe 2s ease-in-out infinite',
    '@keyframes dyno-breathe': { '50%': { opacity: 0.65 } },
  },
};

function WarningMark({ colour }: { colour: string }): ReactNode {
  return (
    <span aria-hidden css={{ position: 'absolute', top: -5, right: -5, lineHeight: 0 }}>
      <EuiIcon type="warningFill" size="s" color={colour} />
    </span>
  );
}
