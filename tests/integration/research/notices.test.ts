// What a person who looks at something else is told of a research.
import { addCredits } from '@parley/server/billing/balances';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { exchange } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { startWeb, type FakeWeb } from '../../support/tools/fake-web.ts';
import { ALL_ON, openPage, type OpenPage } from '../notices/browsers.ts';
import { readReport, researchAsk, started } from './asks.ts';

let services: TestServices;
let web: FakeWeb;
let alice: Person;
let page: OpenPage;

beforeAll(async () => {
  web = await startWeb();
  services = await openTestServices({
    OPENAI_MODELS: 'gpt-4',
    SEARXNG_URL: web.url,
    EGRESS_ALLOWED_HOSTS: '127.0.0.1',
    TITLE_CONVO: 'false',
    CHECK_BALANCE: 'true',
    TOOL_CALLS_PER_MINUTE: '10000',
  });
  alice = await services.as('alice');
  await addCredits(services.deps.db, alice.id, 500_000_000);
  await alice.api.settings.set({ notices: ALL_ON });
});
afterEach(() => page.close());
afterAll(async () => {
  await services.close();
  await web.close();
});

const told = () => page.taken.map(({ kind, conversationId }) => ({ kind, conversationId }));

describe('a research whose person looks at something else', () => {
  it.each([
    ['its whole budget', {}],
    ['a budget that is used up at once', { budget: 1 }],
  ])('tells that its plan waits, and then that its report is ready, with %s', async (_name, over) => {
    page = openPage(services.deps, alice.id);
    const planned = await exchange(services, alice.id, researchAsk('steps=3'));
    const { conversationId } = planned.convo;
    await expect.poll(told, { timeout: 60_000 }).toEqual([{ kind: 'waiting', conversationId }]);
    const { reply } = await exchange(services, alice.id, started(planned, over));
    expect(readReport(reply)).not.toBe('');
    await expect.poll(told, { timeout: 60_000 }).toEqual([
      { kind: 'waiting', conversationId },
      { kind: 'ready', conversationId },
    ]);
  });
});
