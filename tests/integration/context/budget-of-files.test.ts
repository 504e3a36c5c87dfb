// The token budget of a question with files, previewed before it is sent.
import { randomUUID } from 'node:crypto';
import type { AskInput } from '@parley/schema/chat/ask';
import type { Budget } from '@parley/schema/chat/budget';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { lines, makePdfPages } from '../../support/retrieval/documents.ts';
import { awaitState } from '../../support/retrieval/stored-files.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { keepTestFile } from '../../support/uploads.ts';

const SMALL = 'gpt-3.5-turbo-0301';

let services: TestServices;
let alice: Person;

beforeAll(async () => {
  services = await openTestServices({ OPENAI_MODELS: `${SMALL},gpt-4o,gpt-4-vision-preview` });
  alice = await services.as('alice');
});
afterAll(() => services.close());

describe('the files of a question', () => {
  const VISION = 'gpt-4o';
  const ask = (text: string, files: string[], over: Partial<AskInput> = {}) =>
    question('', { ...over, target: { kind: 'send', messageId: randomUUID(), parentMessageId: null, text, files } });

  it('count in the budget as the answer then records them', async () => {
    const image = await addFile({ name: 'tree.png', mime: 'image/png', width: 1024, height: 1024 });
    const notes = await addFile({ name: 'notes.txt', text: 'word '.repeat(400) });
    const other = await addFile({ name: 'a.pdf', mime: 'application/pdf' });
    const alone = await told(ask('What is it?', [], { model: VISION }));
    const withImage = await told(ask('What is it?', [image], { model: VISION }));
    expect(withImage.question - alone.question).toBe(85 + 170 * 4);
    const all = ask('What is it?', [image, other], { model: VISION });
    // Once it is known that the document has no text, its name is all that is sent.
    await exchange(services, alice.id, ask('Read it', [other], { model: VISION }));
    const { context } = (await exchange(services, alice.id, all)).reply;
    const { window, included, omitted, instructions, question: tokens } = await told(all);
    expect(context).toMatchObject({ window, included, omitted, instructions, tokens });
    // Of a text file its size is known at first, and its tokens once it is indexed: 400 words are about as many.
    const read = await told(ask('What is it?', [notes], { model: VISION }));
    expect(read.question - alone.question).toBeGreaterThanOrEqual(400);
    expect(read.question - alone.question).toBeLessThan(700);
  });

  it('count by their pages as PDFs that are sent as files', async () => {
    const text = makePdfPages([lines(['One.', 700]), lines(['Two.', 700])]);
    const pdf = await addFile({ name: 'a.pdf', mime: 'application/pdf', text });
    services.deps.retrieval.wake();
    await awaitState(services, pdf, 'ready');
    const alone = await told(ask('What is it?', [], { model: VISION }));
    const sent = ask('What is it?', [pdf], { model: VISION, settings: { pdfAsFile: true } });
    const { question: tokens } = await told(sent);
    expect(tokens - alone.question).toBe(2 * 1600);
    const { context } = (await exchange(services, alice.id, sent)).reply;
    expect(context).toMatchObject({ tokens, files: [{ fileId: pdf, name: 'a.pdf', shown: 'whole' }] });
  });

  it('count the knowledge of an assistant, and of another’s what a search may find in it', async () => {
    const words = 'word '.repeat(400);
    const fileId = await addFile({ name: 'guide.txt', text: words });
    services.deps.retrieval.wake();
    await awaitState(services, fileId, 'ready');
    const given = { model: VISION, endpoint: 'openAI', isShared: true };
    const { assistantId } = await alice.api.assistants.create(given);
    const asked = { endpoint: 'assistants', model: null, settings: { assistant_id: assistantId } };
    const without = await told(ask('What is it?', [], asked));
    await alice.api.assistants.update({ assistantId, fileIds: [fileId], tools: [{ type: 'retrieval' }] });
    const own = ask('What is it?', [], asked);
    const { question: tokens } = await told(own);
    expect(tokens - without.question).toBeGreaterThanOrEqual(400);
    expect(tokens - without.question).toBeLessThan(700);
    const bob = await services.as('bob');
    const lent = await told(own, bob);
    expect(lent.question - without.question).toBeGreaterThanOrEqual(400);
    expect(lent.question - without.question).toBeLessThan(700);
  });

  it('are all of it without a text', async () => {
    const image = await addFile({ name: 'tree.png', mime: 'image/png', width: 512, height: 512 });
    expect((await told(ask('', [image], { model: VISION }))).question).toBeGreaterThanOrEqual(85 + 170);
    await expect(told(ask('', [], { model: VISION }))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('are counted for the model that will see them', async () => {
    const image = await addFile({ name: 'tree.png', mime: 'image/png', width: 512, height: 512 });
    const blind = await told(ask('What is it?', [], { model: SMALL }));
    const seeing = await told(ask('What is it?', [image], { model: SMALL }));
    expect([blind.window, seeing.window]).toEqual([4092, 127_990]);
  });

  it('count nothing when they are gone or somebody else’s', async () => {
    const bob = await services.as('bob');
    const his = await addFile({ name: 'tree.png', mime: 'image/png', width: 512, height: 512 }, bob);
    const alone = await told(ask('What is it?', [], { model: VISION }));
    expect(await told(ask('What is it?', [his, randomUUID()], { model: VISION }))).toEqual(alone);
  });
});

async function addFile(file: Parameters<typeof keepTestFile>[2], { id }: Pick<Person, 'id'> = alice): Promise<string> {
  return (await keepTestFile(services.deps, id, file)).id;
}

function told({ conversationId, endpoint, model, settings, target }: AskInput, by: Person = alice): Promise<Budget> {
  if (target.kind !== 'send') throw new Error('Only a question has a budget');
  const { parentMessageId, text, files } = target;
  return by.api.messages.budget({ conversationId, parentMessageId, endpoint, model, settings, text, files });
}
