import type { Convo } from '@parley/schema/convos';
import { tidyTitle } from '@parley/server/convos/titles';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, question } from '../../support/exchange.ts';
import { openTestRooms, type Person, type TestRooms } from '../../support/rooms.ts';

let rooms: TestRooms;
let alice: Person;

beforeAll(async () => {
  rooms = await openTestRooms({
    OPENAI_TITLE_MODEL: 'current_model',
    OPENAI_MODELS: 'fake:echo,gpt-4,o3-mini,gpt-5',
  });
  alice = await rooms.as('alice');
});
afterAll(() => rooms.close());

describe('a title', () => {
  it('comes after the first answer, by itself', async () => {
    const { convo } = await exchange(rooms, alice.id, question('How do lighthouses work at night?'));
    expect(convo.title).toBeNull();
    expect((await titled(convo)).title).toBeTruthy();
  });

  it('does not keep the answer waiting', async () => {
    const began = performance.now();
    const input = question('[[slow-title:1500]] Quick answer, slow title', { model: 'gpt-4' });
    const { convo } = await exchange(rooms, alice.id, input);
    expect(performance.now() - began).toBeLessThan(1400);
    expect((await alice.api.convos.byId({ conversationId: convo.conversationId })).title).toBeNull();
    await titled(convo);
  });

  it.each(['o3-mini', 'gpt-5'])('of a model that thinks first has room for the thoughts: %s', async (model) => {
    const { convo } = await exchange(rooms, alice.id, question('How do lighthouses work at night?', { model }));
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

  it('is waited for by whoever asks for it', async () => {
    const input = question('[[slow-title:700]] Worth the wait', { model: 'gpt-4' });
    const { convo } = await exchange(rooms, alice.id, input);
    const { title } = await alice.api.convos.title({ conversationId: convo.conversationId });
    expect(title).toBeTruthy();
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
