// Transforms Markdown for Jest: a module's export is the text of the file, as in the bundles (scripts/build-app.mjs).
export default {
  process: (text) => ({ code: `module.exports = ${JSON.stringify(text)};` }),
};
