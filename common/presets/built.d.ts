/** The presets from the YAML files in this folder. scripts/presets.mjs reads them when a bundle is built or tests begin. */
declare module 'dyno:presets' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- an ambient module cannot import from a relative path
  export const presets: readonly import('./preset').Preset[];
}
