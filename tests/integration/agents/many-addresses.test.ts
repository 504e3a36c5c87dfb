// A file or a search that names many addresses of one site, and a model that would tell the chat by which of them it
// reads: two are read unasked, then a person is asked about the site, once.
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AskInput, Decision } from '@parley/schema/chat/ask';
import type { FinalEvent } from '@parley/schema/generation/events';
import { isLoopCall, type ToolCall } from '@parley/schema/messages/messages';
import { writeWebSources } from '@parley/schema/tools/web-sources';
import { siteOfAddress } from '@parley/server/tools/web/page-address';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { exchange, followUp, question } from '../../support/exchange.ts';
import { addFile, awaitState } from '../../support/retrieval/stored-files.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { createTool, sourceOf } from '../../support/tools/agents.ts';

let services: TestServices;
let alice: Person;
let server: Server;
let site = '';
/** The pages that the site was asked for, in their order. */
const seen: string[] = [];
/** What the model obeys once it has called `notes`. */
let orders = '';
/** Pages that are not there. */
const missing = new Set<string>();

const limits = { timeoutMs: 10_000, outputChars: 32_000 };
const notes = createTool('notes', { limits, run: async () => ({ type: 'done', text: orders }) });
/** A search that finds all pages. */
const found = () =>
  writeWebSources(PAGES.map((page, at) => ({ n: at + 1, title: page, url: `${site}/${page}`, snippet: 'A page.' })));
const search = createTool('find', {
  limits,
  from: { source: 'builtin', id: 'web_search', label: 'Web search' },
  run: async () => ({ type: 'done', text: found() }),
});
const PAGES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const SETTINGS = { tools: ['web_page', 'web-browser', 'notes', 'find'] };

beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    seen.push(url.slice(1));
    response.writeHead(missing.has(url.slice(1)) ? 404 : 200, { 'content-type': 'text/plain' }).end('A page.');
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  services = await openTestServices(
    {
      OPENAI_MODELS: 'gpt-4',
      EGRESS_ALLOWED_HOSTS: '127.0.0.1,localhost',
      TITLE_CONVO: 'false',
      TOOL_CALLS_PER_MINUTE: '10000',
    },
    {},
    undefined,
    [sourceOf(notes, search)],
  );
  alice = await services.as('alice');
});
afterAll(async () => {
  await services.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  seen.length = 0;
  missing.clear();
});

const reading = (pages: readonly string[], tool = 'web_page') =>
  pages
    .map((page) => `ORDER ${tool} ${JSON.stringify({ url: page.includes('://') ? page : `${site}/${page}` })}`)
    .join('\n');

/** Asks with a file that names all pages; the model then reads these. */
async function begin(pages: readonly string[], words = '', tool = 'web_page'): Promise<FinalEvent> {
  const text = PAGES.map((page) => `${site}/${page}`).join('\n');
  const fileId = await addFile(services, alice, text, { name: 'links.txt' });
  await awaitState(services, fileId, 'ready');
  orders = reading(pages, tool);
  const input = question(`${words}\nORDER notes {}\n[[obey]] ${randomUUID()}`, { model: 'gpt-4', settings: SETTINGS });
  if (input.target.kind === 'send') input.target.files = [fileId];
  return exchange(services, alice.id, input);
}

function goOn(before: FinalEvent, pages: readonly string[], words = 'ORDER notes {}'): Promise<FinalEvent> {
  orders = reading(pages);
  const said = `${words}\n[[obey]] ${randomUUID()}`;
  return exchange(services, alice.id, followUp(said, before, { model: 'gpt-4', settings: SETTINGS }));
}

function decide(before: FinalEvent, decision: Decision): Promise<FinalEvent> {
  const waiting = readsOf(before).filter(({ state }) => state === 'waiting');
  const { convo, reply } = before;
  const input: AskInput = {
    ...question('', { model: 'gpt-4', settings: SETTINGS }),
    conversationId: convo.conversationId,
    replyId: reply.messageId,
    target: {
      kind: 'resume',
      messageId: reply.messageId,
      decisions: Object.fromEntries(waiting.map(({ id }) => [id, decision])),
    },
  };
  return exchange(services, alice.id, input);
}

function readsOf({ reply: { parts } }: FinalEvent): ToolCall[] {
  const calls = parts.filter(isLoopCall).map(({ call }) => call);
  return calls.filter(({ name }) => name === 'web_page' || name === 'web-browser');
}
const statesOf = (final: FinalEvent) => readsOf(final).map(({ state }) => state);

it('two of the addresses of a file are read at once, the others wait, and the site hears of no more', async () => {
  const final = await begin(PAGES);
  expect(statesOf(final)).toEqual(['done', 'done', ...Array<string>(5).fill('waiting')]);
  expect(seen.toSorted()).toEqual(['a', 'b']);
  const third = readsOf(final)[2];
  expect(third).toMatchObject({ does: `GET ${site}/c (127.0.0.1/*)`, isAskedEachTime: true });
});

it('one after the other counts as well, by either tool, and so do pages that are not there', async () => {
  missing.add('a');
  const first = await begin(['a'], '', 'web-browser');
  expect(statesOf(first)).toEqual(['failed']);
  const second = await goOn(first, ['b']);
  const third = await goOn(second, ['c']);
  expect([...statesOf(second), ...statesOf(third)]).toEqual(['done', 'waiting']);
  expect(seen).toEqual(['a', 'b']);
});

it('once a third one is allowed and read, the other ones of the site are read unasked, here alone', async () => {
  const asked = await begin(['a', 'b', 'c']);
  expect(statesOf(asked)).toEqual(['done', 'done', 'waiting']);
  const allowed = await decide(asked, 'allow');
  expect(statesOf(allowed)).toEqual(['done', 'done', 'done']);
  const rest = await goOn(allowed, ['d', 'e', 'f', 'g']);
  expect(statesOf(rest)).toEqual(Array(4).fill('done'));
  const madeUp = await goOn(rest, ['made-up']);
  expect(statesOf(madeUp)).toEqual(['waiting']);
  expect(statesOf(await begin(['a', 'b', 'c']))).toEqual(['done', 'done', 'waiting']);
});

it('a denied address is asked about again', async () => {
  const denied = await decide(await begin(['a', 'b', 'c']), 'deny');
  expect(statesOf(denied)).toEqual(['done', 'done', 'denied']);
  expect(statesOf(await goOn(denied, ['d']))).toEqual(['waiting']);
  expect(seen.toSorted()).toEqual(['a', 'b']);
});

it('addresses that the person names stay free and count for nothing', async () => {
  const named = PAGES.slice(0, 5).map((page) => `${site}/${page}`);
  const first = await begin(PAGES.slice(0, 5), named.join(' '));
  expect(statesOf(first)).toEqual(Array(5).fill('done'));
  const second = await goOn(first, ['f', 'g', 'a']);
  expect(statesOf(second)).toEqual(['done', 'done', 'done']);
  const third = await begin(['a', 'b', 'c', 'd'], `${site}/c`);
  expect(statesOf(third)).toEqual(['done', 'done', 'done', 'waiting']);
});

it('addresses of a search count as those of a file do', async () => {
  const said = `ORDER find {}\n[[obey]] ${randomUUID()}`;
  const first = await exchange(services, alice.id, question(said, { model: 'gpt-4', settings: SETTINGS }));
  const second = await goOn(first, ['a', 'b', 'c']);
  expect(statesOf(second)).toEqual(['done', 'done', 'waiting']);
  const allowed = await decide(second, 'allow');
  expect(statesOf(await goOn(allowed, ['d', 'e']))).toEqual(['done', 'done']);
});

it('two pages in turn are asked about, too, but reading one again is free', async () => {
  let last = await begin(['a', 'b']);
  for (const page of ['b', 'a', 'a', 'b']) {
    last = await goOn(last, [page]);
    expect(statesOf(last)).toEqual(['done']);
  }
  expect(statesOf(await goOn(last, ['a']))).toEqual(['waiting']);
});

it.each([
  ['https://news.example.com/a', 'example.com'],
  ['https://a.b.example.com./', 'example.com'],
  ['https://shop.example.co.uk', 'example.co.uk'],
  ['https://example.de', 'example.de'],
  ['https://1.2.3.4:8080/', '1.2.3.4'],
  ['https://[::1]/', '[::1]'],
  ['https://localhost', 'localhost'],
])('the site of %s is %s', (url, expected) => {
  expect(siteOfAddress(new URL(url))).toBe(expected);
});
