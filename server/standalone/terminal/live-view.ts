/**
 * Shows the progress of a run: on a terminal as a few lines that are redrawn, otherwise as plain lines.
 *
 * No package is used, because redrawing needs only one escape code.
 */
import { isUneven, sayPart } from '../../../common/analysis/seats';
import { TROUBLE } from '../../../common/measurement/outcomes';
import { sayProgress } from '../../../common/analysis/highest-rate';
import { printable } from '../../../common/text/printable';
import { formatDuration, formatMs, formatNumber, formatPercent } from '../../../common/units/format';
import type { Progress } from '../../../common/measurement/progress';
import type { RunListener } from '../../run/active-run/active-run';

const BAR_WIDTH = 24;
/** Interval of plain lines, in ms. A line is also printed at each change of phase. */
const PLAIN_EVERY_MS = 10_000;

const bar = (share: number): string => {
  const full = Math.round(Math.min(1, Math.max(0, share)) * BAR_WIDTH);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)}`;
};

const phaseText = ({ phase, doing, phaseMs, phaseLengthMs }: Progress): string =>
  `${doing ?? phase} ${formatDuration(phaseMs)}${phaseLengthMs === null ? '' : ` of ${formatDuration(phaseLengthMs)}`}`;

const trialText = ({ current, trials }: Progress): string =>
  current === null
    ? ''
    : `trial ${current.order + 1} of ${trials} · ${current.cell} · repetition ${current.repetition + 1}`;

const taskLines = ({ tasks }: Progress): string[] =>
  tasks.map(({ task, throughput, p99, counts, backlog, search }) =>
    [
      `${task}: ${formatNumber(throughput)} accepted/s`,
      search ? sayProgress(search) : '',
      `p99 ${formatMs(p99)}`,
      ...TROUBLE.map(({ name, label, ends }) => {
        // The rejection rate is always shown. Other rates are shown only if they are not 0.
        if (counts[name] === 0 && name !== 'rejected') return '';
        const share = counts[name] / Math.max(1, counts.attempted);
        return `${label.text} ${ends ? formatPercent(share) : formatNumber(counts[name])}`;
      }),
      backlog > 0 ? `${formatNumber(backlog)} requests late` : '',
    ]
      .filter(Boolean)
      .join(' · '),
  );

/**
 * Returns one line with the machines that generate the load and their rates. Empty if the progress lists no machines, because only this
 * machine generates load.
 */
function seatLines({ seats }: Progress): string[] {
  if (seats === undefined) return [];
  const here = seats.filter(({ state }) => state === 'taken' || state === 'loading');
  const hosts = here.map(({ holder }) => holder?.host);
  const names = here.map(({ seat, holder, second }) => {
    const { host = '', pid = 0, labels = [] } = holder ?? {};
    const alone = hosts.filter((other) => other === host).length === 1;
    const rate = second === null ? '' : `${formatNumber(second.documents ?? second.requests)}/s`;
    const behind = second?.part != null && isUneven({ part: second.part }) ? sayPart(second.part) : '';
    const late = second?.late ? 'often late' : '';
    const more = [alone ? '' : `process ${pid}`, ...labels].filter(Boolean).join(', ');
    return [`${seat + 1} ${host}`, more === '' ? '' : `(${more})`, rate, late, behind]
      .filter(Boolean)
      .join(' ');
  });
  const missing = seats.filter(({ state }) => state === 'lost').map(({ seat }) => `${seat + 1} lost`);
  const come = `machines: ${here.length} of ${seats.length}`;
  return [[come, ...names, ...missing].join(' · ')];
}

/** Returns the completed share of the run, from 0 to 1. The current trial counts by the elapsed share of its measured phase. */
const shareDone = ({ completed, trials, measured }: Progress): number =>
  trials === 0 ? 0 : (completed + measured) / trials;

export interface LiveView extends RunListener {
  /** Erases the live lines. */
  close(): void;
}

/** Prints plain lines for logs: one at each change of phase, and one every ten seconds. */
export function plainView(write: (line: string) => void): LiveView {
  let lastPhase = '';
  let lastAt = 0;
  let lastMessage = '';
  return {
    onProgress(progress) {
      // A line is also printed when the first metrics of a phase arrive.
      const phase = `${progress.current?.order ?? ''} ${progress.phase} ${progress.doing ?? ''} ${progress.tasks.length > 0}`;
      if (phase === lastPhase && performance.now() - lastAt < PLAIN_EVERY_MS) return;
      lastPhase = phase;
      lastAt = performance.now();
      // The line is omitted, because the same text was just printed as an event.
      if (progress.doing === lastMessage && progress.phaseMs < PLAIN_EVERY_MS) return;
      const figures = progress.phase === 'warm-up' || progress.phase === 'measure' ? taskLines(progress) : [];
      const left = progress.phase === 'done' ? '' : `${formatDuration(progress.remainingMs)} left`;
      write([trialText(progress), phaseText(progress), ...figures, left].filter(Boolean).join(' | '));
    },
    onEvent({ level, message }) {
      lastMessage = message;
      write(level === 'info' ? message : `${level}: ${message}`);
    },
    close: () => undefined,
  };
}

/** Shows the progress of a run on a terminal, as a few lines that are redrawn in place. Events are printed above these lines and scroll. */
export function terminalView(stream: NodeJS.WriteStream): LiveView {
  let drawn = 0;
  const erase = (): void => {
    if (drawn > 0) stream.write(`\u001b[${drawn}A\u001b[0J`);
    drawn = 0;
  };
  const draw = (lines: string[]): void => {
    erase();
    const width = (stream.columns || 100) - 1;
    stream.write(lines.map((line) => `${printable(line).slice(0, width)}\n`).join(''));
    drawn = lines.length;
  };
  let last: Progress | undefined;
  const redraw = (): void => {
    if (!last || last.phase === 'done') return;
    const share = shareDone(last);
    draw([
      `${bar(share)} ${formatPercent(Math.round(share * 100) / 100)} · ${formatDuration(last.remainingMs)} left`,
      [trialText(last), phaseText(last)].filter(Boolean).join(' · '),
      ...seatLines(last),
      ...taskLines(last).map((line) => `  ${line}`),
    ]);
  };
  return {
    onProgress(progress) {
      last = progress;
      redraw();
    },
    onEvent({ level, message }) {
      erase();
      stream.write(`${printable(level === 'info' ? message : `${level}: ${message}`)}\n`);
      redraw();
    },
    close: erase,
  };
}
