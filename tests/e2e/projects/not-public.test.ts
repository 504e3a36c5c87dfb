// Where the operator has no project shared with everybody.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { withApp } from '../../support/browser/app-fixture.ts';
import { apiOf, visit } from '../../support/browser/chat.ts';

const stage = withApp({ ALLOW_SHARED_PROJECTS_PUBLIC: 'false' });

test('the page of a project offers people and groups, and not everybody', async () => {
  const { page } = await stage.open('alice');
  const { folders } = await apiOf(stage.app, 'alice');
  const { id } = await folders.create.mutate({ id: randomUUID(), name: 'Mill' });
  await visit(page, `/projects/${id}`);
  await page.getByText('Only you use it.').waitFor();
  await page.getByLabel('E-mail address or user name').waitFor();
  expect(await page.getByRole('option', { name: 'Everyone here' }).count()).toBe(0);
});
