/** Makes every test fail that ends without a single `expect`. It runs before each test in all projects. */
beforeEach(() => {
  expect.hasAssertions();
});
