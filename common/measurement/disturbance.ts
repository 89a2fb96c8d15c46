/** What happened beside the load during a trial, and may explain its figures. */

export type DisturbanceKind = 'node-left' | 'node-restarted' | 'node-refused' | 'clock-jumped';

export interface Disturbance {
  kind: DisturbanceKind;
  /** In words, without the trial's name: `dyno-2 left`. */
  detail: string;
  /** Name of the node that it happened to. */
  node?: string;
}
