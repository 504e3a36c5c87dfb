// What a model is told when an assistant answers.
import { randomUUID } from 'node:crypto';
import type { AskInput } from '@parley/schema/chat/ask';
import { assistants } from '@parley/db/tables/assistants';
import type { CreateAssistant } from '@parley/schema/assistants/assistant-inputs';
import { messageText } from '@parley/schema/messages/messages';
import { assertAssistant } from '@parley/server/assistants/assistants';
import { findChosenTools } from '@parley/server/assistants/chosen-tools';
import { assistantRules } from '@parley/server/assistants/rules';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, isAskedAbout, question } from '../../support/exchange.ts';
import { addFile } from '../../support/retrieval/stored-files.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices({
    OPENAI_MODELS: 'fake:echo',
    ASSISTANTS_API_KEY: 'key-of-assistants',
    ASSISTANTS_BASE_URL: '${FAKE_PROVIDER}/v1',
    ASSISTANTS_MODELS: 'fake:echo,fake:plain',
    ANTHROPIC_API_KEY: 'fake',
    ANTHROPIC_REVERSE_PROXY: '${FAKE_PROVIDER}',
    ANTHROPIC_MODELS: 'claude-2.0',
  });
  alice = await services.as('alice');
  bob = await services.as('bob');
});
afterAll(() => services.close());

describe('an assistant answers', () => {
  it('by its own model and instructions, under its name', async () => {
    const assistantId = await create({ name: 'Poet', instructions: 'Answer in verse.' });
    const text = `Who are you? ${randomUUID()}`;
    const { reply, convo } = await exchange(services, alice.id, asking(text, assistantId));
    expect(messageText(reply)).toBe(text);
    expect(reply).toMatchObject({ sender: 'Poet', endpoint: 'assistants', model: 'fake:echo' });
    expect(reply.context).toMatchObject({ assistantId, instructions: expect.any(Number) });
    expect(reply.context?.instructions).toBeGreaterThan(0);
    expect(convo).toMatchObject({ endpoint: 'assistants', settings: { assistant_id: assistantId } });
    const body = await sentAbout(text);
    expect(instructionsIn(body)).toEqual(['Instructions:\nAnswer in verse.']);
    expect(body).not.toHaveProperty('assistant_id');
    expect(body).not.toHaveProperty('instructions');
  });

  it('with additional instructions after its own', async () => {
    const assistantId = await create({ instructions: 'Answer in verse.' });
    const text = `And? ${randomUUID()}`;
    await exchange(services, alice.id, asking(text, assistantId, { promptPrefix: 'Be brief.' }));
    expect(instructionsIn(await sentAbout(text))).toEqual(['Instructions:\nAnswer in verse.\n\nBe brief.']);
  });

  it('with the instructions of the conversation in place of its own', async () => {
    const assistantId = await create({ instructions: 'Answer in verse.' });
    const text = `Instead? ${randomUUID()}`;
    const settings = { instructions: 'Answer in prose.', promptPrefix: 'Be brief.' };
    const { convo } = await exchange(services, alice.id, asking(text, assistantId, settings));
    expect(instructionsIn(await sentAbout(text))).toEqual(['Instructions:\nAnswer in prose.\n\nBe brief.']);
    expect(convo.settings).toEqual({ ...settings, assistant_id: assistantId });
  });

  it('by the model that the conversation chose', async () => {
    const assistantId = await create();
    const { reply } = await exchange(services, alice.id, asking('Hi', assistantId, {}, { model: 'fake:plain' }));
    expect(reply.model).toBe('fake:plain');
  });

  it('by the endpoint that it names, with its own model', async () => {
    const assistantId = await create({ endpoint: 'anthropic', model: 'claude-2.0', instructions: 'Answer in verse.' });
    const text = `By whom? [[echo]] ${randomUUID()}`;
    const { reply } = await exchange(services, alice.id, asking(text, assistantId, {}, { model: 'fake:echo' }));
    expect(reply).toMatchObject({ endpoint: 'assistants', model: 'claude-2.0', reason: null });
    expect(JSON.stringify(await sentAbout(text))).toContain('Answer in verse.');
  });

  it('in the same conversation as another, each under its name', async () => {
    const first = await exchange(services, alice.id, asking('One', await create({ name: 'First' })));
    const settings = { assistant_id: await create({ name: 'Second' }) };
    const second = await exchange(services, alice.id, followUp('Two', first, { ...asked, settings }));
    expect([first.reply.sender, second.reply.sender]).toEqual(['First', 'Second']);
  });

  it('with a title that its instructions have no part in', async () => {
    const assistantId = await create({ instructions: `Answer in verse ${randomUUID()}` });
    const text = `A title for this ${randomUUID()}`;
    const { convo } = await exchange(services, alice.id, asking(text, assistantId));
    await expect.poll(async () => (await alice.api.convos.byId(idOf(convo))).title).not.toBeNull();
    const title = services.provider.requests.find(({ body }) => {
      const said = JSON.stringify(body ?? null);
      return said.includes('Write a title') && said.includes(text);
    });
    expect(JSON.stringify(title?.body)).not.toContain('Answer in verse');
  });

  it('with its files as if they were attached, when it may search them', async () => {
    const file = await addFile(services, alice, 'The mill is old.', { name: 'mill.txt' });
    const assistantId = await create({ tools: [{ type: 'retrieval' }], fileIds: [file] });
    const { reply, request } = await exchange(services, alice.id, asking('How old is it?', assistantId));
    expect(messageText(reply)).toMatch(
      /^\[1\] <file name="mill.txt">\nThe mill is old.\n<\/file>\n[^]*\nHow old is it\?$/,
    );
    expect(reply.context?.files).toMatchObject([{ fileId: file, name: 'mill.txt', shown: 'whole' }]);
    // The question itself has none.
    expect(request.parts).toHaveLength(1);
    await alice.api.assistants.update({ assistantId, tools: [] });
    const without = await exchange(services, alice.id, asking('How old is it now?', assistantId));
    expect(messageText(without.reply)).toBe('How old is it now?');
  });

  it('and its instructions count in the budget of a question', async () => {
    const assistantId = await create({ instructions: 'word '.repeat(500) });
    const { endpoint, settings, conversationId } = asking('Hi', assistantId);
    const budget = await alice.api.messages.budget({
      conversationId,
      parentMessageId: null,
      endpoint,
      settings,
      text: 'Hi',
    });
    expect(budget.instructions).toBeGreaterThan(400);
  });
});

describe('an ask is refused', () => {
  it.each([
    ['without an assistant', async () => undefined],
    ['with an unknown assistant', async () => `asst_${'x'.repeat(24)}`],
    ['with an assistant of another user', () => create({}, bob)],
    ['with one that was deleted', deleted],
  ])('%s', async (_, find) => {
    const input = asking('Hi', await find());
    await expect(alice.api.messages.ask(input)).rejects.toMatchObject({
      cause: { reason: { type: 'not_found', what: 'assistant' } },
    });
    await expect(alice.api.convos.byId(idOf(input))).rejects.toThrow('not_found');
  });

  it('when the model of the assistant is not offered any more', async () => {
    const assistantId = await create();
    await services.deps.db.query.update(assistants).set({ model: 'gpt-99' }).where(eq(assistants.id, assistantId));
    await expect(alice.api.messages.ask(asking('Hi', assistantId))).rejects.toThrow('illegal_model_request');
  });

  it('when its endpoint is gone', async () => {
    const assistantId = await create();
    await services.deps.db.query.update(assistants).set({ endpoint: 'Gone' }).where(eq(assistants.id, assistantId));
    await expect(alice.api.messages.ask(asking('Hi', assistantId))).rejects.toThrow('not_found');
  });

  it('for another answer to the same question', async () => {
    const { convo, request } = await exchange(services, alice.id, asking('Hi', await create()));
    const { messageId: parentMessageId, conversationId } = request;
    const target = { kind: 'regenerate' as const, parentMessageId };
    const again = question('', { ...asked, conversationId, settings: convo.settings, target });
    await expect(alice.api.messages.ask(again)).rejects.toThrow('conflict');
  });
});

describe('the tools of an assistant', () => {
  it('are keys for the loop, and files', async () => {
    const file = await addFile(services, alice, 'Numbers', { name: 'numbers.txt' });
    const calculator = { type: 'function' as const, function: { name: 'calculator' } };
    const assistantId = await create({ tools: [{ type: 'code_interpreter' }, calculator], fileIds: [file] });
    expect(await chosen(assistantId)).toMatchObject({
      keys: ['code_interpreter', 'calculator'],
      files: [{ type: 'file', fileId: file }],
      searchesFiles: false,
    });
  });

  it('are those that the operator leaves on', async () => {
    const calculator = { type: 'function' as const, function: { name: 'calculator' } };
    const assistantId = await create({
      tools: [{ type: 'code_interpreter' }, { type: 'retrieval' }, calculator],
      fileIds: [await addFile(services, alice, 'Numbers')],
    });
    expect(await chosen(assistantId, [])).toEqual({ keys: [], files: [], searchesFiles: false });
    expect(await chosen(assistantId, ['tools'])).toMatchObject({ keys: ['calculator'], files: [] });
    expect(await chosen(assistantId, ['retrieval'])).toMatchObject({ keys: [], searchesFiles: true });
  });
});

const asked = { endpoint: 'assistants', model: null };

async function chosen(id: string, capabilities?: ReturnType<typeof assistantRules>['capabilities']) {
  const { db, config } = services.deps;
  const rules = { ...assistantRules(config), ...(capabilities && { capabilities }) };
  return findChosenTools(
    { query: db.query, actions: { list: async () => [] }, rules },
    await assertAssistant(db.query, alice.id, id),
    alice.id,
  );
}

function asking(
  text: string,
  assistantId: string | undefined,
  settings: AskInput['settings'] = {},
  over: Partial<AskInput> = {},
): AskInput {
  return question(text, { ...asked, settings: { ...settings, assistant_id: assistantId }, ...over });
}

async function create(over: Partial<CreateAssistant> = {}, by: Person = alice): Promise<string> {
  return (await by.api.assistants.create({ model: 'fake:echo', ...over })).assistantId;
}

function idOf({ conversationId }: { conversationId: string }) {
  return { conversationId };
}

async function deleted(): Promise<string> {
  const assistantId = await create();
  await alice.api.assistants.remove({ assistantId });
  return assistantId;
}

async function sentAbout(text: string): Promise<object> {
  const { body } = await services.provider.waitForRequest(isAskedAbout(text));
  return Object(body) as object;
}

function instructionsIn(body: object): string[] {
  const { messages } = body as { messages: { role: string; content: string }[] };
  return messages.filter(({ role }) => role === 'system').map(({ content }) => content);
}
