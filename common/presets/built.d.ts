/** The presets, read from the YAML files here when a bundle is built or tests begin (scripts/presets.mjs). */
declare module 'dyno:presets' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- an ambient module may not import by a relative path
  export const presets: readonly import('./preset').Preset[];
}
