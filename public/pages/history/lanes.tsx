/**
 * Rows above and below the chart of a metric, on the same time axis. Flags show what changed in a run, and bands show the versions and
 * settings of the runs.
 */
import { EuiText, EuiToolTip, useEuiTheme } from '@elastic/eui';
import type { ReactNode } from 'react';
import { DEFINITION_BAND, type HistorySeries } from '../../../common/history/history';
import { HISTORY_AXIS } from '../../charts/result/history-chart';
import { RIGHT_MARGIN } from '../../charts/time/axis';
import { i18n } from '../../i18n';
import { formatLocal } from '../../ui/time';
import { changeSize, shareOf, type Flag, type Lane, type Lanes, type Stretch } from './view';
import { bandText, laneName } from './words';

const FLAG_HEIGHT = 22;
/**
 * Horizontal shift in px of the triangle at the start of a flag: minus half its width. Therefore, the middle of the triangle is above the
 * run.
 */
const HALF_GLYPH = -5;
const LANE_HEIGHT = 20;
/**
 * A flag shows a text if it has at least this much space, in percent of the axis. With less space, it only shows the size of the change, or
 * nothing.
 */
const TEXT_FROM = 9;
/** A flag shows the size of a change, such as `−12%`, if it has at least this much space, in percent of the axis. */
const SIZE_FROM = 4;

interface FlagsProps {
  flags: readonly Flag[];
  axis: Stretch;
  series: HistorySeries;
  onChoose: (flag: Flag) => void;
}

/**
 * Flags above the chart. If the texts of two flags would overlap, the earlier text ends where the later one starts. Therefore, the newest
 * text stays readable.
 */
export function Flags({ flags, axis, series, onChoose }: FlagsProps): ReactNode {
  if (flags.length === 0) return null;
  return (
    <ul
      aria-label={i18n.translate('dyno.history.flags', { defaultMessage: 'What changed, and when' })}
      css={{
        position: 'relative',
        blockSize: FLAG_HEIGHT,
        marginInlineStart: HISTORY_AXIS,
        marginInlineEnd: RIGHT_MARGIN,
      }}
    >
      {flags.map((flag, at) => (
        <FlagItem
          key={flag.point}
          flag={flag}
          left={shareOf(flag.at, axis)}
          right={at === flags.length - 1 ? 100 : shareOf(flags[at + 1]!.at, axis)}
          series={series}
          onChoose={() => onChoose(flag)}
        />
      ))}
    </ul>
  );
}

/** Number of characters of a note that are shown above the chart. The list of notes has the complete text. */
const SHORT_NOTE = 80;

const shortNote = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ');
  return `“${line.length <= SHORT_NOTE ? line : `${line.slice(0, SHORT_NOTE)}…`}”`;
};

function FlagItem({
  flag: { at, what, change, notes },
  left,
  right,
  series,
  onChoose,
}: {
  flag: Flag;
  left: number;
  right: number;
  series: HistorySeries;
  onChoose: () => void;
}): ReactNode {
  const { euiTheme } = useEuiTheme();
  const size = change === undefined ? '' : changeSize(change, series);
  const texts = [size, ...what, ...notes.map(shortNote)].filter((text) => text !== '');
  const colour =
    change === undefined
      ? euiTheme.colors.textSubdued
      : change.kind === 'worse'
        ? euiTheme.colors.textDanger
        : euiTheme.colors.textSuccess;
  const when = formatLocal(new Date(at).toISOString());
  const room = right - left;
  const text = room >= TEXT_FROM ? texts.join(', ') : room >= SIZE_FROM ? size : '';
  return (
    <li
      css={{ position: 'absolute', insetBlockStart: 0, marginInlineStart: HALF_GLYPH }}
      style={{ left: `${left}%`, width: text === '' ? undefined : `${room}%` }}
    >
      <EuiToolTip content={`${when}: ${texts.join(', ')}`} display="block">
        <button
          type="button"
          onClick={onChoose}
          aria-label={`${when}: ${texts.join(', ')}`}
          css={{
            display: 'block',
            maxInlineSize: '100%',
            overflow: 'hidden',
            textOverflow: 'ellipsis',
            whiteSpace: 'nowrap',
            fontSize: euiTheme.size.m,
            lineHeight: `${FLAG_HEIGHT}px`,
            paddingInlineEnd: 6,
            color: colour,
            fontWeight: change === undefined ? undefined : euiTheme.font.weight.semiBold,
            '&:hover, &:focus-visible': { textDecoration: 'underline' },
          }}
        >
          <span aria-hidden css={{ marginInlineEnd: 4 }}>
            {change === undefined ? '▾' : '▼'}
          </span>
          {text}
        </button>
      </EuiToolTip>
    </li>
  );
}

/** Hides the text of a band that is too narrow for a word. */
const WIDE_ENOUGH = { '@container (max-width: 28px)': { visibility: 'hidden' } } as const;

interface BandsProps extends Lanes {
  axis: Stretch;
  /**
   * Opens a comparison of the definition of a run with the definition before. `point`: index of the run. Not called for the first
   * definition, because there is nothing to compare it with.
   */
  onDefinition: (point: number) => void;
}

export function Bands({ lanes, constant, restless, axis, onDefinition }: BandsProps): ReactNode {
  return (
    <div
      role="group"
      aria-label={i18n.translate('dyno.history.bands', {
        defaultMessage: 'Versions and settings of the runs',
      })}
    >
      {lanes.map((lane) => (
        <LaneRow key={lane.what} lane={lane} axis={axis} onDefinition={onDefinition} />
      ))}
      <EuiText size="xs" color="subdued" css={{ marginBlockStart: 6 }}>
        {constant.length === 0 ? null : (
          <p>
            {i18n.translate('dyno.history.constant', { defaultMessage: 'The same in all of these runs:' })}{' '}
            {constant.map(({ what, value }) => `${what}: ${bandText(what, value)}`).join(' · ')}
          </p>
        )}
        {restless.length === 0 ? null : (
          <p>
            {i18n.translate('dyno.history.restless', {
              defaultMessage: 'Changed in more than every third run: {what}',
              values: { what: restless.join(', ') },
            })}
          </p>
        )}
      </EuiText>
    </div>
  );
}

function LaneRow({
  lane: { what, bands },
  axis,
  onDefinition,
}: {
  lane: Lane;
  axis: Stretch;
  onDefinition: (point: number) => void;
}): ReactNode {
  const { euiTheme } = useEuiTheme();
  const name = laneName(what);
  return (
    <div css={{ display: 'flex', alignItems: 'center', marginBlockStart: 2, fontSize: euiTheme.size.m }}>
      <div
        title={name}
        css={{
          flex: `0 0 ${HISTORY_AXIS}px`,
          paddingInlineEnd: 8,
          textAlign: 'end',
          color: euiTheme.colors.textSubdued,
          fontSize: 11,
          lineHeight: `${LANE_HEIGHT}px`,
          overflow: 'hidden',
          textOverflow: 'ellipsis',
          whiteSpace: 'nowrap',
        }}
      >
        {name}
      </div>
      <ol
        aria-label={name}
        css={{
          position: 'relative',
          flex: '1 1 auto',
          blockSize: LANE_HEIGHT,
          marginInlineEnd: RIGHT_MARGIN,
        }}
      >
        {bands.map(({ from, to, value, point }, at) => {
          const left = shareOf(from, axis);
          const style = { left: `${left}%`, width: `calc(${shareOf(to, axis) - left}% - 1px)` };
          const text = bandText(what, value);
          const title = `${name}: ${text}`;
          const css = {
            position: 'absolute',
            blockSize: LANE_HEIGHT,
            minInlineSize: 2,
            containerType: 'inline-size',
            lineHeight: `${LANE_HEIGHT}px`,
            paddingInline: 6,
            overflow: 'hidden',
            textOverflow: 'ellipsis',
            whiteSpace: 'nowrap',
            textAlign: 'start',
            borderRadius: euiTheme.border.radius.small,
            color: euiTheme.colors.textParagraph,
            backgroundColor:
              at % 2 === 0 ? euiTheme.colors.backgroundBaseSubdued : euiTheme.colors.backgroundLightPrimary,
          } as const;
          return (
            <li key={point}>
              {what === DEFINITION_BAND && point > 0 ? (
                <button
                  type="button"
                  title={title}
                  onClick={() => onDefinition(point)}
                  css={{ ...css, textDecoration: 'underline' }}
                  style={style}
                >
                  <span css={WIDE_ENOUGH}>{text}</span>
                </button>
              ) : (
                <span title={title} css={css} style={style}>
                  <span css={WIDE_ENOUGH}>{text}</span>
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </div>
  );
}
