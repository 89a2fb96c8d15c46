/** Before each test, in all projects: one that comes to its end without a single `expect` fails. */
beforeEach(() => {
  expect.hasAssertions();
});
