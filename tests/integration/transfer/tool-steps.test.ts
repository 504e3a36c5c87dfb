// What tools did stays with a conversation, wherever it goes.
import { randomUUID } from 'node:crypto';
import type { AskInput, Decision } from '@parley/schema/chat/ask';
import type { FinalEvent } from '@parley/schema/generation/events';
import { messageAttachments, isLoopCall, messageText, type Message } from '@parley/schema/messages/messages';
import { buildTree, pathTo } from '@parley/schema/messages/tree';
import { presentAttachment } from '@parley/server/files/present';
import { createCaller } from '@parley/server/router';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asCsv } from '../../../web/src/export/as-csv.ts';
import { asJson } from '../../../web/src/export/as-json.ts';
import { asMarkdown } from '../../../web/src/export/as-markdown.ts';
import { asText } from '../../../web/src/export/as-text.ts';
import type { Transcript } from '../../../web/src/export/transcript.ts';
import { answerRequests, exchange, followUp, question, untilIndexed } from '../../support/exchange.ts';
import { importFor } from './import-file.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { createTool, sourceOf } from '../../support/tools/agents.ts';
import { keepTestFile } from '../../support/uploads.ts';

let services: TestServices;
let alice: Person;
let bob: Person;
let conversationId: string;
let answers: Message[];

const tools = sourceOf(
  createTool('draw', {
    run: async ({ userId }) => {
      const image = await keepTestFile(services.deps, userId, {
        name: 'Nest.png',
        mime: 'image/png',
        width: 4,
        height: 3,
      });
      const table = await keepTestFile(services.deps, userId, { name: 'birds.csv', mime: 'text/csv', text: 'a,b' });
      const outputs = [{ type: 'logs' as const, text: 'drawing' }, presentAttachment(image), presentAttachment(table)];
      return { type: 'done', text: 'It is drawn.', outputs };
    },
  }),
  createTool('asking', { asks: 'always', run: async () => ({ type: 'done', text: 'It was sent.' }) }),
);
const keys = { model: 'gpt-4', settings: { tools: ['calculator', 'draw', 'asking'] } };

beforeAll(async () => {
  services = await openTestServices({ OPENAI_MODELS: 'gpt-4' }, {}, undefined, [tools]);
  [alice, bob] = await Promise.all([services.as('alice'), services.as('bob')]);
  const first = await ask(question('Count [[calculate:6 * 7+++8 * 9;nothing]]', keys));
  const second = await ask(followUp('Draw [[call-tool:draw {"input":"a nest"}]]', first, keys));
  const third = await decide(await ask(followUp('Send [[call-tool:asking {"input":"this"}]]', second, keys)), 'allow');
  await decide(await ask(followUp('Send [[call-tool:asking {"input":"that"} => Well.]]', third, keys)), 'deny');
  conversationId = first.convo.conversationId;
  answers = await answersOf(alice, conversationId);
});
afterAll(() => services?.close());

function ask(input: AskInput, person = alice) {
  return exchange(services, person.id, input);
}

function decide({ convo, reply }: FinalEvent, decision: Decision) {
  const { messageId } = reply;
  const target = { kind: 'resume' as const, messageId, decisions: { '0:0': decision } };
  return ask(question('', { ...keys, conversationId: convo.conversationId, replyId: messageId, target }));
}

function messagesOf(person: Person, id: string): Promise<Message[]> {
  return person.api.messages.list({ conversationId: id });
}

async function transcript(): Promise<Transcript> {
  const convo = await alice.api.convos.byId({ conversationId });
  const tree = buildTree(await messagesOf(alice, conversationId));
  const path = pathTo(tree, answers.at(-1)?.messageId ?? '');
  return { convo, title: 'Birds', tree, path, exportAt: '12:00:00', failureOf: () => 'It failed.' };
}

const choices = { includeOptions: true, exportBranches: true, recursive: true };

/** Texts, and calls by their tool and state, in order. */
function outline({ parts }: Pick<Message, 'parts'>): string[] {
  return parts.map((part) => {
    if (part.type === 'text') return part.text;
    return part.type === 'tool_call' ? `${part.call.name} ${part.call.state}` : part.type;
  });
}

/** Without what only the account that made the calls may do with them. */
const exported = (message: Message) =>
  message.parts.map((part) => {
    if (!isLoopCall(part)) return part;
    const { isRepeatable: _own, ...call } = part.call;
    return { ...part, call };
  });

it('the conversation has every kind of call', () => {
  expect(answers.map(outline)).toEqual([
    ['Let me see. ', 'calculator done', 'calculator done', 'Let me see. ', 'calculator failed', 'That is the result.'],
    ['Let me see. ', 'draw done', 'That was it.'],
    ['Let me see. ', 'asking done', 'That was it.'],
    ['Let me see. ', 'asking denied', 'Well.'],
  ]);
});

describe('an export', () => {
  const pieces = [
    '6 * 7',
    '42',
    '8 * 9',
    '72',
    'Calculator, failed',
    'nothing',
    'Undefined symbol nothing',
    'That is the result.',
    'a nest',
    'drawing\nIt is drawn.',
    '[image: Nest.png]',
    '[file: birds.csv]',
    'It was sent.',
    'asking, denied',
    '"that"',
    'The user did not allow this.',
    'Well.',
  ];

  it.each([
    ['text', asText],
    ['markdown', asMarkdown],
    ['CSV', asCsv],
  ])('as %s has arguments, outputs, errors, states and files in order', async (_name, write) => {
    const file = write(await transcript(), choices)
      .join('')
      .replaceAll('""', '"');
    let at = -1;
    for (const piece of pieces) {
      at = file.indexOf(piece, at + 1);
      expect(at, piece).toBeGreaterThan(-1);
    }
  });

  it('as JSON brings the calls into another account', async () => {
    const [item] = await importFor(services, bob, asJson(await transcript(), choices).join(''));
    if (!item || !('conversationId' in item)) throw new Error('Nothing was imported');
    const imported = await answersOf(bob, item.conversationId);
    expect(imported.map(({ parts }) => parts)).toEqual(answers.map(exported));
  });
});

it('a share link names the tools that were used, and its copy keeps their files', async () => {
  const { id } = await alice.api.shares.create({ conversationId, leafId: null });
  const visitor = createCaller({ deps: services.deps, http: null, socket: null, token: null, signedIn: null });
  const { thread } = await visitor.shares.read({ id });
  const shown = thread.messages
    .filter(({ isCreatedByUser }) => !isCreatedByUser)
    .map(({ parts }) => parts.map((part) => ('text' in part ? part.text : 'label' in part ? part.label : part.name)));
  expect(shown).toEqual([
    ['Let me see. ', 'Calculator', 'Calculator', 'Let me see. ', 'Calculator', 'That is the result.'],
    ['Let me see. ', 'draw', 'Nest.png', 'birds.csv', 'That was it.'],
    ['Let me see. ', 'asking', 'That was it.'],
    ['Let me see. ', 'Well.'],
  ]);
  const copy = await bob.api.shares.copy({ id });
  const [, drawn] = await answersOf(bob, copy.conversationId);
  expect(copy.missing).toEqual([]);
  expect(drawn && messageAttachments(drawn).map(({ name, path }) => [name, path.includes(bob.id)])).toEqual([
    ['Nest.png', true],
    ['birds.csv', true],
  ]);
});

describe('in the account itself', () => {
  it('a fork has the calls, and its model is told them', async () => {
    const forkId = randomUUID();
    await alice.api.convos.fork({ conversationId, messageId: answers.at(-1)?.messageId ?? '', forkId });
    const copies = await answersOf(alice, forkId);
    expect(copies.map(({ parts }) => parts)).toEqual(answers.map(({ parts }) => parts));
    const target = { kind: 'send' as const, messageId: randomUUID(), parentMessageId: copies.at(-1)?.messageId ?? '' };
    await ask(question('', { ...keys, conversationId: forkId, target: { ...target, text: 'And now?' } }));
    const told = JSON.stringify(answerRequests(services.provider).at(-1)?.body);
    for (const said of ['72', 'Undefined symbol nothing', 'It is drawn.', 'did not allow'])
      expect(told).toContain(said);
  });

  it('an answer made anew and one to an edited question stand beside the first, whose calls stay', async () => {
    const [first] = answers;
    const parentMessageId = first?.parentMessageId ?? '';
    const again = await ask(question('', { ...keys, conversationId, target: { kind: 'regenerate', parentMessageId } }));
    expect(again.reply.parentMessageId).toBe(parentMessageId);
    expect(messageText(again.reply)).toBe('That is the result.');
    const text = 'Count once [[calculate:7 * 7]]';
    const target = { kind: 'send' as const, messageId: randomUUID(), parentMessageId: null, text };
    const edited = await ask(question('', { ...keys, conversationId, target }));
    expect(callsIn(edited.reply)).toEqual(['{"input":"7 * 7"} 49']);
    const all = await messagesOf(alice, conversationId);
    expect(all.find(({ messageId }) => messageId === first?.messageId)).toEqual(first);
  });

  it('an edited answer keeps its calls between its words', async () => {
    const [first] = answers;
    const text = messageText(first ?? { parts: [] }).replace('result', 'sum');
    const edited = await alice.api.messages.edit({ conversationId, messageId: first?.messageId ?? '', text });
    expect(edited.parts).toEqual([...(first?.parts.slice(0, -1) ?? []), { type: 'text', text: 'That is the sum.' }]);
  });

  it('a search finds what a tool said below what was said', async () => {
    const asked = await ask(question('What is undefined?', { model: 'gpt-4' }));
    await untilIndexed(services.deps.db);
    const { groups } = await alice.api.convos.search({ query: 'undefined' });
    expect(groups[0]?.convo.conversationId).toBe(asked.convo.conversationId);
    const found = groups.find(({ convo }) => convo.conversationId === conversationId);
    expect(found?.hits.map(({ messageId }) => messageId)).toContain(answers[0]?.messageId);
  });
});

async function answersOf(person: Person, id: string): Promise<Message[]> {
  return (await messagesOf(person, id)).filter(({ isCreatedByUser }) => !isCreatedByUser);
}

function callsIn({ parts }: Pick<Message, 'parts'>): string[] {
  return parts.filter(isLoopCall).map(({ call }) => `${call.input} ${call.output}`);
}
