/** Clock times next to charts, in the format that Elastic Charts uses on its axes: local time, 24 hours. */

const CLOCK = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** Formats `at`, in ms since the epoch, such as `20:46:48`. */
export const formatClock = (at: number): string => CLOCK.format(at);
