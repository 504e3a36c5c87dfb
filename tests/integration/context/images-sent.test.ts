// The record of an answer tells which images its request carried.
import { randomUUID } from 'node:crypto';
import type { AskInput } from '@parley/schema/chat/ask';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exchange, followUp, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { keepTestFile } from '../../support/uploads.ts';

let services: TestServices;
let alice: Person;

beforeAll(async () => {
  services = await openTestServices({
    OPENAI_MODELS: 'gpt-4o,gpt-3.5-turbo',
    ANTHROPIC_API_KEY: 'fake',
    ANTHROPIC_REVERSE_PROXY: '${FAKE_PROVIDER}',
    ANTHROPIC_MODELS: 'claude-3-5-sonnet-20240620',
    TITLE_CONVO: 'false',
  });
  alice = await services.as('alice');
});
afterAll(() => services.close());

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

async function addPicture(name: string): Promise<string> {
  const { id } = await keepTestFile(services.deps, alice.id, { name, mime: 'image/png', width: 1500, height: 1000 });
  return id;
}

function asking(files: string[], over: Partial<AskInput>): AskInput {
  const text = 'What is this?';
  const target = { kind: 'send' as const, messageId: randomUUID(), parentMessageId: null, text, files };
  return question(text, { model: 'gpt-4o', ...over, target });
}
