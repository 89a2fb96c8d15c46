/** Times of day beside charts, written as Elastic Charts writes those of its axes: local, with 24 hours. */

const CLOCK = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** `at`: ms since the epoch; `20:46:48`. */
export const formatClock = (at: number): string => CLOCK.format(at);
