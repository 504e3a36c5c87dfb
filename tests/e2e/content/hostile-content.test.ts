// What others chose the words of, such as titles, names of files, passages, pages of the web and outputs of tools: they
// are shown as they are, and nothing in them acts.
import { randomUUID } from 'node:crypto';
import { connect } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { messages as messageTable } from '@parley/db/tables/messages';
import type { Citation, MessagePart } from '@parley/schema/messages/messages';
import { and, eq } from 'drizzle-orm';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { soon, withApp } from '../../support/browser/app-fixture.ts';
import { lastMessage, messages, openThread } from '../../support/browser/chat.ts';
import { toolCall } from '../../support/browser/tool-calls.ts';

const stage = withApp();

/** Begins to act where it is taken for HTML, for an attribute or for the end of a script. */
const HOSTILE = `"'></script><script>hit()</script><img src=x onerror=hit()><a href="javascript:hit()">x</a>`;
const REFUSED = /Failed to load resource/;

test('titles, names, passages, pages and outputs show what they say, in the chat and behind a link', async () => {
  const { page, tolerated } = await stage.open('alice');
  // Files that are in no store.
  tolerated.push(REFUSED);
  await watch(page);
  const id = await openThread(stage.app, 'alice', page, [`Question ${HOSTILE}`, 'Answer']);
  await poison(id);
  await page.reload();
  const answer = lastMessage(page);
  await soon(() => messages(page).first().innerText()).toContain(`Question ${HOSTILE}`);
  const steps = answer.getByTestId('step').locator('summary');
  await soon(() => steps.count()).toBe(2);
  for (const step of await steps.all()) await step.press('Enter');
  await answer.getByText('Output of the tool', { exact: false }).first().waitFor();
  await soon(() => page.title()).toContain('A title');
  await opensCitations(page, answer);
  await expectCalm(page);

  await page.getByTestId('share-button').click();
  const dialog = page.getByRole('dialog', { name: 'Share the chat' });
  await dialog.getByText('Show my name').click();
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const link = dialog.getByRole('link', { name: 'Open the link' });
  const address = new URL((await link.getAttribute('href')) ?? '').pathname;
  await expectCalm(page);

  const { page: visitor, tolerated: toleratedThere } = await stage.visitor();
  toleratedThere.push(REFUSED);
  await watch(visitor);
  await visitor.goto(address);
  await visitor.getByText('A title', { exact: false }).first().waitFor();
  await soon(() => visitor.getByRole('article').first().innerText()).toContain(`Question ${HOSTILE}`);
  await visitor.getByText('Used Server', { exact: false }).first().waitFor();
  await expectCalm(visitor);
});

/** Each mark and each source, with the passage or page that it opens. */
async function opensCitations(page: Page, answer: Locator): Promise<void> {
  const marks = answer.getByTestId('citation');
  await soon(() => marks.count()).toBeGreaterThanOrEqual(2);
  for (const mark of await marks.all()) {
    await mark.click();
    const popover = page.getByRole('dialog').last();
    await soon(() => popover.innerText()).toContain('onerror=hit()');
    await expectCalm(page);
    await page.keyboard.press('Escape');
    await popover.waitFor({ state: 'detached' });
  }
}

/** Notes scripts that run and what the policy of the page has to block. */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const hits: string[] = [];
    Object.assign(window, { hits, hit: () => hits.push('hit') });
    document.addEventListener('securitypolicyviolation', (event) => hits.push(event.violatedDirective));
  });
}

async function expectCalm(page: Page): Promise<void> {
  expect(await page.evaluate('hits')).toEqual([]);
  expect(await page.locator('#root').evaluate(actingIn)).toEqual([]);
}

/** Elements with a handler, or with an address that runs or leads to what was not said. Runs in the page. */
function actingIn(root: Element): string[] {
  const addresses = ['href', 'src', 'srcset', 'action', 'formaction', 'xlink:href', 'data', 'poster'];
  const acting = [...document.body.querySelectorAll('*')].filter((element) => {
    if (!root.contains(element) && element.closest('[role=dialog]') === null) return false;
    const runs = addresses.some((name) =>
      /^\s*(javascript|vbscript|data:(?!image))/i.test(element.getAttribute(name) ?? ''),
    );
    return runs || element.getAttributeNames().some((name) => name.startsWith('on'));
  });
  return acting.map((element) => element.outerHTML.slice(0, 200));
}

/** Gives a conversation of two messages hostile words wherever there are any, past all checks of the server. */
async function poison(conversationId: string): Promise<void> {
  const text = 'As the file says [1], and the pages [2] and [3].';
  const citation: Citation = {
    at: text.indexOf('[1]'),
    fileId: randomUUID(),
    name: `File ${HOSTILE}.pdf`,
    page: 3,
    n: 0,
    quote: `Quote ${HOSTILE}`,
  };
  const found = [
    `[2] Page ${HOSTILE}\nhttps://pages.example/?q=${encodeURI(HOSTILE).replaceAll("'", '%27')}\nSnippet ${HOSTILE}`,
    `[3] ${HOSTILE}\njavascript:hit()//https://pages.example/\nSnippet ${HOSTILE}`,
  ].join('\n\n');
  const place = { fileId: randomUUID(), path: `/files/${HOSTILE}` };
  const search = { source: 'builtin' as const, id: 'web_search', label: `Search ${HOSTILE}` };
  const parts: MessagePart[] = [
    { type: 'reasoning', text: `Thoughts ${HOSTILE}` },
    toolCall({ name: 'web_search', from: search, input: JSON.stringify({ query: HOSTILE }), output: found }),
    toolCall({
      id: '1:0',
      step: 1,
      from: { source: 'mcp', id: 'hostile', label: `Server ${HOSTILE}` },
      name: HOSTILE,
      input: JSON.stringify({ [HOSTILE]: HOSTILE }),
      output: `Output of the tool ${HOSTILE}`,
      outputs: [
        { type: 'logs', text: `Logs ${HOSTILE}` },
        { type: 'image', ...place, width: 10, height: 10, name: `${HOSTILE}.png`, prompt: HOSTILE },
        { type: 'file', ...place, name: `${HOSTILE}.html`, mime: 'text/html', bytes: 10 },
      ],
    }),
    { type: 'text', text, citations: [citation] },
    { type: 'error', text: `Error ${HOSTILE}` },
  ];
  const file: MessagePart = { type: 'file', ...place, name: `${HOSTILE}.svg`, mime: 'image/svg+xml', bytes: 10 };
  const db = connect(stage.app.database, { max: 1 });
  const ofConvo = eq(messageTable.convoId, conversationId);
  await db.query
    .update(convos)
    .set({ title: `A title ${HOSTILE}` })
    .where(eq(convos.id, conversationId));
  await db.query
    .update(messageTable)
    .set({ parts, sender: `Model ${HOSTILE}`, model: HOSTILE })
    .where(and(ofConvo, eq(messageTable.isCreatedByUser, false)));
  await db.query
    .update(messageTable)
    .set({ parts: [{ type: 'text', text: `Question ${HOSTILE}` }, file] })
    .where(and(ofConvo, eq(messageTable.isCreatedByUser, true)));
  await db.end();
}
