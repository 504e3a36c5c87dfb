// A page of an answer that takes two gigabytes of memory: its own process ends or refuses it, not the chat.
import { test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { runScript } from './run-script.ts';
import { answered, ask, lastMessage } from '../../support/browser/chat.ts';

const stage = withApp(undefined, [/Content Security Policy|sandbox|Blocked|memory|allocation/i]);

const GREEDY = `
  const kept = [];
  const take = () => {
    for (let n = 0; n < 4; n++) kept.push(new Uint8Array(64 * 1024 * 1024).fill(kept.length + 1));
    said.textContent = kept.length * 64 + ' MB';
    if (kept.length < 32) setTimeout(take);
  };
  take();`;

test('the chat is usable beside a page that takes two gigabytes, and it ends', async () => {
  const { page } = await stage.open('alice');
  const { pane, frame } = await runScript(stage.app, page, 'greed', GREEDY);
  await ask(page, 'And now? [[echo]]');
  await answered(page);
  await soon(() => lastMessage(page).innerText()).toContain('And now?');
  // It has them, or its process has ended and it does not answer.
  const shown = pane.frameLocator('iframe[title="Fault"]');
  await soon(async () => {
    if ((await frame.count()) === 0) return true;
    const said = shown.locator('#said').innerText({ timeout: 1_000 });
    return (await said.catch(() => '')) === '2048 MB';
  }).toBe(true);
  if ((await frame.count()) > 0) await pane.getByRole('button', { name: 'Stop', exact: true }).click();
  await frame.waitFor({ state: 'detached' });
  await pane.getByRole('button', { name: 'Run', exact: true }).waitFor();
});
