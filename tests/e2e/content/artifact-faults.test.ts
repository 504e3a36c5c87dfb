// Pages of answers that do harm when they run: the chat beside them stays usable, and they end.
import { expect, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { runScript } from './run-script.ts';
import { withoutAllowlist } from './try-frames.ts';
import { answered, ask, lastMessage } from '../../support/browser/chat.ts';

const stage = withApp();

const FAULTS: Record<string, string> = {
  'a loop without end': 'said.textContent = "Running"; setTimeout(() => { for (;;); }, 50);',
  'a flood of messages': `said.textContent = "Running";
    let n = 0;
    const flood = () => {
      for (let sent = 0; sent < 5000; sent++) parent.postMessage({ state: 'link', address: 'https://x.example/' + n++ }, '*');
      setTimeout(flood);
    };
    setTimeout(flood, 50);`,
  'five megabytes of elements': `said.textContent = "Running";
    const more = document.createElement('div');
    more.innerHTML = '<p class="one of many">x</p>'.repeat(180_000);
    document.body.append(more);`,
};

test.each(Object.entries(FAULTS))('the chat is usable beside %s, which ends', async (name, script) => {
  const { page, tolerated } = await stage.open('alice');
  tolerated.push(/Content Security Policy|sandbox|Blocked/);
  const { pane, frame } = await runScript(stage.app, page, name, script);
  await ask(page, 'And now? [[echo]]');
  await answered(page);
  await soon(() => lastMessage(page).innerText()).toContain('And now?');
  // What does not answer, or floods the page, is ended by itself.
  const stop = pane.getByRole('button', { name: 'Stop', exact: true });
  if (name.startsWith('five')) await stop.click();
  else await pane.getByText(/It did not answer for 10 seconds|It flooded this page/).waitFor();
  await frame.waitFor({ state: 'detached' });
  await pane.getByRole('button', { name: 'Run', exact: true }).waitFor();
  await pane.frameLocator('iframe[title="Fault"]').frameLocator('iframe').getByText('Not run').waitFor();
});

test('a program is not called sealed in a browser that does not keep it from the network', async () => {
  const { page } = await stage.openElsewhere('alice', {});
  await withoutAllowlist(page);
  const { pane } = await runScript(stage.app, page, 'one without a seal', 'said.textContent = "Running"');
  await pane.frameLocator('iframe[src="/artifact/frame.html"]').getByText('Running').waitFor();
  await pane.getByText("this browser can't block every way to the network").waitFor();
  expect(await pane.getByText('Sealed').count()).toBe(0);
});
