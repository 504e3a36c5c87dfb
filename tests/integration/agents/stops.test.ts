// Answers with tools that are stopped, decided on or deleted, from several places and in every phase.
import type { GenerationEvent } from '@parley/schema/generation/events';
import type { AskInput, Decision } from '@parley/schema/chat/ask';
import { generations } from '@parley/db/tables/generations';
import { isLoopCall, type Message, type ToolCall } from '@parley/schema/messages/messages';
import { createCaller } from '@parley/server/router';
import { createServices, type Services } from '@parley/server/services';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchange, followUp, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { createGate, createTool, sourceOf } from '../../support/tools/agents.ts';

let services: TestServices;
let neighbour: Services;
let alice: Person;
const gates = new Map<string, ReturnType<typeof createGate>>();
const ran: string[] = [];

const tools = sourceOf(
  createTool('echo'),
  createTool('slow', {
    isRepeatable: false,
    run(call) {
      const gate = createGate();
      gates.set(call.convoId, gate);
      return gate.run(call);
    },
  }),
  createTool('asking', {
    asks: 'first',
    async run({ args }) {
      ran.push(String(args.input));
      return { type: 'done', text: 'sent' };
    },
  }),
);

beforeAll(async () => {
  services = await openTestServices({ OPENAI_MODELS: 'gpt-4' }, { toolStopMs: 100 }, undefined, [tools]);
  neighbour = await openNeighbour();
  alice = await services.as('alice');
});
afterAll(async () => {
  await neighbour.close();
  await services.close();
});

/** Another server of the same database. */
function openNeighbour(): Promise<Services> {
  const { config, secrets, db, log } = services.deps;
  return createServices({ config, secrets, db, log, demo: null, toolSources: [tools] });
}

let asked = 0;

function asking(text: string): AskInput {
  asked += 1;
  const settings = { tools: ['echo', 'slow', 'asking'] };
  return question(`Number ${asked}\n${text}`, { model: 'gpt-4', settings });
}

function callsOf({ parts }: Pick<Message, 'parts'>): ToolCall[] {
  return parts.filter(isLoopCall).map(({ call }) => call);
}

/** Asks, and resolves at the first event of the answer that fits. */
async function askUntil(input: AskInput, fits: (event: GenerationEvent) => boolean): Promise<void> {
  await alice.api.messages.ask(input);
  const { askService } = services.deps;
  const entries = askService.attach(alice.id, input.generationId, 0, AbortSignal.timeout(60_000));
  for await (const { event } of entries) if (fits(event)) return;
  throw new Error('The answer ended before');
}

function isCallIn(state: ToolCall['state']): (event: GenerationEvent) => boolean {
  return (event) => event.type === 'part' && isLoopCall(event.value) && event.value.call.state === state;
}

async function hasBegun({ conversationId }: AskInput): Promise<void> {
  await expect.poll(() => gates.has(conversationId)).toBe(true);
}

const phases = [
  ['its arguments are written', '[[tool-unfinished]] call echo {"input":"half of it"}', 'writing', ['stopped']],
  ['it runs', '[[tool-steps]] call slow {}', 'running', ['stopped']],
  [
    'it has ended and the model goes on',
    `[[tool-steps]] ${'\ncall echo {"input":"x"} call echo {"input":"y"}'.repeat(9)}`,
    'done',
    ['done', 'failed', 'stopped'],
  ],
] as const;

describe.each(phases)('a stop of a call while %s', (_phase, text, state, endings) => {
  it.each(['here', 'twice', 'at another server'])('ends it, %s, and the next question works', async (where) => {
    const input = asking(text);
    await askUntil(input, isCallIn(state));
    // It is reported as running just before it begins.
    if (state === 'running') await hasBegun(input);
    const { generationId } = input;
    const stops = {
      here: () => [alice.api.messages.abort({ generationId })],
      twice: () => [alice.api.messages.abort({ generationId }), alice.api.messages.abort({ generationId })],
      'at another server': () => [neighbour.deps.askService.stop(alice.id, generationId)],
    }[where] as () => Promise<Awaited<ReturnType<typeof alice.api.messages.abort>>>[];
    const [stopped, again = stopped] = await Promise.all(stops());
    if (!stopped) throw new Error('Nothing was running');
    expect(again?.reply.parts).toEqual(stopped.reply.parts);
    const states = callsOf(stopped.reply).map((call) => call.state);
    expect(states.filter((one) => !endings.some((ending) => ending === one))).toEqual([]);
    expect(states.length).toBeGreaterThan(0);
    expect(stopped.reply).toMatchObject({ finishReason: 'incomplete', reason: null });
    if (state === 'running') expect(gates.get(input.conversationId)?.isStopped()).toBe(true);
    const next = await exchange(services, alice.id, followUp('And now?', stopped, { model: 'gpt-4' }));
    expect(next.reply.finishReason).toBe('stop');
  });
});

describe('a decision about a call', () => {
  async function waiting(name: string) {
    const final = await exchange(services, alice.id, asking(`[[tool-steps]] call asking {"input":"${name}"}`));
    expect(callsOf(final.reply)).toMatchObject([{ id: '0:0', state: 'waiting' }]);
    return (decision: Decision): AskInput => ({
      ...question('', { model: 'gpt-4', settings: final.convo.settings }),
      conversationId: final.convo.conversationId,
      replyId: final.reply.messageId,
      target: { kind: 'resume', messageId: final.reply.messageId, decisions: { '0:0': decision } },
    });
  }

  it('counts once when two devices decide at two servers at once', async () => {
    const decide = await waiting('at once');
    const results = await Promise.allSettled([
      services.deps.askService.ask(alice.id, decide('allow')),
      neighbour.deps.askService.ask(alice.id, decide('allow')),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect.poll(() => ran.filter((one) => one === 'at once').length).toBe(1);
    await expect(services.deps.askService.ask(alice.id, decide('deny'))).rejects.toMatchObject({
      reason: { type: expect.stringMatching(/conflict|concurrent/) },
    });
    expect(ran.filter((one) => one === 'at once')).toHaveLength(1);
  });

  it('counts after a restart, and a later one does not', async () => {
    const decide = await waiting('restarted');
    await neighbour.close();
    neighbour = await openNeighbour();
    const there = { ...services, deps: neighbour.deps };
    const { reply } = await exchange(there, alice.id, decide('deny'));
    expect(callsOf(reply)).toMatchObject([{ state: 'denied' }]);
    await expect(alice.api.messages.ask(decide('allow'))).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(ran).not.toContain('restarted');
  });
});

describe('a conversation that is deleted while a tool runs', () => {
  it.each(['here', 'at another server'])('stays deleted, %s, and its tool is stopped', async (where) => {
    const input = asking('[[tool-steps]] call slow {}');
    await askUntil(input, isCallIn('running'));
    await hasBegun(input);
    const { conversationId, generationId } = input;
    const signedIn = { userId: alice.id, sid: 'another sign-in' };
    const there = createCaller({ deps: neighbour.deps, http: null, socket: null, token: null, signedIn });
    await (where === 'here' ? alice.api : there).convos.remove({ conversationId });
    await expect.poll(() => gates.get(conversationId)?.isStopped()).toBe(true);
    await expect.poll(() => isEnded(generationId)).toBe(true);
    await expect(alice.api.messages.list({ conversationId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { convos } = await alice.api.convos.list({ limit: 100, cursor: null });
    expect(convos.map((convo) => convo.conversationId)).not.toContain(conversationId);
  });

  async function isEnded(id: string): Promise<boolean> {
    const [row] = await services.deps.db.query.select().from(generations).where(eq(generations.id, id));
    return row === undefined || row.endedAt !== null;
  }
});
