// The record of an answer tells which images its request carried.
import { randomUUID } from 'node:crypto';
import { startPluginUpstreams, type PluginUpstreams } from '@parley/scripts/fake-tools/plugin-upstreams';
import { messageToolFiles } from '@parley/schema/messages/messages';
import type { AskInput } from '@parley/schema/chat/ask';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exchange, followUp, isAskedAbout, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { keepTestFile } from '../../support/uploads.ts';

let services: TestServices;
let upstreams: PluginUpstreams;
let alice: Person;

beforeAll(async () => {
  upstreams = await startPluginUpstreams();
  services = await openTestServices({
    DALLE_API_KEY: 'dalle-key',
    DALLE_REVERSE_PROXY: `${upstreams.url}/v1`,
    OPENAI_MODELS: 'gpt-4o,gpt-3.5-turbo',
    ANTHROPIC_API_KEY: 'fake',
    ANTHROPIC_REVERSE_PROXY: '${FAKE_PROVIDER}',
    ANTHROPIC_MODELS: 'claude-3-5-sonnet-20240620',
    TITLE_CONVO: 'false',
  });
  alice = await services.as('alice');
});
afterAll(async () => {
  await services.close();
  await upstreams.close();
});

it('lists them with their size, detail and tokens, with every question that sends them', async () => {
  const [fileId, other] = [await addPicture('tree.png'), await addPicture('sea.png')];
  const first = await exchange(services, alice.id, asking([fileId, other], { settings: { imageDetail: 'low' } }));
  const size = { width: 1500, height: 1000 };
  const sent = [
    { fileId, name: 'tree.png', ...size },
    { fileId: other, name: 'sea.png', ...size },
  ];
  expect(first.reply.context?.images).toEqual(sent.map((one) => ({ ...one, detail: 'low', tokens: 85 })));
  const later = followUp('And now?', first, { model: 'gpt-4o', settings: { imageDetail: 'high' } });
  const second = await exchange(services, alice.id, later);
  expect(second.reply.context?.images).toEqual(sent.map((one) => ({ ...one, detail: 'high', tokens: 1105 })));
  const target = { ...later.target, messageId: randomUUID(), parentMessageId: first.reply.messageId, files: [fileId] };
  const twice = await exchange(services, alice.id, { ...followUp('Again', first, { model: 'gpt-4o' }), target });
  expect(twice.reply.context?.images?.map((image) => image.fileId)).toEqual([fileId, other]);
  const without = followUp('Without?', second, { model: 'gpt-4o', settings: { resendFiles: false } });
  const third = await exchange(services, alice.id, without);
  expect(third.reply.context).not.toHaveProperty('images');
});

it('has no detail where the provider knows none', async () => {
  const fileId = await addPicture('tree.png');
  const input = asking([fileId], { endpoint: 'anthropic', model: 'claude-3-5-sonnet-20240620' });
  const { reply } = await exchange(services, alice.id, input);
  expect(reply.context?.images).toEqual([{ fileId, name: 'tree.png', width: 1500, height: 1000, tokens: 2000 }]);
});

it('leaves out those that a model without vision was only told of, and those that are gone', async () => {
  const fileId = await addPicture('tree.png');
  const blind = await exchange(services, alice.id, asking([fileId], { model: 'gpt-3.5-turbo' }));
  expect(blind.reply.context).not.toHaveProperty('images');
  await alice.api.files.remove({ ids: [fileId] });
  const later = await exchange(services, alice.id, followUp('Again?', blind, { model: 'gpt-4o' }));
  expect(later.reply.context).not.toHaveProperty('images');
});

it('lists an image that a tool makes, in the answer that is written with it and in those that follow', async () => {
  const { messageId, made, convo, reply } = await makePicture('gpt-4o', 'a kite over the sea');
  const [step] = services.provider.requests.filter(isAskedAbout('a kite over the sea')).slice(-1);
  expect(JSON.stringify(step?.body)).toContain('data:image/png;base64');
  const listed = { fileId: made.fileId, name: made.name, width: 1, height: 1, detail: 'auto', tokens: 255 };
  expect(reply.context?.images).toEqual([listed]);
  expect(reply.messageId).toBe(messageId);
  const over = { model: 'gpt-4o', settings: convo.settings };
  const later = await exchange(services, alice.id, followUp('And the kite?', { convo, reply }, over));
  const [again] = services.provider.requests.filter(isAskedAbout('And the kite?'));
  expect([JSON.stringify(again?.body).includes('data:image/png;base64'), later.reply.context?.images]).toEqual([
    true,
    [listed],
  ]);
});

it('lists no image of an earlier step where no tool can be offered, so that no steps are sent', async () => {
  const { convo, reply } = await makePicture('gpt-4o', 'a kite at noon');
  const over = { model: 'gpt-4o', settings: { ...convo.settings, tools: ['serpapi'] } };
  const later = await exchange(services, alice.id, followUp('What is at noon there?', { convo, reply }, over));
  const [sent] = services.provider.requests.filter(isAskedAbout('What is at noon there?'));
  expect(JSON.stringify(sent?.body)).not.toContain('data:image/png;base64');
  expect(later.reply.context).not.toHaveProperty('images');
});

it('lists no image of a tool that the model was not shown', async () => {
  const { reply } = await makePicture('gpt-3.5-turbo', 'a kite in the dark');
  expect(reply.context).not.toHaveProperty('images');
});

/** An image that the model asks a tool for, which its person allows; the model answers with it in view. */
async function makePicture(model: string, prompt: string) {
  const settings = { tools: ['dalle'] };
  const words = `Draw [[call-tool:dalle ${JSON.stringify({ prompt })}]]`;
  const { convo, reply: waiting } = await exchange(services, alice.id, question(words, { model, settings }));
  const { messageId } = waiting;
  const allowed = await exchange(services, alice.id, {
    ...question('', { model, settings: convo.settings }),
    conversationId: convo.conversationId,
    replyId: messageId,
    target: { kind: 'resume', messageId, decisions: { '0:0': 'allow' } },
  });
  const [made] = messageToolFiles(allowed.reply);
  if (!made) throw new Error('The tool made no picture');
  return { messageId, made, ...allowed };
}

async function addPicture(name: string): Promise<string> {
  const { id } = await keepTestFile(services.deps, alice.id, { name, mime: 'image/png', width: 1500, height: 1000 });
  return id;
}

function asking(files: string[], over: Partial<AskInput>): AskInput {
  const text = 'What is this?';
  const target = { kind: 'send' as const, messageId: randomUUID(), parentMessageId: null, text, files };
  return question(text, { model: 'gpt-4o', ...over, target });
}
