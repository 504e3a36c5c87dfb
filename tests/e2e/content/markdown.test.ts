// What a model writes, as the page shows it: all of markdown, and nothing that acts.
import { scenarioText as saidBy } from '@parley/scripts/fake-provider';
import { textSteps, scriptedStream } from '@parley/scripts/fake-provider/scenario';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { answered, ask, lastMessage, messages, openNewChat, wordsOf } from '../../support/browser/chat.ts';
import { soon, withApp } from '../../support/browser/app-fixture.ts';

const stage = withApp();

test('the hardest markdown is rendered whole, and the page never contains active content', async () => {
  const { page } = await stage.open('alice');
  const outward: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(stage.app.url) && !request.url().startsWith('data:')) outward.push(request.url());
  });
  await openNewChat(page);
  await page.evaluate(() => {
    const acting =
      'script, iframe, object, embed, [onerror], [onload], [onclick], [href^="javascript:" i], [href^="data:" i]';
    const counts = { seen: 0 };
    Object.assign(window, { counts });
    const root = document.getElementById('root') ?? document.body;
    new MutationObserver(() => (counts.seen += root.querySelectorAll(acting).length)).observe(root, {
      subtree: true,
      childList: true,
      attributes: true,
    });
  });
  await ask(page, 'Everything, please [[markdown]]');
  await answered(page);
  expect(await page.evaluate(() => (window as unknown as { counts: { seen: number } }).counts.seen)).toBe(0);
  const reply = lastMessage(page);
  await reply.locator('.katex').first().waitFor();

  await soon(() => reply.locator('script, iframe, object, embed, form, style').count()).toBe(0);
  expect(await reply.evaluate(countActing)).toBe(0);
  expect(await page.title()).not.toContain('hacked');
  expect(outward).toEqual([]);
  const addresses = await reply
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(addresses.filter((address) => !/^(https?:|mailto:|#)/.test(address ?? ''))).toEqual([]);
  await reply.getByText("<script>alert('this is text, not a script')</script>").waitFor();

  await reply.getByText('It costs $5 and $10, not $7.50.').waitFor();
  await soon(() => reply.locator('.katex').count()).toBeGreaterThanOrEqual(5);
  await soon(() =>
    reply
      .locator('code')
      .filter({ hasText: /^\$x\^2\$$/ })
      .count(),
  ).toBe(1);
  await reply.locator('pre', { hasText: '$$ \\frac{1}{2} $$ stays as it is' }).waitFor();

  await soon(() => reply.getByRole('heading', { level: 1 }).first().textContent()).toBe('Heading one');
  await soon(() => reply.getByRole('table').count()).toBe(1);
  await soon(() => reply.locator('pre').count()).toBeGreaterThanOrEqual(11);
  await soon(() => reply.locator('del').textContent()).toBe('struck');
  await reply.getByText('this fence is never closed', { exact: false }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);

  // Its parts come one after the other.
  let finished = await wordsOf(page);
  await soon(async () => {
    const last = finished;
    finished = await wordsOf(page);
    return finished === last;
  }).toBe(true);
  await page.reload();
  await reply.locator('.katex').first().waitFor();
  await soon(() => wordsOf(page)).toBe(finished);
});

test('maths is typeset when it is complete, money stays money, and code stays code', async () => {
  const { page } = await stage.open('alice');
  const text = 'Rent is $5 and $10. Energy is $E = mc^2$.\n\n$$\\sum_{n=1}^{3} n$$\n\nCode: `$x$`.';
  stage.app.provider.script('sums', { about: 'maths and money', script: () => scriptedStream(textSteps(text)) });
  await openNewChat(page);
  await ask(page, 'Sums [[sums]]');
  await answered(page);
  const reply = lastMessage(page);
  await reply.locator('.katex-display').waitFor();
  await soon(() => reply.locator('.katex').count()).toBe(2);
  await reply.getByText('Rent is $5 and $10.', { exact: false }).waitFor();
  await soon(() => reply.locator('code').innerText()).toBe('$x$');
});

test('emoji and every script are rendered whole', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'Faces [[emoji]]');
  await answered(page);
  await expectShown(page, saidBy('emoji', undefined, ''));

  await ask(page, 'Tongues [[unicode]]');
  await answered(page);
  const shown = () => lastMessage(page).innerText();
  await soon(shown).toContain('NUL [] high [\ufffd]');
  for (const word of ['العربية', 'עברית', '中文', '日本語', '한국어', 'Straße', 'ёлка', 'हिन्दी', 'ไทย'])
    await soon(shown).toContain(word);
});

test('long lines of code scroll inside their block, or wrap on request', async () => {
  const { page } = await stage.open('alice');
  stage.app.provider.script('wide', {
    about: 'one very long line of code',
    script: () => scriptedStream(textSteps(`\`\`\`ts\nconst wide = '${'x'.repeat(400)}';\n\`\`\``)),
  });
  await openNewChat(page);
  await ask(page, 'Wide [[wide]]');
  await answered(page);
  const code = lastMessage(page).locator('pre');
  const isWide = () => code.evaluate((element) => element.scrollWidth > element.clientWidth);
  await soon(isWide).toBe(true);
  await lastMessage(page).getByRole('button', { name: 'Wrap' }).click();
  await soon(isWide).toBe(false);
  await soon(() => lastMessage(page).locator('pre span[class*=hljs], pre span[class]').count()).toBeGreaterThan(0);
});

async function expectShown(page: Page, text: string): Promise<void> {
  const shown = async () => (await lastMessage(page).getByRole('paragraph').allInnerTexts()).join('\n\n');
  await soon(shown).toBe(text.trim());
}

/** Elements with a handler or with an address that runs. */
function countActing(root: Element): number {
  const addresses = ['href', 'src', 'srcset', 'action', 'formaction', 'xlink:href', 'data'];
  return [...root.querySelectorAll('*')].filter((element) => {
    const runs = addresses.some((name) =>
      /^\s*(javascript|vbscript|data:(?!image))/i.test(element.getAttribute(name) ?? ''),
    );
    return runs || element.getAttributeNames().some((name) => name.startsWith('on'));
  }).length;
}

test('each paragraph of a question has its own direction', async () => {
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'مرحبا كيف حالك اليوم يا صديقي\n\nGood morning');
  await answered(page);
  const question = messages(page).first().getByText('Good morning', { exact: false });
  const [left, start] = await question.evaluate((element) => {
    const text = element.firstChild as Text;
    const range = document.createRange();
    range.setStart(text, text.data.indexOf('Good'));
    range.setEnd(text, text.length);
    return [element.getBoundingClientRect().left, range.getBoundingClientRect().left];
  });
  expect(start).toBeCloseTo(left ?? 0, 0);
});

test('a table in Arabic runs from right to left, with aligned columns', async () => {
  const table = '| المدينة | الحرارة |\n|---|---|\n| القاهرة | 30 |';
  stage.app.provider.script('cairo', { about: 'a table in Arabic', script: () => scriptedStream(textSteps(table)) });
  const { page } = await stage.open('alice');
  await openNewChat(page);
  await ask(page, 'How warm is it? [[cairo]]');
  await answered(page);
  const cells = lastMessage(page).getByRole('table').locator('th, td');
  await soon(() => cells.count()).toBe(4);
  const [city, heat, cairo, thirty] = await cells.evaluateAll(edgesOfTexts);
  expect(heat?.right).toBeLessThan(city?.left ?? 0);
  expect(cairo?.right).toBeCloseTo(city?.right ?? 0, 0);
  expect(thirty?.right).toBeCloseTo(heat?.right ?? 0, 0);

  /** Runs in the page. */
  function edgesOfTexts(all: Element[]) {
    return all.map((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      const { left, right } = range.getBoundingClientRect();
      return { left, right };
    });
  }
});
