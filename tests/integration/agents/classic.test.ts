// The classic agent in the middle of its work: stopped, left by its provider, and waiting for a decision.
import type { AskInput, Decision } from '@parley/schema/chat/ask';
import type { FinalEvent, GenerationEvent } from '@parley/schema/generation/events';
import { isLoopCall, messageText, type Message, type ToolCall } from '@parley/schema/messages/messages';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exchange, followUp, isAskedAbout, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { createGate, createTool, sourceOf } from '../../support/tools/agents.ts';

let services: TestServices;
let alice: Person;
let gate = createGate();
const ran: string[] = [];

const tools = sourceOf(
  createTool('echo'),
  createTool('slow', { run: (call) => gate.run(call) }),
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
  alice = await services.as('alice');
});
afterAll(() => services.close());
beforeEach(() => void (gate = createGate()));

const byPlugins = { endpoint: 'gptPlugins', model: 'gpt-4' };

let asked = 0;

/** The steps of the model, as its scenario takes them. */
function asking(steps: string, skipCompletion = true): AskInput {
  asked += 1;
  const agentOptions = { agent: 'classic' as const, skipCompletion, model: 'gpt-4', temperature: 0 };
  const settings = { tools: ['echo', 'slow', 'asking'], agentOptions };
  return question(`Number ${asked}. [[classic:${steps}]]`, { endpoint: 'gptPlugins', model: 'gpt-4', settings });
}

function callsOf({ parts }: Pick<Message, 'parts'>): ToolCall[] {
  return parts.filter(isLoopCall).map(({ call }) => call);
}

function thoughtsOf({ parts }: Pick<Message, 'parts'>): string {
  return parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join('\n');
}

/** Asks, and resolves at the first event of the answer that fits. */
async function askUntil(input: AskInput, fits: (event: GenerationEvent) => boolean): Promise<void> {
  await alice.api.messages.ask(input);
  const entries = services.deps.askService.attach(alice.id, input.generationId, 0, AbortSignal.timeout(60_000));
  for await (const { event } of entries) if (fits(event)) return;
  throw new Error('The answer ended before');
}

async function stop({ generationId }: AskInput): Promise<FinalEvent> {
  const stopped = await alice.api.messages.abort({ generationId });
  if (!stopped) throw new Error('Nothing was running');
  return stopped;
}

/** What the model was shown when it was last asked this. */
function lastAsked(words: string): string {
  return JSON.stringify(services.provider.requests.findLast(isAskedAbout(words))?.body);
}

describe('a stop of the classic agent', () => {
  it.each([true, false])(
    'while a tool runs ends the tool; the next question works (skips completion: %s)',
    async (skips) => {
      const input = asking('echo "first";slow "now"', skips);
      await alice.api.messages.ask(input);
      await gate.begun;
      const stopped = await stop(input);
      expect(gate.isStopped()).toBe(true);
      expect(callsOf(stopped.reply)).toMatchObject([
        { name: 'echo', state: 'done', output: 'echo says first' },
        { name: 'slow', state: 'stopped' },
      ]);
      expect(thoughtsOf(stopped.reply)).toContain('I need slow.');
      expect(stopped.reply).toMatchObject({ finishReason: 'incomplete', reason: null });
      expect(messageText(stopped.reply)).toBe('');

      const { settings } = stopped.convo;
      const again = followUp('And now? [[classic:echo "later"]]', stopped, { ...byPlugins, settings });
      const { reply } = await exchange(services, alice.id, again);
      expect(callsOf(reply)).toMatchObject([{ name: 'echo', output: 'echo says later' }]);
      expect(reply.finishReason).toBe('stop');
    },
  );

  it('keeps its calls and its thought while the model thinks', async () => {
    const input = asking('echo "first";ponder');
    let reasoning = '';
    await askUntil(input, (event) => {
      if (event.type === 'reasoning') reasoning += event.text;
      return reasoning.includes('Then I');
    });
    const stopped = await stop(input);
    expect(callsOf(stopped.reply)).toMatchObject([{ name: 'echo', state: 'done' }]);
    expect(thoughtsOf(stopped.reply)).toMatch(/I need echo\.\s+I think about it\.\nThen I/);
    expect(stopped.reply).toMatchObject({ finishReason: 'incomplete', reason: null });
  });
});

describe('an error of the provider between two steps of the classic agent', () => {
  it('ends the reply with its reason, keeps what was done, and the reply can be asked for again', async () => {
    const input = asking('echo "first";fail');
    const failed = await exchange(services, alice.id, input);
    expect(failed.reply.reason).toMatchObject({ type: 'provider_unavailable' });
    expect(callsOf(failed.reply)).toMatchObject([{ name: 'echo', state: 'done', output: 'echo says first' }]);
    expect(thoughtsOf(failed.reply)).toContain('I think about it.');
    if (input.target.kind !== 'send') throw new Error('It was not sent');
    const { messageId: parentMessageId } = input.target;
    const { conversationId, settings } = failed.convo;
    const again = question('', {
      ...byPlugins,
      conversationId,
      settings,
      target: { kind: 'regenerate', parentMessageId },
    });
    const { reply } = await exchange(services, alice.id, again);
    expect(callsOf(reply)).toMatchObject([{ name: 'echo', state: 'done' }]);
    expect(messageText(reply)).toBe('It is echo says first.\nAll told.');
    expect(reply).toMatchObject({ finishReason: 'stop', reason: null });
  });
});

describe('a call of the classic agent that asks for approval', () => {
  async function waiting(name: string, skipCompletion = true) {
    const final = await exchange(services, alice.id, asking(`echo "first";asking "${name}"`, skipCompletion));
    expect(final.reply).toMatchObject({ finishReason: 'tool_calls', reason: null });
    expect(callsOf(final.reply)).toMatchObject([
      { id: '0:0', state: 'done' },
      { id: '1:0', state: 'waiting', needs: 'approval', input: `{"input":"${name}"}` },
    ]);
    const { conversationId, settings } = final.convo;
    const { messageId } = final.reply;
    const number = asked;
    const decide = (decision: Decision) =>
      exchange(services, alice.id, {
        ...question('', { ...byPlugins, settings }),
        conversationId,
        replyId: messageId,
        target: { kind: 'resume', messageId, decisions: { '1:0': decision } },
      });
    return { decide, words: `Number ${number}.` };
  }

  it('is carried out when it is allowed, and the model goes on after all its steps', async () => {
    const { decide, words } = await waiting('mail');
    const { reply } = await decide('allow');
    expect(ran).toContain('mail');
    expect(callsOf(reply)).toMatchObject([{ state: 'done' }, { id: '1:0', state: 'done', output: 'sent' }]);
    expect(messageText(reply)).toBe('It is sent.\nAll told.');
    expect(reply).toMatchObject({ finishReason: 'stop', reason: null });
    const shown = lastAsked(words);
    expect(shown).toMatch(
      /Your steps so far:\\nThought: I need echo\.\\nAction: echo.*echo says first.*Thought: I need asking\.\\nAction: asking.*Observation:[^:]*sent/,
    );
    expect(shown).not.toContain('"tools"');
    expect(shown).toContain('Action Input: the input of the tool');
  });

  it('does not run when it is denied, and the model is informed', async () => {
    const { decide, words } = await waiting('secret');
    const { reply } = await decide('deny');
    expect(ran).not.toContain('secret');
    expect(callsOf(reply)).toMatchObject([{ state: 'done' }, { state: 'denied' }]);
    expect(lastAsked(words)).toMatch(/Action: asking.*Observation: /);
    expect(reply).toMatchObject({ finishReason: 'stop', reason: null });
  });

  it('has the reply written by the completion only after the decision', async () => {
    const { decide, words } = await waiting('letter', false);
    expect(lastAsked(words)).not.toContain('Preliminary answer');
    const { reply } = await decide('allow');
    expect(callsOf(reply)).toMatchObject([{ state: 'done' }, { state: 'done', output: 'sent' }]);
    expect(lastAsked(words)).toContain('Preliminary answer');
    expect(lastAsked(words)).toContain('It is sent.');
    expect(reply.finishReason).toBe('stop');
  });
});
