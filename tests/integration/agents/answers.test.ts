// Answers with tools, from the ask to the saved reply.
import { generationEvents } from '@parley/db/tables/generations';
import type { AskInput } from '@parley/schema/chat/ask';
import { isLoopCall, messageText, type Message, type ToolCall } from '@parley/schema/messages/messages';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGate, createTool, sourceOf } from '../../support/tools/agents.ts';
import { exchange, followUp, isAskedAbout, question, readAll } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let alice: Person;
const gates = new Map<string, ReturnType<typeof createGate>>();

const echo = createTool('echo');
const slow = createTool('slow', {
  async run(call) {
    const gate = createGate();
    gates.set(call.convoId, gate);
    call.report({ log: 'begun\n' });
    return gate.run(call);
  },
});

beforeAll(async () => {
  const env = { OPENAI_MODELS: 'gpt-4', AGENT_MAX_STEPS: '3', STREAM_IDLE_TIMEOUT: '600' };
  services = await openTestServices(env, { toolStopMs: 100 }, undefined, [sourceOf(echo, slow)]);
  alice = await services.as('alice');
});
afterAll(() => services.close());

let asked = 0;

/** Each question is another one: the fake provider counts the steps of the same. */
function asking(scenario: string, ...tools: string[]): AskInput {
  asked += 1;
  return question(`Please, number ${asked} [[${scenario}]]`, { model: 'gpt-4', settings: { tools } });
}

function callsOf({ parts }: Pick<Message, 'parts'>): ToolCall[] {
  return parts.filter(isLoopCall).map(({ call }) => call);
}

async function begun(input: AskInput) {
  await expect.poll(() => gates.has(input.conversationId)).toBe(true);
  const gate = gates.get(input.conversationId);
  await gate?.begun;
  return gate;
}

describe('a reply with tools', () => {
  it('takes several steps, of which one calls twice, and is saved whole', async () => {
    const { reply } = await exchange(services, alice.id, asking('calculate:2 + 3;6 * 7+++1/4', 'calculator'));
    expect(callsOf(reply)).toMatchObject([
      { id: '0:0', state: 'done', output: '5' },
      { id: '1:0', state: 'done', output: '42' },
      { id: '1:1', state: 'done', output: '0.25' },
    ]);
    expect(messageText(reply)).toBe('Let me see. Let me see. That is the result.');
    expect(reply).toMatchObject({ finishReason: 'stop', reason: null, unfinished: false });
    expect(reply.usage?.output).toBeGreaterThan(0);
  });

  it('sends the model its tools and the results of its calls', async () => {
    const lines = ['call calculator {"input":"2 + 3"}', 'call echo {"input":"twice"}'].join('\n');
    const input = question(`Do this:\n${lines}\n[[tool-steps]]`, {
      model: 'gpt-4',
      settings: { tools: ['calculator', 'echo'] },
    });
    const { reply, convo } = await exchange(services, alice.id, input);
    expect(callsOf(reply)).toMatchObject([
      { step: 0, state: 'done', output: '5' },
      { step: 1, state: 'done', output: 'echo says twice' },
    ]);
    expect(messageText(reply)).toContain(
      '- calculator: <data from="Calculator">\n5\n</data>\n- echo: <data from="echo">\necho says twice\n</data>',
    );
    const next = followUp('And again: call echo {"input":"more"} [[tool-steps]]', { reply, convo }, { model: 'gpt-4' });
    await exchange(services, alice.id, { ...next, settings: { tools: ['echo'] } });
    const { body } = await services.provider.waitForRequest(isAskedAbout('And again'));
    const { messages, tools } = body as { messages: { role: string }[]; tools: { function: { name: string } }[] };
    expect(tools.map((one) => one.function.name)).toEqual(['echo']);
    const roles = ['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant', 'user'];
    expect(messages.map(({ role }) => role)).toEqual(roles);
  });

  it('reaches a reader event by event, and folds to what is saved', async () => {
    const input = asking('calculate:1 + 1', 'calculator');
    await alice.api.messages.ask(input);
    const entries = await readAll(services, alice.id, input.generationId);
    const types = entries.map(({ event }) => event.type);
    expect(types).toContain('part');
    expect(types).toContain('input');
    expect(entries.at(-1)?.event).toMatchObject({ type: 'final' });
  });

  it('goes on after an unknown tool and broken arguments', async () => {
    const unknown = await exchange(services, alice.id, asking('call-tool:nowhere {}', 'echo'));
    expect(callsOf(unknown.reply)).toMatchObject([
      { state: 'failed', output: 'error processing tool: There is no tool named nowhere.' },
    ]);
    const broken = await exchange(services, alice.id, asking('call-tool:echo {"input":', 'echo'));
    expect(callsOf(broken.reply)).toMatchObject([{ state: 'failed' }]);
    expect(messageText(broken.reply)).toContain('That was it.');
  });

  it('ends at the limit of its steps when the model calls for ever', async () => {
    const { reply } = await exchange(services, alice.id, asking('call-forever:calculator', 'calculator'));
    expect(callsOf(reply).map(({ state }) => state)).toEqual(['done', 'done', 'failed']);
    expect(reply).toMatchObject({ finishReason: 'length', reason: null });
  });

  it('offers none where nothing is chosen: the call is shown as the provider sent it', async () => {
    const { reply } = await exchange(services, alice.id, asking('calculate:2 + 3'));
    expect(callsOf(reply)).toEqual([]);
    expect(reply.parts).toMatchObject([{ type: 'text' }, { type: 'tool_call', call: { output: null } }]);
  });

  it('is not taken for silent while a tool runs longer than a provider may be silent', async () => {
    const input = asking('call-tool:slow {}', 'slow');
    const final = exchange(services, alice.id, input);
    const gate = await begun(input);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    gate?.open();
    expect(callsOf((await final).reply)).toMatchObject([
      { state: 'done', output: 'let go', outputs: [{ type: 'logs', text: 'begun\n' }] },
    ]);
  });

  it('writes long arguments to its log once, not again with each fragment', async () => {
    const long = JSON.stringify({ input: 'x'.repeat(20_000) });
    const input = asking(`call-tool:slow ${long}`, 'slow');
    const final = exchange(services, alice.id, input);
    const gate = await begun(input);
    const rows = await services.deps.db.query
      .select()
      .from(generationEvents)
      .where(eq(generationEvents.generationId, input.generationId));
    const bytes = rows.reduce((sum, { event }) => sum + JSON.stringify(event).length, 0);
    gate?.open();
    expect(callsOf((await final).reply)[0]?.input).toBe(long);
    expect(rows.length).toBeLessThan(200);
    expect(bytes).toBeLessThan(100_000);
  });
});

describe('a stop while a tool runs', () => {
  it('ends the tool, and the next question works', async () => {
    const input = asking('call-tool:slow {}', 'slow');
    await alice.api.messages.ask(input);
    const gate = await begun(input);
    const stopped = await alice.api.messages.abort({ generationId: input.generationId });
    if (!stopped) throw new Error('Nothing was running');
    expect(gate?.isStopped()).toBe(true);
    expect(callsOf(stopped.reply)).toMatchObject([{ state: 'stopped', output: 'The user stopped this.', progress: 1 }]);
    expect(stopped.reply).toMatchObject({ finishReason: 'incomplete', reason: null });
    const next = await exchange(services, alice.id, followUp('And now?', stopped, { model: 'gpt-4' }));
    expect(next.reply.finishReason).toBe('stop');
  });

  it('is sent to the model when the reply is continued', async () => {
    const input = asking('call-tool:slow {}', 'slow');
    await alice.api.messages.ask(input);
    await begun(input);
    await alice.api.messages.abort({ generationId: input.generationId });
    const target = { kind: 'continue' as const, messageId: input.replyId };
    const { reply } = await exchange(services, alice.id, {
      ...asking('', 'slow'),
      conversationId: input.conversationId,
      replyId: input.replyId,
      target,
    });
    expect(callsOf(reply)).toMatchObject([{ state: 'stopped', output: 'The user stopped this.' }]);
    expect(messageText(reply)).toContain('That was it.');
  });
});
