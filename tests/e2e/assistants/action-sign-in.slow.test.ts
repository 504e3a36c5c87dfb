// A person signs in to the API of an assistant from the answer that needs it.
import { FAKE_API, startFakeApi } from '@parley/scripts/fake-tools/api';
import { modelName } from '@parley/server/actions/names';
import { afterAll, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { apiOf, ask, lastMessage, openNewChat } from '../../support/browser/chat.ts';
import { freePort } from '../../support/free-port.ts';

const api = await startFakeApi();
afterAll(() => api.close());

const domain = `http://localhost:${await freePort()}`;
const stage = withApp({
  OPENAI_MODELS: 'gpt-4',
  EGRESS_ALLOWED_HOSTS: api.host,
  DOMAIN_SERVER: domain,
  PORT: new URL(domain).port,
});

test('the card of a sign-in to an API goes on by itself when its person is back', async () => {
  const { page, context } = await stage.open('alice');
  const { assistants } = await apiOf(stage.app, 'alice');
  const made = { name: 'Vet', model: 'gpt-4', endpoint: 'openAI' };
  const { assistantId } = await assistants.create.mutate(made);
  await assistants.saveAction.mutate({
    assistantId,
    rawSpec: JSON.stringify(api.document),
    operations: ['oauthSecured'],
    auth: {
      type: 'oauth',
      clientUrl: `${api.url}/oauth/token`,
      authorizationUrl: `${api.url}/oauth/authorize`,
      scope: FAKE_API.scope,
      tokenExchangeMethod: 'default_post',
      grant: 'authorization_code',
    },
    oauthClientId: FAKE_API.client.id,
    oauthClientSecret: FAKE_API.client.secret,
  });
  await openNewChat(page);
  await page.goto(`/assistants/${assistantId}`);
  await page.getByRole('button', { name: 'Start a chat' }).click();
  await page.getByRole('textbox', { name: 'Message Vet' }).waitFor();
  await ask(page, `Who is in? [[call-tool:${modelName({ name: 'oauthSecured' }, api.host)} {}]]`);
  await page.getByTestId('approval').getByRole('button', { name: 'Allow', exact: true }).click();
  const card = page.getByTestId('sign-in');
  const [popup] = await Promise.all([
    context.waitForEvent('page'),
    card.getByRole('link', { name: 'Open the sign-in page' }).click(),
  ]);
  await popup.getByText(`You are signed in to ${api.host}.`).waitFor();
  await popup.close();
  // As when its person comes back to this page.
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
  await card.waitFor({ state: 'detached' });
  await lastMessage(page).getByText('That was it.').waitFor();
  await soon(() => page.getByTestId('sign-in').count()).toBe(0);
});
