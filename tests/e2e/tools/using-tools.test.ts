// A chat whose model calls tools: the menu that switches them on, the call as it is drawn, and what waits for a
// decision.
import { test } from 'vitest';
import { ADD, openTools } from '../../support/browser/add-menu.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { answered, ask, lastMessage, openId, openNewChat, stopButton } from '../../support/browser/chat.ts';
import { focused } from '../../support/browser/keyboard.ts';
import { setAnswer, toolCall } from '../../support/browser/tool-calls.ts';

const stage = withApp();

test('a chat uses the tools that are switched on in it, and a request is decided in another browser', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  const menu = await openTools(page);
  const calculator = menu.getByRole('switch', { name: 'Calculator' });
  await calculator.waitFor();
  await expectAccessible(page);
  await soon(() => calculator.isChecked()).toBe(false);
  await calculator.press('Space');
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  await soon(() => focused(page)).toBe(ADD);
  await page.getByRole('button', { name: 'Switch off Calculator' }).waitFor();

  await ask(page, 'How much is it? [[calculate:6 * 7]]');
  await answered(page);
  const steps = (of = page) => lastMessage(of).getByTestId('step');
  await steps()
    .locator('summary')
    .filter({ hasText: /^Used Calculator/ })
    .click();
  await steps().getByText('6 * 7').waitFor();
  await soon(() => steps().getByRole('group', { name: 'What came back' }).innerText()).toBe('42');
  await page.reload();
  await steps()
    .locator('summary')
    .filter({ hasText: /^Used Calculator/ })
    .waitFor();
  await page.getByRole('button', { name: 'Switch off Calculator' }).waitFor();

  await setAnswer(
    stage.app,
    openId(page),
    [toolCall({ state: 'waiting', needs: 'approval', input: '{"input":"5 * 5"}', output: null, progress: 0.1 })],
    'tool_calls',
  );
  await page.reload();
  await page.getByTestId('approval').waitFor();
  const { page: other } = await stage.openElsewhere('alice');
  await other.goto(`/c/${openId(page)}`);
  const card = other.getByRole('region', { name: 'Allow Calculator?' });
  await soon(() => card.innerText()).toMatch(/5 \* 5/);
  await expectAccessible(other);
  await other.keyboard.press('Enter');
  await soon(() => card.getByRole('button', { name: 'Allow', exact: true }).isEnabled()).toBe(true);
  await card.getByRole('button', { name: 'Allow', exact: true }).click();
  for (const one of [other, page]) {
    await one.getByTestId('approval').waitFor({ state: 'detached' });
    await stopButton(one).waitFor({ state: 'detached' });
    await steps(one)
      .first()
      .locator('summary')
      .filter({ hasText: /^Used Calculator/ })
      .waitFor();
  }

  await setAnswer(
    stage.app,
    openId(page),
    [toolCall({ state: 'waiting', needs: 'sign_in', output: null, progress: 0.1 })],
    'tool_calls',
  );
  await page.reload();
  await page.getByTestId('sign-in').getByRole('link', { name: 'Open Tools' }).click();
  await page.getByRole('heading', { name: 'Tools', level: 1 }).waitFor();
  await page.goBack();
  await page.getByTestId('sign-in').waitFor();

  await openTools(page);
  await menu.getByRole('switch', { name: 'Use these in new chats' }).press('Space');
  await page.keyboard.press('Escape');
  await openNewChat(page);
  await page.getByRole('button', { name: 'Switch off Calculator' }).waitFor();
  await openNewChat(other);
  await other.getByRole('button', { name: 'Switch off Calculator' }).waitFor();
});
