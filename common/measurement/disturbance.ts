/** Events outside the load during a trial that may explain its metrics. */

export type DisturbanceKind = 'node-left' | 'node-restarted' | 'node-refused' | 'clock-jumped';

export interface Disturbance {
  kind: DisturbanceKind;
  /** Description without the trial's name: `dyno-2 left`. */
  detail: string;
  /** Name of the node that the event concerns. */
  node?: string;
}
