// An answer with tools as browsers follow it: over HTTP and websockets.
import type { AskInput } from '@parley/schema/chat/ask';
import type { FinalEvent, GenerationEvent } from '@parley/schema/generation/events';
import { fold } from '@parley/schema/generation/fold';
import { isLoopCall, type Message, type MessagePart } from '@parley/schema/messages/messages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { question } from '../../support/exchange.ts';
import { openHttpClients, type Browser, type HttpClients } from '../../support/http-clients.ts';
import { createTool, sourceOf } from '../../support/tools/agents.ts';

let clients: HttpClients;
let alice: Browser;

const asking = createTool('asking', {
  asks: 'first',
  async run({ report, args }) {
    for (let n = 0; n < 50; n += 1) report({ log: `line ${n}\n`, progress: n / 50 });
    return { type: 'done', text: `sent ${String(args.input)}` };
  },
});

beforeAll(async () => {
  clients = await openHttpClients({
    env: { OPENAI_MODELS: 'gpt-4' },
    timings: { askTimeoutMs: 60_000 },
    toolSources: [sourceOf(asking)],
  });
  alice = await clients.signUp('alice');
});
afterAll(async () => {
  await alice.close();
  await clients.close();
});

interface Followed {
  /** As the events before the last one leave it. */
  folded: MessagePart[];
  types: Set<GenerationEvent['type']>;
  final: FinalEvent;
}

/** Asks, with a reader that the server knows of before. */
function followed(browser: Browser, input: AskInput): Promise<Followed> {
  return new Promise((resolve, reject) => {
    let reply: Message | undefined;
    const types = new Set<GenerationEvent['type']>();
    const subscription = browser.api.messages.attach.subscribe(
      { generationId: input.generationId },
      {
        onStarted: () => void browser.api.messages.ask.mutate(input).catch(reject),
        onData({ data: event }) {
          types.add(event.type);
          if (event.type !== 'final') {
            reply = event.type === 'created' ? event.reply : reply && fold(reply, event);
            return;
          }
          subscription.unsubscribe();
          resolve({ folded: reply?.parts ?? [], types, final: event });
        },
        onError: reject,
      },
    );
  });
}

describe('over a websocket', () => {
  it('a call is followed as it is written, waits, and is carried out from another place', async () => {
    const text = 'Send it [[call-tool:asking {"input":"letter"}]]';
    const asked = question(text, { model: 'gpt-4', settings: { tools: ['asking'] } });
    const first = await followed(alice, asked);
    expect(first.folded).toEqual(first.final.reply.parts);
    expect(first.folded.filter(isLoopCall).map(({ call }) => call.state)).toEqual(['waiting']);
    expect(first.types).toContain('input');

    const { messageId } = first.final.reply;
    const decided = await followed(alice, {
      ...question('', { model: 'gpt-4', settings: { tools: ['asking'] } }),
      conversationId: asked.conversationId,
      replyId: messageId,
      target: { kind: 'resume', messageId, decisions: { '0:0': 'allow' } },
    });
    expect(decided.folded).toEqual(decided.final.reply.parts);
    expect(decided.types).toContain('log');
    const [call] = decided.folded.filter(isLoopCall);
    expect(call?.call).toMatchObject({ state: 'done', output: 'sent letter' });
    const lines = Array.from({ length: 50 }, (_, n) => `line ${n}\n`).join('');
    expect(call?.call.outputs).toEqual([{ type: 'logs', text: lines }]);
  });

  it('the tools of a server can be listed', async () => {
    const listed = await alice.api.tools.list.query();
    expect(listed.map(({ key }) => key)).toEqual(expect.arrayContaining(['calculator', 'asking']));
    expect(await alice.api.tools.grants.query()).toEqual([]);
  });
});
