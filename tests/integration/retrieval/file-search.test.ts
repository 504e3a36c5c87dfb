// A model that searches attached files itself.
import { randomUUID } from 'node:crypto';
import type { AskInput } from '@parley/schema/chat/ask';
import { isLoopCall, type Message } from '@parley/schema/messages/messages';
import { refuse } from '@parley/server/platform/errors';
import { readShownPassages } from '@parley/server/chat/context/files/shown-passages';
import { createFileSearch } from '@parley/server/tools/builtin/file-search';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exchange, question } from '../../support/exchange.ts';
import { addFile } from '../../support/retrieval/stored-files.ts';
import { lines, makePdfPages, types } from '../../support/retrieval/documents.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { callTool, choosing } from '../../support/tools/tool-run.ts';

let services: TestServices;
let alice: Person;
let birds: string;

beforeAll(async () => {
  services = await openTestServices({ OPENAI_MODELS: 'gpt-4', TITLE_CONVO: 'false' });
  alice = await services.as('alice');
  birds = await addFile(services, alice, birdPages(), { name: 'birds.pdf', mime: types.pdf });
});
afterAll(() => services.close());

/** Sixty pages, of which one is about kites. */
function birdPages(): string {
  const pages = Array.from({ length: 60 }, (_, at) => {
    const fact = at === 41 ? [['The kites nest 23 metres above the mill.', 640] as [string, number]] : [];
    const texts = Array.from({ length: 30 }, (__, n): [string, number] => [
      `Page ${at + 1}: line ${n} tells of herons, weather and the people of valley ${(at * 31 + n) % 97}.`,
      620 - n * 15,
    ]);
    return lines(...fact, ...texts);
  });
  return makePdfPages(pages);
}

function asking(input: string, answer: string, files = [birds]): AskInput {
  const text = `What of herons? [[call-tool:file_search ${input} => ${answer}]]`;
  return question(text, {
    model: 'gpt-4',
    settings: { tools: ['calculator'] },
    target: { kind: 'send', messageId: randomUUID(), parentMessageId: null, text, files },
  });
}

function callOf({ parts }: Pick<Message, 'parts'>) {
  return parts.filter(isLoopCall)[0]?.call;
}

const numberIn = (output = '') => Number(/\[(\d+)\] <file [^>]*page="42"/.exec(output)?.[1]);

it('finds passages under numbers that continue earlier ones, and its answer cites them', async () => {
  // As no search for the question itself finds them.
  const args = String.raw`{"query":"\u006bites \u006dill"}`;
  const first = await exchange(services, alice.id, asking(args, 'So.'));
  const call = callOf(first.reply);
  expect(call).toMatchObject({ state: 'done', kind: 'retrieval', from: { source: 'builtin', id: 'file_search' } });
  const number = numberIn(call?.output ?? '');
  expect(number).toBeGreaterThan(1);
  // What the model was told is noted, so that a recovered or resumed answer has the same numbers.
  const told = await readShownPassages(services.deps.db.query, alice.id, first.reply.context);
  expect(told[number - 1]).toMatchObject({ fileId: birds, page: 42, body: expect.stringContaining('kites nest') });
  const { reply } = await exchange(services, alice.id, asking(args, `So #${number}!`));
  expect(reply.parts.at(-1)).toMatchObject({
    type: 'text',
    citations: [{ fileId: birds, name: 'birds.pdf', page: 42 }],
  });
});

it.each([
  ['is told the names of the files where it asks for another', ['fish.pdf'], 'The files are: "birds.pdf".'],
  ['is told where files are too long to be searched', ['birds.pdf'], 'Name fewer of them.'],
])('%s', async (_, files, told) => {
  const find = async () => refuse({ type: 'files_too_long', passages: 2, max: 1 });
  const searched = {
    userId: alice.id,
    files: [{ fileId: birds, name: 'birds.pdf' }],
    shown: [],
    onShown: async () => {},
    find,
  };
  const outcome = await callTool(createFileSearch(searched), { query: 'x', files }, choosing(alice.id, []));
  expect(outcome).toMatchObject({ type: 'failed', text: expect.stringContaining(told) });
});

it('is offered only where a file was not shown whole', async () => {
  const input = asking('{"query":"x"}', 'So.', []);
  const { reply } = await exchange(services, alice.id, input);
  expect(callOf(reply)).toMatchObject({
    state: 'failed',
    output: expect.stringContaining('no tool named file_search'),
  });
});
