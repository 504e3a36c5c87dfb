// What is typed and not sent, in all browsers of a person.
import { expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { answered, ask, composer, openId, openNewChat, send } from './chat.ts';
import { focused, goTo } from './keys.ts';
import { soon, withApp } from './stage.ts';

const stage = withApp();

test('a text typed at the desk is on the phone, and what the phone makes of it is at the desk', async () => {
  const { page: desk } = await stage.openElsewhere('alice');
  const { page: phone } = await stage.openElsewhere('alice');
  await openNewChat(desk);
  await ask(desk, 'Something to talk about');
  await answered(desk);
  await phone.goto(`/c/${openId(desk)}`);
  await composer(desk).fill('Half a thought');
  await soon(() => composer(phone).inputValue()).toBe('Half a thought');

  await composer(phone).fill('Half a thought, and the rest');
  await soon(() => composer(desk).inputValue()).toBe('Half a thought, and the rest');
  await composer(phone).press('Enter');
  await soon(() => composer(desk).inputValue()).toBe('');
  await answered(phone);
});

test('the new chat’s text is shared too, and is there for a browser that comes later', async () => {
  const { page: desk } = await stage.openElsewhere('bob');
  await openNewChat(desk);
  const saved = desk.waitForResponse((response) => response.url().includes('drafts.save') && response.ok());
  await composer(desk).fill('For whoever comes');
  await saved;
  const { page: phone } = await stage.openElsewhere('bob');
  await openNewChat(phone);
  await soon(() => composer(phone).inputValue()).toBe('For whoever comes');
});

test('of two texts typed apart the later one stays and the other is offered back, once', async () => {
  const { page: desk, context, tolerated } = await stage.openElsewhere('carol');
  const { page: phone } = await stage.openElsewhere('carol');
  await openNewChat(desk);
  await ask(desk, 'Something to talk about');
  await answered(desk);
  await phone.goto(`/c/${openId(desk)}`);
  await composer(phone).waitFor();

  tolerated.push(/ERR_INTERNET_DISCONNECTED|WebSocket/);
  await context.setOffline(true);
  await composer(desk).fill('Typed at the desk without a network');
  const saved = phone.waitForResponse((response) => response.url().includes('drafts.save') && response.ok());
  await composer(phone).fill('Typed on the phone a moment later');
  await saved;
  await context.setOffline(false);

  await soon(() => composer(desk).inputValue()).toBe('Typed on the phone a moment later');
  const offer = desk.getByRole('status').filter({ hasText: 'A text typed elsewhere was replaced' });
  await offer.getByText('Typed at the desk without a network').waitFor();
  await expectAccessible(desk);

  await composer(desk).focus();
  await goTo(desk, 'Restore', 'Shift+Tab');
  await desk.keyboard.press('Enter');
  await soon(() => composer(desk).inputValue()).toBe('Typed at the desk without a network');
  await soon(() => composer(phone).inputValue()).toBe('Typed at the desk without a network');
  await soon(() => focused(desk)).toMatch(/^Message/);
  await offer.getByText('Typed on the phone a moment later').waitFor();
  await offer.getByRole('button', { name: 'Dismiss' }).click();
  await offer.waitFor({ state: 'detached' });
  await desk.reload();
  await soon(() => composer(desk).inputValue()).toBe('Typed at the desk without a network');
  expect(await offer.count()).toBe(0);
});

test('what was sent is nobody’s draft any more', async () => {
  const { page } = await stage.openElsewhere('dave');
  await openNewChat(page);
  await send(page, 'Gone with Enter');
  await answered(page);
  await page.reload();
  await composer(page).waitFor();
  expect(await composer(page).inputValue()).toBe('');
  await openNewChat(page);
  expect(await composer(page).inputValue()).toBe('');
});
