// Jest's transform of Markdown: the module is its text, as in the bundles (scripts/build-app.mjs).
export default {
  process: (text) => ({ code: `module.exports = ${JSON.stringify(text)};` }),
};
