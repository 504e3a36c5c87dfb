import { expect, test } from 'vitest';
import { withApp } from '../../support/browser/app-fixture.ts';

const stage = withApp();

test('a visitor of a chat is sent to sign in after 300 ms', async () => {
  const { page } = await stage.visitor();
  await page.goto('/');
  await page.waitForURL('**/login');
  await page.getByRole('heading', { name: 'Create the first account' }).waitFor();

  const times = await page.evaluate(async () => {
    history.pushState(null, '', '/c/new');
    const began = performance.now();
    while (location.pathname !== '/login') await new Promise((resolve) => setTimeout(resolve, 5));
    return performance.now() - began;
  });
  expect(times).toBeGreaterThan(290);
});
