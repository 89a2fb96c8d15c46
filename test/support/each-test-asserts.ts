/** Makes every test fail that ends without a single `expect`. Applies to the tests of all Jest projects. */
beforeEach(() => {
  expect.hasAssertions();
});
