// Instructions for all chats reach the model before those of the folder, the assistant and the chat, and nobody else's.
import { randomUUID } from 'node:crypto';
import { PERSONAL_TEXT_MAX } from '@parley/schema/settings/interface';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, isAskedAbout, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

const PERSONAL = { about: 'I keep bees.', style: 'Be brief.' };
const SENT = String.raw`## About the person who asks\n\nI keep bees.\n\n## How to answer\n\nBe brief.`;

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices({ OPENAI_MODELS: `fake:echo,${SMALL}` });
  alice = await services.as('alice');
  bob = await services.as('bob');
  await alice.api.settings.set({ personal: PERSONAL });
});
afterAll(() => services.close());

describe('what a person writes for all chats', () => {
  it('instructions for all chats stand in the settings of the account, and null takes them away', async () => {
    const dave = await services.as('dave');
    const stored = { ...PERSONAL, isOn: { about: true, style: true }, exceptEndpoints: [] };
    expect(await dave.api.settings.set({ personal: PERSONAL })).toMatchObject({ personal: stored });
    expect(await dave.api.settings.list()).toMatchObject({ personal: stored });
    expect(await bob.api.settings.list()).not.toHaveProperty('personal');
    await dave.api.settings.set({ personal: { ...PERSONAL, isOn: false } });
    expect(await dave.api.settings.list()).toMatchObject({ personal: { isOn: { about: false, style: false } } });
    expect(await dave.api.settings.set({ personal: null })).not.toHaveProperty('personal');
  });

  it('instructions for all chats that are longer than the limit are refused, and those before them stay', async () => {
    const personal = { about: 'x'.repeat(PERSONAL_TEXT_MAX + 1) };
    await expect(alice.api.settings.set({ personal })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await alice.api.settings.list()).toMatchObject({ personal: PERSONAL });
  });

  it('instructions for all chats go with every question of their person, and with nobody else’s', async () => {
    const first = await exchange(services, alice.id, question('Hives'));
    expect(await sentWith('Hives')).toContain(SENT);
    expect(first.reply.context).toMatchObject({ personal: 'whole' });
    expect(first.convo.settings).toEqual({});
    await exchange(services, alice.id, followUp('Swarms', first));
    expect(await sentWith('Swarms')).toContain(SENT);
    const his = await exchange(services, bob.id, question('Wasps'));
    expect(await sentWith('Wasps')).not.toContain('bees');
    expect(his.reply.context).not.toHaveProperty('personal');
  });

  it('instructions for all chats go with a question that is written in a transaction as well', async () => {
    const asked = await exchange(services, alice.id, question('Drones'));
    const target = { kind: 'regenerate' as const, parentMessageId: asked.request.messageId };
    const ids = { generationId: randomUUID(), replyId: randomUUID() };
    await exchange(services, alice.id, {
      ...question('Drones'),
      ...ids,
      conversationId: asked.convo.conversationId,
      target,
    });
    const bodies = services.provider.requests.filter(isAskedAbout('Drones')).map(({ body }) => JSON.stringify(body));
    expect(bodies).toHaveLength(2);
    for (const body of bodies) expect(body).toContain(SENT);
  });

  it('instructions for all chats stand before those of the folder and of the chat, each under its heading', async () => {
    const folder = await alice.api.folders.create({ id: randomUUID(), name: 'Honey', instructions: 'Metric units.' });
    const settings = { promptPrefix: 'Rhyme.' };
    await exchange(services, alice.id, question('Jars', { settings, folderId: folder.id }));
    expect(await sentWith('Jars')).toContain(
      String.raw`${SENT}\n\n## Instructions of the folder\n\nMetric units.\n\n## Instructions of this chat\n\nRhyme.`,
    );
  });

  it('instructions for all chats stand before those of an assistant, and reach another person’s only if its owner lets it know who asks', async () => {
    const own = { endpoint: 'openAI', model: 'fake:echo', name: 'Poet', instructions: 'Rhyme.' };
    const { assistantId } = await bob.api.assistants.create({ ...own, isShared: true });
    const asked = (text: string) =>
      exchange(services, alice.id, question(text, { endpoint: 'assistants', settings: { assistant_id: assistantId } }));
    await asked('Brood');
    expect(await sentWith('Brood')).toContain('Rhyme.');
    expect(await sentWith('Brood')).not.toContain('bees');
    await bob.api.assistants.update({ assistantId, knowsAsker: true });
    await asked('Larvae');
    expect(await sentWith('Larvae')).toContain(String.raw`${SENT}\n\n## Instructions of the assistant\n\nRhyme.`);
    await alice.api.settings.set({ personal: { ...PERSONAL, exceptEndpoints: ['openAI'] } });
    await asked('Eggs');
    expect(await sentWith('Eggs')).not.toContain('bees');
    await alice.api.settings.set({ personal: PERSONAL });
  });

  it('instructions for all chats are off for a chat that says so, and for a temporary one that does not ask for them', async () => {
    await exchange(services, alice.id, question('Smoke', { settings: { personal: false } }));
    expect(await sentWith('Smoke')).not.toContain('bees');
    await exchange(services, alice.id, question('Frames', { isTemporary: true }));
    expect(await sentWith('Frames')).not.toContain('bees');
    await exchange(services, alice.id, question('Veils', { isTemporary: true, settings: { personal: true } }));
    expect(await sentWith('Veils')).toContain(SENT);
  });

  it('instructions for all chats are sent one by one as switched, and not to an endpoint that is excepted', async () => {
    const carol = await services.as('carol');
    await carol.api.settings.set({ personal: { ...PERSONAL, isOn: { about: false, style: true } } });
    await exchange(services, carol.id, question('Pollen'));
    expect(await sentWith('Pollen')).toContain('Be brief.');
    expect(await sentWith('Pollen')).not.toContain('bees');
    await carol.api.settings.set({ personal: { ...PERSONAL, exceptEndpoints: ['openAI'] } });
    await exchange(services, carol.id, question('Nectar'));
    expect(await sentWith('Nectar')).not.toContain('Be brief.');
  });

  it('instructions for all chats are cut where the question does not fit beside them, and the record says so', async () => {
    const erin = await services.as('erin');
    const about = 'I keep bees in a garden behind the old mill. '.repeat(88).slice(0, PERSONAL_TEXT_MAX);
    await erin.api.settings.set({ personal: { about, style: about } });
    // Of 4,096 tokens, the question takes most.
    const long = `Combs ${'honey '.repeat(2_000)}`;
    const { reply } = await exchange(services, erin.id, question(long, { model: SMALL }));
    expect(reply.reason).toBeNull();
    expect(reply.context).toMatchObject({ personal: 'cut' });
    expect(await sentWith('Combs')).toContain('I keep bees in a garden');
    const longer = `Stings ${'honey '.repeat(3_040)}`;
    const full = await exchange(services, erin.id, question(longer, { model: SMALL }));
    expect(full.reply).toMatchObject({ reason: null, context: { personal: 'none' } });
  });

  it('instructions for all chats count in the budget of a question before it is sent', async () => {
    const place = { conversationId: randomUUID(), parentMessageId: null, endpoint: 'openAI', text: 'Queens' };
    const told = ({ api }: Person) => api.messages.budget({ ...place, model: SMALL, settings: {} });
    expect(await told(bob)).toMatchObject({ instructions: 0 });
    expect((await told(alice)).instructions).toBeGreaterThan(0);
    const folder = await bob.api.folders.create({ id: randomUUID(), name: 'Wax', instructions: 'Metric units.' });
    const { convo, reply } = await exchange(services, bob.id, question('Candles', { folderId: folder.id }));
    const below = { conversationId: convo.conversationId, parentMessageId: reply.messageId };
    expect((await bob.api.messages.budget({ ...place, ...below, settings: {} })).instructions).toBeGreaterThan(0);
  });
});

const SMALL = 'gpt-3.5-turbo-0301';

async function sentWith(text: string): Promise<string> {
  return JSON.stringify(services.provider.requests.find(isAskedAbout(text))?.body);
}
