/** The presets from the YAML files in this folder. `scripts/presets.mjs` reads these files when a bundle is built and when tests start. */
declare module 'dyno:presets' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- an ambient module cannot import from a relative path
  export const presets: readonly import('./preset').Preset[];
}
