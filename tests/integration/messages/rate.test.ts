import { describe, expect, it } from 'vitest';
import { exchange, followUp, question } from '../../support/exchange.ts';
import { withServices } from '../../support/services.ts';

const given = withServices();

describe('thumbs', () => {
  it('are kept with the answer until they are taken back, and make other browsers read it again', async () => {
    const { reply, convo } = await exchange(given.services, given.alice.id, question('One'));
    const { conversationId } = convo;
    const ref = { conversationId, messageId: reply.messageId };
    expect(reply).not.toHaveProperty('rating');
    const rated = await given.alice.api.messages.rate({ ...ref, rating: -1 });
    expect(rated).toMatchObject({ rating: -1, parts: reply.parts, isEdited: false, usage: reply.usage });
    const { messagesSeq, outline } = await given.alice.api.messages.open({ conversationId });
    expect(messagesSeq).toBeGreaterThan(convo.messagesSeq);
    expect(outline.versions.at(-1)).toBeGreaterThan(Date.parse(reply.updatedAt));
    expect(await bodyOf(ref)).toMatchObject({ rating: -1 });
    await given.alice.api.messages.rate({ ...ref, rating: 1 });
    const { conversationId: copy } = await given.alice.api.convos.fork({ ...ref, forkId: crypto.randomUUID() });
    expect((await given.alice.api.messages.list({ conversationId: copy })).at(-1)).toMatchObject({ rating: 1 });
    await given.alice.api.messages.rate({ ...ref, rating: null });
    expect(await bodyOf(ref)).not.toHaveProperty('rating');
  });

  it('are for the own answers, once they are written', async () => {
    const first = await exchange(given.services, given.alice.id, question('One'));
    const { conversationId } = first.convo;
    const { rate } = given.alice.api.messages;
    await expect(rate({ conversationId, messageId: first.request.messageId, rating: 1 })).rejects.toThrow('conflict');
    const bob = await given.services.as('bob');
    const foreign = bob.api.messages.rate({ conversationId, messageId: first.reply.messageId, rating: 1 });
    await expect(foreign).rejects.toThrow('not_found');
    const input = followUp('Go on', first, { model: 'fake:never-ending' });
    await given.alice.api.messages.ask(input);
    await expect(rate({ conversationId, messageId: input.replyId, rating: 1 })).rejects.toThrow('conflict');
    await given.alice.api.messages.abort({ generationId: input.generationId });
  });
});

it('what the answers of a chat have taken is summed by model, for its owner', async () => {
  const first = await exchange(given.services, given.alice.id, question('One'));
  const second = await exchange(given.services, given.alice.id, followUp('Two', first));
  const { conversationId } = first.convo;
  const output = [first, second].reduce((sum, { reply }) => sum + (reply.usage?.output ?? 0), 0);
  const [total, ...others] = await given.alice.api.messages.total({ conversationId });
  expect(total).toMatchObject({ endpointType: 'openAI', model: 'fake:echo', rates: null, output });
  expect(total?.input).toBeGreaterThan(0);
  expect(others).toEqual([]);
  const bob = await given.services.as('bob');
  await expect(bob.api.messages.total({ conversationId })).rejects.toThrow('not_found');
});

async function bodyOf({ conversationId, messageId }: { conversationId: string; messageId: string }) {
  const [body] = await given.alice.api.messages.bodies({ conversationId, messageIds: [messageId] });
  return body;
}
