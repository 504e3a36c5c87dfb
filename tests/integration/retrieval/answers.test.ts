// What models are told of attached documents, and how their answers cite them. The scenario `cite` answers with the
// fitting sentence of what it was sent, `echo` with all of it.
import { randomUUID } from 'node:crypto';
import { generationEvents, generations } from '@parley/db/tables/generations';
import type { AskInput } from '@parley/schema/chat/ask';
import { messageText, type Message } from '@parley/schema/messages/messages';
import { recoverExpiredRuns } from '@parley/server/chat/recovery';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lines, longPdf, makePdfPages, makeXlsx, types } from '../../support/retrieval/documents.ts';
import { text as textEvent } from '../../contracts/generation-events.ts';
import { answerRequests, exchange, followUp, isAskedAbout, question } from '../../support/exchange.ts';
import { addFile, awaitState, plainExtractor } from '../../support/retrieval/stored-files.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

/** What asks the model for marks. */
const CITE =
  'After each statement that rests on one of the numbered passages of the attached files write its number in square brackets, like [1].';

let services: TestServices;
let alice: Person;

beforeAll(async () => {
  services = await openTestServices({
    OPENAI_MODELS: 'fake:cite,fake:echo,fake:silent,gpt-4o',
    ANTHROPIC_API_KEY: 'fake',
    ANTHROPIC_REVERSE_PROXY: '${FAKE_PROVIDER}',
    ANTHROPIC_MODELS: 'claude-2.0',
    TITLE_CONVO: 'false',
  });
  alice = await services.as('alice');
});
afterAll(() => services.close());

describe('a document that is too long for a quarter of the window', () => {
  it.each([
    ['openAI', 'fake:cite', 'At what height do the red kites nest?'],
    ['anthropic', 'claude-2.0', 'At what height do the red kites nest? [[cite]]'],
  ])('is searched for %s, and the answer cites the page', async (endpoint, model, text) => {
    const fileId = await addFile(services, alice, longPdf(), { name: 'birds.pdf', mime: types.pdf });
    const { reply } = await exchange(services, alice.id, asking(text, [fileId], { endpoint, model }));
    const answer = reply.parts.at(-1);
    if (answer?.type !== 'text') throw new Error('no text');
    expect(answer.text).toMatch(/^The red kites nest 23 metres above the mill\. \[\d\]$/);
    const at = answer.text.indexOf('[');
    const [citation] = answer.citations ?? [];
    expect(citation).toMatchObject({ at, fileId, name: 'birds.pdf', page: 7 });
    expect(citation?.quote).toBe('The red kites nest 23 metres above the mill.');
    const { passage } = await alice.api.files.passage({ fileId, n: citation?.n ?? -1 });
    expect(passage).toMatchObject({ page: 7, n: citation?.n });
    expect(passage.text).toContain('23 metres');
    const [file] = reply.context?.files ?? [];
    expect(file).toMatchObject({ fileId, name: 'birds.pdf', shown: 'passages' });
    expect(file?.shown === 'passages' && file.passages).toContainEqual(
      expect.objectContaining({ n: citation?.n, page: 7 }),
    );
    const sent = JSON.stringify(answerRequests(services.provider).at(-1)?.body);
    expect(sent).toContain('<file name=\\"birds.pdf\\" page=\\"7\\">');
    expect(sent).not.toContain('Page 51:');
  });

  it('appears as a search in the reply before the answer', async () => {
    const fileId = await addFile(services, alice, longPdf('otter'), { name: 'otters.pdf', mime: types.pdf });
    const { reply } = await exchange(services, alice.id, asking('Where do otters nest?', [fileId]));
    const [search] = reply.parts;
    expect(search).toMatchObject({ type: 'tool_call', call: { kind: 'retrieval', name: 'file_search', progress: 1 } });
    expect(search?.type === 'tool_call' && search.call.output).toMatch(/^otters\.pdf: \d/);
  });
});

describe('documents that fit a quarter of the window', () => {
  it('are shown whole, each page under its number', async () => {
    const pdf = makePdfPages([lines(['The mill is old.', 700]), lines(['The river is young.', 700])]);
    const fileId = await addFile(services, alice, pdf, { name: 'mill.pdf', mime: types.pdf });
    await awaitState(services, fileId, 'ready');
    const { reply } = await exchange(services, alice.id, asking('Which is old?', [fileId], { model: 'fake:echo' }));
    const blocks = [
      '[1] <file name="mill.pdf" page="1">\nThe mill is old.\n</file>',
      '[2] <file name="mill.pdf" page="2">\nThe river is young.\n</file>',
      CITE,
    ];
    const [part] = reply.parts;
    expect(reply.parts).toHaveLength(1);
    expect(part).toMatchObject({ type: 'text', text: [...blocks, 'Which is old?'].join('\n') });
    const passages = [
      { n: 0, page: 1, number: 1 },
      { n: 1, page: 2, number: 2 },
    ];
    expect(reply.context?.files).toEqual([{ fileId, name: 'mill.pdf', shown: 'whole', passages }]);
  });

  it('are cited by page, and a text by its place', async () => {
    const pdf = makePdfPages([lines(['The mill is old.', 700]), lines(['The red kites nest above it.', 700])]);
    const fileId = await addFile(services, alice, pdf, { name: 'mill.pdf', mime: types.pdf });
    const text = await addFile(services, alice, 'Storks eat frogs.', { name: 'food.txt' });
    await awaitState(services, fileId, 'ready');
    const first = await exchange(services, alice.id, asking('Where do the red kites nest?', [fileId]));
    const [cited] = first.reply.parts;
    expect(cited).toMatchObject({ citations: [{ fileId, page: 2, n: 1, quote: 'The red kites nest above it.' }] });
    await awaitState(services, text, 'ready');
    const second = await exchange(services, alice.id, asking('What do storks eat?', [text]));
    expect(second.reply.parts[0]).toMatchObject({ citations: [{ fileId: text, page: null, n: 0 }] });
    const { passage } = await alice.api.files.passage({ fileId: text, n: 0 });
    expect(passage.text).toBe('Storks eat frogs.');
  });

  it('of a spreadsheet tell the model the names of their sheets', async () => {
    const cell = '<row><c t="inlineStr"><is><t>Aurora</t></is></c></row>';
    const fileId = await addFile(services, alice, makeXlsx(cell), { name: 'fleet.xlsx', mime: types.xlsx });
    await awaitState(services, fileId, 'ready');
    const { reply } = await exchange(services, alice.id, asking('What is in it?', [fileId], { model: 'fake:echo' }));
    expect(messageText(reply)).toContain('[1] <file name="fleet.xlsx" section="Ships">\nAurora\n</file>');
  });

  it('stay whole beside one that is too long', async () => {
    const long = await addFile(services, alice, longPdf('stork'), { name: 'storks.pdf', mime: types.pdf });
    const short = await addFile(services, alice, 'Storks eat frogs.', { name: 'food.txt' });
    await awaitState(services, long, 'ready');
    const input = asking('Where do the storks nest above the mill?', [short, long], { model: 'fake:echo' });
    const { reply } = await exchange(services, alice.id, input);
    expect(reply.context?.files?.map(({ name, shown }) => [name, shown])).toEqual([
      ['food.txt', 'whole'],
      ['storks.pdf', 'passages'],
    ]);
    const text = messageText(reply);
    expect(text).toContain('[1] <file name="food.txt">\nStorks eat frogs.\n</file>');
    expect(text).toMatch(/\[[2-9]\] <file name="storks.pdf" page="7">/);
  });

  it('cannot end their own marks', async () => {
    const fileId = await addFile(services, alice, 'a </file> b', { name: 'x".txt' });
    const { reply } = await exchange(services, alice.id, asking('Well?', [fileId], { model: 'fake:echo' }));
    expect(messageText(reply)).toBe(`[1] <file name="x'.txt">\na <\\/file> b\n</file>\n${CITE}\nWell?`);
  });
});

describe('a later question', () => {
  it('searches the files of earlier ones, and earlier marks are not sent again', async () => {
    const fileId = await addFile(services, alice, longPdf('heron'), { name: 'herons.pdf', mime: types.pdf });
    const first = await exchange(services, alice.id, asking('At what height do the herons nest?', [fileId]));
    expect(messageText(first.reply)).toMatch(/23 metres above the mill\. \[\d\]$/);
    const next = followUp('Of which bird is it said to nest above the mill?', first, { model: 'fake:cite' });
    const { reply } = await exchange(services, alice.id, next);
    expect(messageText(reply)).toMatch(/^The herons nest/);
    expect(reply.context?.files).toMatchObject([{ fileId, shown: 'passages' }]);
    const body = answerRequests(services.provider).at(-1)?.body as { messages: { role: string; content: string }[] };
    const answer = body.messages.find(({ role }) => role === 'assistant');
    expect(answer?.content).toBe('The herons nest 23 metres above the mill.');
  });
});

describe('what the model saw', () => {
  it('is noted with the answer made anew, of the one to an edited question and of an answer whose text is changed', async () => {
    const fileId = await addFile(services, alice, longPdf('egret'), { name: 'egrets.pdf', mime: types.pdf });
    const asked = asking('At what height do the egrets nest?', [fileId], { model: 'fake:cite' });
    const { convo, request, reply } = await exchange(services, alice.id, asked);
    const { conversationId } = convo;
    const saw = [{ fileId, name: 'egrets.pdf', shown: 'passages' }];
    const again = question('', {
      conversationId,
      model: 'fake:cite',
      target: { kind: 'regenerate', parentMessageId: request?.messageId ?? '' },
    });
    const anew = await exchange(services, alice.id, again);
    expect(anew.reply.context?.files).toMatchObject(saw);
    expect(messageText(anew.reply)).toMatch(/^The egrets nest 23 metres above the mill\. \[\d\]$/);
    const edited = asking('At what height do egrets nest, then?', [fileId], { conversationId, model: 'fake:cite' });
    expect((await exchange(services, alice.id, edited)).reply.context?.files).toMatchObject(saw);
    const bare = asking('At what height do egrets nest, without a file?', [], { conversationId, model: 'fake:cite' });
    expect((await exchange(services, alice.id, bare)).reply.context?.files ?? []).toEqual([]);
    const text = messageText(reply);
    await alice.api.messages.edit({ conversationId, messageId: reply.messageId, text: `Indeed. ${text}` });
    const all = await alice.api.messages.list({ conversationId });
    const changed = all.find(({ messageId }) => messageId === reply.messageId);
    const citationsOf = ({ parts }: Pick<Message, 'parts'>) =>
      parts.flatMap((part) => (part.type === 'text' ? (part.citations ?? []) : []));
    const moved = citationsOf(reply).map((citation) => ({ ...citation, at: citation.at + 'Indeed. '.length }));
    expect(moved).not.toEqual([]);
    expect(changed && citationsOf(changed), 'each citation is still at its mark').toEqual(moved);
    expect(changed?.context?.files).toMatchObject(saw);
  });
});

describe('a document that cannot be shown', () => {
  it('is named with the reason', async () => {
    const fileId = await addFile(services, alice, '%PDF-1.4\n%%EOF', { name: 'torn.pdf', mime: types.pdf });
    const { reply } = await exchange(services, alice.id, asking('What is it?', [fileId], { model: 'fake:echo' }));
    expect(messageText(reply)).toBe('[file: torn.pdf; it is damaged]\nWhat is it?');
    expect(reply.context?.files).toEqual([{ fileId, name: 'torn.pdf', shown: 'name', why: 'damaged' }]);
  });

  it('is waited for, which the reply shows, and then named if it is not read in time', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const slow = await openTestServices(
      {},
      { documentWaitMs: 50 },
      plainExtractor(() => held),
    );
    const bob = await slow.as('bob');
    const fileId = await addFile(slow, bob, 'Late.', { name: 'late.pdf', mime: types.pdf });
    const input = asking('What is it?', [fileId], { model: 'fake:echo' });
    const { reply } = await exchange(slow, bob.id, input);
    expect(messageText(reply)).toBe('[file: late.pdf; it is still being read]\nWhat is it?');
    expect(reply.context?.files).toEqual([{ fileId, name: 'late.pdf', shown: 'name', why: 'indexing' }]);
    release();
    await awaitState(slow, fileId, 'ready');
    const again = await exchange(slow, bob.id, asking('What is it?', [fileId], { model: 'fake:echo' }));
    expect(messageText(again.reply)).toBe(`[1] <file name="late.pdf">\nLate.\n</file>\n${CITE}\nWhat is it?`);
    await slow.close();
  });

  it('is shown as soon as it is read', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const slow = await openTestServices(
      {},
      {},
      plainExtractor(() => held),
    );
    const bob = await slow.as('bob');
    const fileId = await addFile(slow, bob, 'In time.', { name: 'soon.pdf', mime: types.pdf });
    const input = asking('What is it?', [fileId], { model: 'fake:echo' });
    await slow.deps.askService.ask(bob.id, input);
    const seen = [];
    for await (const { event } of slow.deps.askService.attach(
      bob.id,
      input.generationId,
      0,
      AbortSignal.timeout(60_000),
    )) {
      seen.push(event);
      // The reply shows that it searches before the document is read.
      if (event.type === 'part' && event.value.type === 'tool_call' && event.value.call.progress < 1) release();
    }
    const final = seen.at(-1);
    expect(final?.type === 'final' && messageText(final.reply)).toBe(
      `[1] <file name="soon.pdf">\nIn time.\n</file>\n${CITE}\nWhat is it?`,
    );
    await slow.close();
  });

  it('is left when the answer is stopped', async () => {
    const slow = await openTestServices({}, {}, plainExtractor(untilAborted));
    const bob = await slow.as('bob');
    const fileId = await addFile(slow, bob, 'Never.', { name: 'never.pdf', mime: types.pdf });
    const input = asking('What is it?', [fileId], { model: 'fake:echo' });
    await slow.deps.askService.ask(bob.id, input);
    const final = await slow.deps.askService.stop(bob.id, input.generationId);
    expect(final?.reply).toMatchObject({ finishReason: 'incomplete', reason: null, context: null });
    expect(slow.provider.requests.filter(({ method }) => method === 'POST')).toEqual([]);
    await slow.close();
  });
});

describe('an answer whose process dies', () => {
  it('cites what its model was sent, once it is recovered', async () => {
    const { db } = services.deps;
    const pdf = longPdf('bittern');
    const fileId = await addFile(services, alice, pdf, { name: 'bitterns.pdf', mime: types.pdf });
    const input = asking('At what height do the bitterns nest?', [fileId], { model: 'fake:silent' });
    await services.deps.askService.ask(alice.id, input);
    const { body } = await services.provider.waitForRequest(isAskedAbout('bitterns nest'), 60_000);
    const [, number = ''] = /\[(\d)\] <file name=\\"bitterns.pdf\\" page=\\"7\\">/.exec(JSON.stringify(body)) ?? [];
    const ours = eq(generations.id, input.generationId);
    await db.query.update(generations).set({ owner: randomUUID() }).where(ours);
    await expect.poll(() => services.provider.openStreams()).toBe(0);
    const said = `The bitterns nest 23 metres above the mill. [${number}] Or so [99].`;
    await db.query.delete(generationEvents).where(eq(generationEvents.generationId, input.generationId));
    const entry = { generationId: input.generationId, seq: 2, event: textEvent(0, said) };
    await db.query.insert(generationEvents).values(entry);
    await db.query.update(generations).set({ leaseUntil: '-infinity' }).where(ours);
    await recoverExpiredRuns(db, randomUUID());
    const list = () => alice.api.messages.list({ conversationId: input.conversationId });
    await expect.poll(async () => (await list()).at(-1)?.reason).toEqual({ type: 'interrupted' });
    const reply = (await list()).at(-1);
    const part = reply?.parts.at(-1);
    const citations = part?.type === 'text' ? part.citations : [];
    const quote = 'The bitterns nest 23 metres above the mill.';
    expect(citations).toMatchObject([{ at: said.indexOf('['), fileId, name: 'bitterns.pdf', page: 7, quote }]);
    expect(reply?.context?.files).toMatchObject([{ fileId, shown: 'passages' }]);
  });
});

describe('the preview of the budget', () => {
  it('estimates the files of the branch', async () => {
    const fileId = await addFile(services, alice, 'word '.repeat(600), { name: 'words.txt' });
    const first = await exchange(services, alice.id, asking('Count them', [fileId], { model: 'fake:echo' }));
    const budget = await alice.api.messages.budget({
      conversationId: first.convo.conversationId,
      parentMessageId: first.reply.messageId,
      endpoint: 'openAI',
      model: 'fake:echo',
      settings: {},
      text: 'And now?',
    });
    expect(budget).toMatchObject({ fits: true, included: 3 });
    expect(budget.history).toBeGreaterThan(600);
  });
});

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
}

function asking(text: string, files: string[], over: Partial<AskInput> = {}): AskInput {
  return question(text, {
    model: 'fake:cite',
    ...over,
    target: { kind: 'send', messageId: randomUUID(), parentMessageId: null, text, files },
  });
}
