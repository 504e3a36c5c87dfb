import type { Convo } from '@parley/schema/convos';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { tidyTitle } from '@parley/server/convos/titles';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, question } from '../../support/exchange.ts';
import { openTestRooms, type Person, type TestRooms } from '../../support/rooms.ts';

let claude: FakeProvider;
let rooms: TestRooms;
let alice: Person;

beforeAll(async () => {
  claude = await startFakeProvider();
  rooms = await openTestRooms({
    OPENAI_TITLE_MODEL: 'current_model',
    OPENAI_MODELS: 'fake:echo,gpt-4,o3-mini,gpt-5',
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_REVERSE_PROXY: claude.url,
    ANTHROPIC_MODELS: 'claude-opus-4-8,claude-sonnet-5',
  });
  alice = await rooms.as('alice');
});
afterAll(async () => {
  await rooms.close();
  await claude.close();
});

describe('a title', () => {
  it('comes after the first answer, by itself', async () => {
    const { convo } = await exchange(rooms, alice.id, question('How do lighthouses work at night?'));
    expect(convo.title).toBeNull();
    expect((await titled(convo)).title).toBeTruthy();
  });

  it('does not keep the answer waiting', async () => {
    const began = performance.now();
    const input = question('[[slow-title:4000]] Quick answer, slow title', { model: 'gpt-4' });
    const { convo } = await exchange(rooms, alice.id, input);
    expect(performance.now() - began).toBeLessThan(3900);
    expect((await alice.api.convos.byId({ conversationId: convo.conversationId })).title).toBeNull();
    await titled(convo);
  });

  it.each([
    ['openAI', 'o3-mini'],
    ['openAI', 'gpt-5'],
    ['anthropic', 'claude-opus-4-8'],
    ['anthropic', 'claude-sonnet-5'],
  ])('of %s has room for the thoughts of a model that thinks first: %s', async (endpoint, model) => {
    const asked = question('How do lighthouses work at night?', { endpoint, model });
    const { convo } = await exchange(rooms, alice.id, asked);
    expect((await titled(convo)).title).toBe('Lighthouses Work at Night');
  });

  it.each(['fail-title', 'bad-title'])('is how the question began when the model gives none: %s', async (scenario) => {
    const text = `[[${scenario}]] A question that is longer than forty characters`;
    const { convo } = await exchange(rooms, alice.id, question(text, { model: 'gpt-4' }));
    expect((await titled(convo)).title).toBe(`${text.slice(0, 40)}…`);
  });

  it('given by a person is never replaced by a model', async () => {
    const input = question('[[slow-title:500]] Mine is better', { model: 'gpt-4' });
    const { convo } = await exchange(rooms, alice.id, input);
    await alice.api.convos.rename({ conversationId: convo.conversationId, title: 'My own words' });
    await rooms.provider.waitForRequest(isTitleFor('Mine is better'), 2000);
    await new Promise((resolve) => setTimeout(resolve, 900));
    expect((await alice.api.convos.byId({ conversationId: convo.conversationId })).title).toBe('My own words');
  });

  it('does not bring a deleted conversation back', async () => {
    const input = question('[[slow-title:500]] Deleted first', { model: 'gpt-4' });
    const { convo } = await exchange(rooms, alice.id, input);
    await alice.api.convos.remove({ conversationId: convo.conversationId });
    await rooms.provider.waitForRequest(isTitleFor('Deleted first'), 2000);
    await new Promise((resolve) => setTimeout(resolve, 900));
    await expect(alice.api.convos.byId({ conversationId: convo.conversationId })).rejects.toThrow('not_found');
    expect((await alice.api.convos.list({})).convos.map((one) => one.conversationId)).not.toContain(
      convo.conversationId,
    );
  });

  it('is asked for once', async () => {
    const first = await exchange(rooms, alice.id, question('Once is enough'));
    await titled(first.convo);
    await exchange(rooms, alice.id, followUp('And again', first));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(rooms.provider.requests.filter(isTitleFor('And again'))).toEqual([]);
  });

  it('waits for an answer that is worth one', async () => {
    const failed = await exchange(rooms, alice.id, question('[[error-500]] No answer', { model: 'gpt-4' }));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(rooms.provider.requests.filter(isTitleFor('No answer'))).toEqual([]);
    const next = await exchange(rooms, alice.id, followUp('Better now', failed));
    expect((await titled(next.convo)).title).toBeTruthy();
  });

  it('is asked for in vain where there is none, and not for long', async () => {
    const began = performance.now();
    const input = question('[[slow-title:6000]] Waiting', { model: 'gpt-4' });
    const { convo } = await exchange(rooms, alice.id, input);
    const asked = alice.api.convos.title({ conversationId: convo.conversationId });
    await expect(asked).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(performance.now() - began).toBeLessThan(5000);
  });

  it('is waited for by whoever asks for it, who has it once', async () => {
    const input = question('[[slow-title:700]] Worth the wait', { model: 'gpt-4' });
    const { convo } = await exchange(rooms, alice.id, input);
    const place = { conversationId: convo.conversationId };
    const both = await Promise.allSettled([alice.api.convos.title(place), alice.api.convos.title(place)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(alice.api.convos.title(place)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is had by whoever asks in the moment in which it is given', async () => {
    // Not all together: no title may take longer than is waited for one.
    for (let round = 0; round < 5; round++) {
      const asked = Array.from({ length: 8 }, async (_, n) => {
        const { convo } = await exchange(rooms, alice.id, question(`At once ${round} ${n}`));
        await new Promise((resolve) => setTimeout(resolve, n));
        return alice.api.convos.title({ conversationId: convo.conversationId });
      });
      for (const { title } of await Promise.all(asked)) expect(title).toBeTruthy();
    }
  });

  it('is not fetched late, nor when a person gave it', async () => {
    const { convo: late } = await exchange(rooms, alice.id, question('Two minutes ago', { model: 'gpt-4' }));
    await titled(late);
    await rooms.deps.db.query.execute(
      sql`update convos set titled_at = titled_at - interval '121 seconds' where id = ${late.conversationId}`,
    );
    const { convo: own } = await exchange(rooms, alice.id, question('Named by hand', { model: 'gpt-4' }));
    await titled(own);
    await alice.api.convos.rename({ conversationId: own.conversationId, title: 'Mine' });
    for (const { conversationId } of [late, own]) {
      const began = performance.now();
      await expect(alice.api.convos.title({ conversationId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(performance.now() - began).toBeLessThan(2000);
    }
  });
});

describe('what a model says for a title', () => {
  it.each([
    ['"Boats in the Harbour"', 'Boats in the Harbour'],
    ['Title: Boats\n\nThis title is about boats.', 'Boats'],
    ['**Boats.**', 'Boats'],
    ['  «Bateaux»  ', 'Bateaux'],
    ['Bo\u0000ats \ud83d', 'Boats \ufffd'],
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
  await expect.poll(async () => (await read()).title, { timeout: 5000 }).not.toBeNull();
  return read();
}

function isTitleFor(text: string) {
  return ({ body }: { body: unknown }) => {
    const said = JSON.stringify(body ?? null);
    return said.includes(text) && said.includes('Write a title');
  };
}
