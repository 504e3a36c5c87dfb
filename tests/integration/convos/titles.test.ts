import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Convo } from '@parley/schema/convos/convos';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { createBilling } from '@parley/server/billing/billing';
import { createBudgets } from '@parley/server/billing/budgets/budgets';
import { tidyTitle } from '@parley/server/convos/tidy-title';
import { giveMissingTitles } from '@parley/server/convos/fallback-titles';
import { createTitles } from '@parley/server/convos/titles';
import { waitForTitle } from '@parley/server/convos/wait-for-title';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let claude: FakeProvider;
let services: TestServices;
let alice: Person;

beforeAll(async () => {
  claude = await startFakeProvider();
  services = await openTestServices({
    OPENAI_TITLE_MODEL: 'current_model',
    OPENAI_MODELS: 'fake:echo,gpt-4,o3-mini,gpt-5',
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_REVERSE_PROXY: claude.url,
    ANTHROPIC_MODELS: 'claude-opus-4-8,claude-sonnet-5',
  });
  alice = await services.as('alice');
});
afterAll(async () => {
  await services.close();
  await claude.close();
});

describe('a title', () => {
  it('is made after the first answer', async () => {
    const { convo } = await exchange(services, alice.id, question('How do lighthouses work at night?'));
    expect(convo.title).toBeNull();
    expect((await titled(convo)).title).toBeTruthy();
  });

  it('does not delay the answer', async () => {
    const input = question('[[slow-title:4000]] Quick answer, slow title', { model: 'gpt-4' });
    const { convo } = await exchange(services, alice.id, input);
    expect((await alice.api.convos.byId({ conversationId: convo.conversationId })).title).toBeNull();
  });

  it.each([
    ['openAI', 'o3-mini'],
    ['openAI', 'gpt-5'],
    ['anthropic', 'claude-opus-4-8'],
    ['anthropic', 'claude-sonnet-5'],
  ])('of %s has enough tokens for a reasoning model: %s', async (endpoint, model) => {
    const asked = question('How do lighthouses work at night?', { endpoint, model });
    const { convo } = await exchange(services, alice.id, asked);
    expect((await titled(convo)).title).toBe('Lighthouses Work at Night');
  });

  it.each(['fail-title', 'bad-title'])(
    'is the start of the question when the model gives none: %s',
    async (scenario) => {
      const text = `[[${scenario}]] A question that is longer than forty characters`;
      const { convo } = await exchange(services, alice.id, question(text, { model: 'gpt-4' }));
      expect((await titled(convo)).title).toBe(`${text.slice(0, 40)}…`);
    },
  );

  it('given by the user is never replaced by a model', async () => {
    const input = question('[[slow-title:300]] Mine is better', { model: 'gpt-4' });
    const { convo } = await exchange(services, alice.id, input);
    await alice.api.convos.rename({ conversationId: convo.conversationId, title: 'My own words' });
    await services.provider.waitForRequest(isTitleFor('Mine is better'));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await alice.api.convos.byId({ conversationId: convo.conversationId })).title).toBe('My own words');
  });

  it('does not restore a deleted conversation', async () => {
    const input = question('[[slow-title:300]] Deleted first', { model: 'gpt-4' });
    const { convo } = await exchange(services, alice.id, input);
    await alice.api.convos.remove({ conversationId: convo.conversationId });
    await services.provider.waitForRequest(isTitleFor('Deleted first'));
    await new Promise((resolve) => setTimeout(resolve, 500));
    await expect(alice.api.convos.byId({ conversationId: convo.conversationId })).rejects.toThrow('not_found');
    expect((await alice.api.convos.list({})).convos.map((one) => one.conversationId)).not.toContain(
      convo.conversationId,
    );
  });

  it('is requested once', async () => {
    const first = await exchange(services, alice.id, question('Once is enough'));
    await titled(first.convo);
    await exchange(services, alice.id, followUp('And again', first));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(services.provider.requests.filter(isTitleFor('And again'))).toEqual([]);
  });

  it('waits for an answer with text', async () => {
    const failed = await exchange(services, alice.id, question('[[error-500]] No answer', { model: 'gpt-4' }));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(services.provider.requests.filter(isTitleFor('No answer'))).toEqual([]);
    const next = await exchange(services, alice.id, followUp('Better now', failed));
    expect((await titled(next.convo)).title).toBeTruthy();
  });

  it('is not waited for long when a conversation has no answer', async () => {
    const input = question('[[slow-title:6000]] Waiting', { model: 'gpt-4' });
    const { convo } = await exchange(services, alice.id, input);
    const deps = { ...services.deps, timings: { ...services.deps.timings, titleWaitMs: 50 } };
    const asked = waitForTitle(deps, alice.id, convo.conversationId);
    await expect(asked).rejects.toMatchObject({ reason: { type: 'not_found', what: 'title' } });
    expect((await alice.api.convos.byId({ conversationId: convo.conversationId })).title).toBeNull();
  });

  it('reaches its reader once, after waiting', async () => {
    const input = question('[[slow-title:700]] Worth the wait', { model: 'gpt-4' });
    const { convo } = await exchange(services, alice.id, input);
    const convoRef = { conversationId: convo.conversationId };
    const both = await Promise.allSettled([alice.api.convos.title(convoRef), alice.api.convos.title(convoRef)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(alice.api.convos.title(convoRef)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('reaches a reader that asks at the moment it is saved', async () => {
    for (let round = 0; round < 5; round++) {
      const asked = Array.from({ length: 8 }, async (_, n) => {
        const { convo } = await exchange(services, alice.id, question(`At once ${round} ${n}`));
        await new Promise((resolve) => setTimeout(resolve, n));
        return titleOnceThere(convo.conversationId);
      });
      for (const title of await Promise.all(asked)) expect(title).toBeTruthy();
    }

    /** Anyone who has waited in vain may ask again; in vain for a title that was there is what must not happen. */
    async function titleOnceThere(conversationId: string): Promise<string> {
      for (;;) {
        const { title } = await alice.api.convos.byId({ conversationId });
        const answer = await alice.api.convos.title({ conversationId }).catch(() => null);
        if (answer) return answer.title;
        expect(title).toBeNull();
      }
    }
  });

  it('is not returned long afterward, nor when the user gave it', async () => {
    const { convo: late } = await exchange(services, alice.id, question('Two minutes ago', { model: 'gpt-4' }));
    await titled(late);
    await services.deps.db.query.execute(
      sql`update convos set titled_at = titled_at - interval '121 seconds' where id = ${late.conversationId}`,
    );
    const { convo: own } = await exchange(services, alice.id, question('Named by hand', { model: 'gpt-4' }));
    await titled(own);
    await alice.api.convos.rename({ conversationId: own.conversationId, title: 'Mine' });
    for (const { conversationId } of [late, own]) {
      await expect(alice.api.convos.title({ conversationId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});

describe('many titles', () => {
  it.each([
    ['sixteen at a time', 50, 16],
    ['two at a time while more than fifty answers are written', 51, 2],
  ])('are asked for %s', async (_name, running, atOnce) => {
    const ended = await exchange(services, alice.id, question('A question with many titles'));
    const waiting: (() => void)[] = [];
    let asked = 0;
    const title = () => (asked++, new Promise<string>((resolve) => waiting.push(() => resolve('A title'))));
    const { deps } = services;
    const endpoint = { ...deps.endpoints.assert('openAI'), title };
    const titles = createTitles({
      ...deps,
      billing: createBilling(deps.db, false, createBudgets(deps.db)),
      running: () => running,
    });
    for (let n = 0; n < 20; n++) titles.give(alice.id, ended, endpoint);
    await expect.poll(() => asked).toBe(atOnce);
    while (asked < 20 || waiting.length > 0) {
      expect(waiting.length).toBeLessThanOrEqual(atOnce);
      waiting.shift()?.();
      await nextTurn();
    }
    await titles.close();
  });
});

describe('a server that stops', () => {
  /** A provider that never gives a title. */
  const silent = () => new Promise<string>(() => {});

  it('gives a crowd of untitled conversations the start of their questions, each with a change number of its own', async () => {
    const { deps } = services;
    const bob = await services.as('bob');
    const endpoint = { ...deps.endpoints.assert('openAI'), title: silent };
    const titles = createTitles({
      ...deps,
      billing: createBilling(deps.db, false, createBudgets(deps.db)),
      running: () => 51,
    });
    const ended: { userId: string; conversationId: string }[] = [];
    const give = async (person: Person, text: string) => {
      const asked = await exchange(
        services,
        person.id,
        question(text, { endpoint: 'anthropic', model: 'claude-opus-4-8' }),
      );
      await untitle(asked.convo);
      ended.push({ userId: person.id, conversationId: asked.convo.conversationId });
      titles.give(person.id, asked, endpoint);
    };
    for (let n = 0; n < 12; n++) await give(n % 3 === 0 ? bob : alice, `Question ${n} of a crowd`);
    const [, , , renamed, removed] = ended;
    await alice.api.convos.remove({ conversationId: String(removed?.conversationId) });
    await bob.api.convos.rename({ conversationId: String(renamed?.conversationId), title: 'My own title' });
    const changed = bob.api.convos.byId({ conversationId: String(ended[9]?.conversationId) });
    expect((await changed).title).toBeNull();
    // Two of them were being asked for.
    await titles.close();
    const rows = await deps.db.sql<{ title: string; user_id: string; change_seq: number }[]>`
      select title, user_id, change_seq from convos where id = any(${ended.map((one) => one.conversationId)}::uuid[])
        and deleted_at is null order by title`;
    const expected = [0, 1, 2, 5, 6, 7, 8, 9, 10, 11].map((n) => `Question ${n} of a crowd`);
    expect(rows.map(({ title }) => title)).toEqual(['My own title', ...expected].toSorted());
    expect(new Set(rows.map((row) => `${row.user_id} ${row.change_seq}`)).size).toBe(rows.length);
    const [counter] = await deps.db.sql<{ change_seq: number }[]>`select change_seq from users where id = ${alice.id}`;
    const latest = Math.max(...rows.filter((row) => row.user_id === alice.id).map((row) => row.change_seq));
    expect(latest).toBeLessThanOrEqual(counter?.change_seq ?? 0);
  });

  it('leaves titles for the next one to give, but where none are wanted', async () => {
    const { db, endpoints } = services.deps;
    const { convo } = await exchange(services, alice.id, question('  Left by\nits server  '));
    await untitle(convo);
    const listed = endpoints.list();
    const untitledHere = listed.map((one) => ({ ...one, titles: { ...one.titles, enabled: false } }));
    expect(await giveMissingTitles(db, untitledHere)).toBe(0);
    expect(await giveMissingTitles(db, listed)).toBeGreaterThan(0);
    expect((await alice.api.convos.byId({ conversationId: convo.conversationId })).title).toBe('Left by its server');
    expect(await giveMissingTitles(db, listed)).toBe(0);
  });

  async function untitle({ conversationId }: Convo): Promise<void> {
    const { sql: query } = services.deps.db;
    await expect
      .poll(() => query`select 1 from convos where id = ${conversationId} and title is not null`)
      .toHaveLength(1);
    await query`update convos set title = null, titled_by = null where id = ${conversationId}`;
  }
});

describe('renaming', () => {
  it('counts as an update: the conversation moves to the top', async () => {
    const { convo: older } = await exchange(services, alice.id, question('Soon renamed', { model: 'gpt-4' }));
    const { convo: newer } = await exchange(services, alice.id, question('Not renamed', { model: 'gpt-4' }));
    const before = await titled(older);
    await titled(newer);
    const renamed = await alice.api.convos.rename({ conversationId: older.conversationId, title: 'On top' });
    expect(Date.parse(renamed.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    const [first] = (await alice.api.convos.list({})).convos;
    expect(first?.conversationId).toBe(older.conversationId);
  });
});

describe('a title from a model', () => {
  it.each([
    ['"Boats in the Harbour"', 'Boats in the Harbour'],
    ['Title: Boats\n\nThis title is about boats.', 'Boats'],
    ['**Boats.**', 'Boats'],
    ['  «Bateaux»  ', 'Bateaux'],
    ['**Boats** in the Harbour', 'Boats in the Harbour'],
    ['Boats in the **Old** Harbour', 'Boats in the Old Harbour'],
    ['## Boats and *Gulls*, _Terns_ and __Old Harbours__', 'Boats and Gulls, Terns and Old Harbours'],
    ['The `sort` of ~~All~~ [Boats](https://example.com/a)', 'The sort of All Boats'],
    ['Why 2**8 * 3 is not snake_case_name or __init__', 'Why 2**8 * 3 is not snake_case_name or __init__'],
    ['Bo\u0000ats \ud83d', 'Boats \ufffd'],
    ['<think>\nA title.\n</think>\n\nBudget Plan', 'Budget Plan'],
    ['The user wants a title.\n</think>\nBudget Plan', 'Budget Plan'],
    [`<thinking>${'Hm. '.repeat(500)}</thinking>Budget Plan`, 'Budget Plan'],
    ['<think>Only a thought', ''],
    ['{"title": "Budget Plan"}', 'Budget Plan'],
    ['{ "title" : "The \\"Old\\" Harbour" }', 'The "Old" Harbour'],
    ['```json\n{"title":"Budget Plan"}\n```', 'Budget Plan'],
    ['Here it is: {"title":"Budget Plan"}', 'Budget Plan'],
    ['```\nBudget Plan\n```', 'Budget Plan'],
    ['**Title:** Budget Plan', 'Budget Plan'],
    ['# Title: Budget Plan', 'Budget Plan'],
    ['**Title: Budget Plan**', 'Budget Plan'],
    ['Titel: Der Haushalt', 'Der Haushalt'],
    ['标题：预算计划', '预算计划'],
    ["Here's a title for the conversation:\n\n**Budget Plan**", 'Budget Plan'],
    ['<title>Budget Plan</title>', 'Budget Plan'],
    ['Budget: A Plan', 'Budget: A Plan'],
    ['{"subject": 1', ''],
    ['<!DOCTYPE html>', ''],
    ['', ''],
    ['""', ''],
    ['x'.repeat(300), ''],
  ])('%j becomes %j', (said, title) => {
    expect(tidyTitle(said)).toBe(title);
  });
});

async function titled({ conversationId }: Convo): Promise<Convo> {
  const read = () => alice.api.convos.byId({ conversationId });
  await expect.poll(async () => (await read()).title).not.toBeNull();
  return read();
}

function isTitleFor(text: string) {
  return ({ body }: { body: unknown }) => {
    const said = JSON.stringify(body ?? null);
    return said.includes(text) && said.includes('Write a title');
  };
}
