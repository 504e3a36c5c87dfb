// What is typed and not sent, in all browsers of a person.
import { connect } from '@parley/db/client';
import { expect, test } from 'vitest';
import { testInFullRun } from '../../support/extent.ts';
import { expectAccessible } from '../../support/browser/axe.ts';
import { answered, ask, composer, messages, openId, openNewChat, send, visit } from '../../support/browser/chat.ts';
import { focused, goTo } from '../../support/browser/keyboard.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';

const stage = withApp();

test('a text typed at the desk is there for a phone that comes later, and what the phone makes of it is at the desk', async () => {
  const { page: desk } = await stage.open('alice');
  await openNewChat(desk);
  const saved = desk.waitForResponse((response) => response.url().includes('drafts.save') && response.ok());
  await composer(desk).fill('For the next reader');
  await saved;
  const { page: phone } = await stage.open('alice', 'phone');
  await openNewChat(phone);
  await soon(() => composer(phone).inputValue()).toBe('For the next reader');

  await ask(desk, 'Something to talk about');
  await answered(desk);
  await visit(phone, `/c/${openId(desk)}`);
  await composer(desk).fill('Half a thought');
  await soon(() => composer(phone).inputValue()).toBe('Half a thought');

  await composer(phone).fill('Half a thought, and the rest');
  await soon(() => composer(desk).inputValue()).toBe('Half a thought, and the rest');
  await composer(phone).press('Enter');
  await soon(() => composer(desk).inputValue()).toBe('');
  await answered(phone);
});

test('of two texts typed apart the later one stays and the other is offered back, once', async () => {
  const { page: desk, context, tolerated } = await stage.open('alice');
  const { page: phone } = await stage.open('alice', 'phone');
  await openNewChat(desk);
  await ask(desk, 'Something else to talk about');
  await answered(desk);
  await visit(phone, `/c/${openId(desk)}`);
  await messages(phone).first().getByText('Something else to talk about').waitFor();

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
  await soon(() => offer.count()).toBe(0);
});

test('what was sent is nobody’s draft any more', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await send(page, 'Gone with Enter');
  await answered(page);
  await page.reload();
  await composer(page).waitFor();
  await soon(() => composer(page).inputValue()).toBe('');
  await openNewChat(page);
  await soon(() => composer(page).inputValue()).toBe('');
});

testInFullRun(
  'a draft that the database refuses is tried again at leisure and kept meanwhile, and is shared once it is taken',
  async () => {
    const { page: desk, tolerated } = await stage.open('alice');
    const { page: phone } = await stage.open('alice', 'phone');
    tolerated.push(/status of 500/);
    let tries = 0;
    desk.on('request', (request) => void (request.url().includes('drafts.save') && tries++));
    const { sql, end } = connect(stage.app.database);
    await sql`create function refuse_draft() returns trigger as 'begin raise exception ''no''; end' language plpgsql`;
    await sql`create trigger refuse_draft before insert or update on drafts for each row execute function refuse_draft()`;
    await openNewChat(desk);
    await openNewChat(phone);
    await composer(desk).fill('Nobody keeps this yet');
    await soon(() => tries).toBeGreaterThanOrEqual(2);
    await desk.waitForTimeout(4_000);
    expect(tries).toBeLessThan(6);
    await soon(() => composer(desk).inputValue()).toBe('Nobody keeps this yet');
    await soon(() => desk.getByTestId('toast').count()).toBe(0);
    await sql`drop function refuse_draft() cascade`;
    await end();
    await soon(() => composer(phone).inputValue()).toBe('Nobody keeps this yet');
  },
);

testInFullRun('a draft that the server will never keep is said to stay in this browser, once, and stays', async () => {
  const { page, tolerated } = await stage.open('alice');
  tolerated.push(/status of 422/);
  await openNewChat(page);
  const saved = page.waitForResponse((response) => response.url().includes('drafts.save') && response.ok());
  await composer(page).fill('Kept by the server');
  await saved;
  let tries = 0;
  page.on('request', (request) => void (request.url().includes('drafts.save') && tries++));
  await page.evaluate(() => {
    const name = Object.keys(localStorage).find((key) => key.startsWith('drafts:')) ?? '';
    const drafts = JSON.parse(localStorage.getItem(name) ?? '{}') as Record<string, object>;
    const stray = { ...drafts.new, text: 'Of another version', isSaved: false };
    localStorage.setItem(name, JSON.stringify({ ...drafts, 'no conversation': stray }));
  });
  await page.reload();
  const notices = page.getByTestId('toast').filter({ hasText: 'is kept in this browser only' });
  await notices.waitFor();
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await page.waitForTimeout(3_000);
  expect(tries).toBe(1);
  await soon(() => notices.count()).toBe(1);
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  expect(kept).toContain('Of another version');
  await soon(() => composer(page).inputValue()).toBe('Kept by the server');
});

test('what is typed the moment the box is there stays in it', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Early [[plain]]');
  await answered(page);
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      const box = document.querySelector<HTMLTextAreaElement>('[data-testid=text-input]');
      if (!box) return;
      observer.disconnect();
      box.setRangeText('Birds');
      box.dispatchEvent(new InputEvent('input', { bubbles: true }));
    });
    observer.observe(document, { childList: true, subtree: true });
  });
  await page.reload();
  await soon(() => page.getByTestId('send-button').isEnabled()).toBe(true);
  expect(await composer(page).inputValue()).toBe('Birds');
});
