// Answers that wait for a person, and those whose process died: they are resumed in the same reply.
import { randomUUID } from 'node:crypto';
import { generationEvents } from '@parley/db/tables/generations';
import type { AskInput, Decision } from '@parley/schema/chat/ask';
import type { FinalEvent } from '@parley/schema/generation/events';
import { isLoopCall, messageText, type Message, type ToolCall } from '@parley/schema/messages/messages';
import { recoverExpiredRuns } from '@parley/server/chat/recovery';
import { createServices, type Services } from '@parley/server/services';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTool, sourceOf } from '../../support/tools/agents.ts';
import { exchange, followUp, question } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let neighbour: Services;
let alice: Person;
let bob: Person;
const ran: string[] = [];
/** Lets calls of `hanging` and `once` hang while it is set. */
let isHanging = false;

const asking = createTool('asking', {
  asks: 'first',
  run: async ({ args }) => {
    ran.push(String(args.input));
    return { type: 'done', text: 'sent' };
  },
});
const hang = async () => {
  if (isHanging) await new Promise(() => undefined);
  return { type: 'done' as const, text: 'at last' };
};
const tools = sourceOf(
  asking,
  createTool('hanging', { run: hang }),
  createTool('once', { run: hang, isRepeatable: false }),
);

beforeAll(async () => {
  services = await openTestServices({ OPENAI_MODELS: 'gpt-4' }, { toolStopMs: 50 }, undefined, [tools]);
  const { config, secrets, db, log } = services.deps;
  neighbour = await createServices({ config, secrets, db, log, demo: null, toolSources: [tools] });
  [alice, bob] = await Promise.all([services.as('alice'), services.as('bob')]);
});
afterAll(async () => {
  await neighbour.close();
  await services.close();
});

let asked = 0;

function callingTool(name: string, input = 'a', text = ''): AskInput {
  asked += 1;
  const words = `Number ${asked} ${text} [[call-tool:${name} ${JSON.stringify({ input })}]]`;
  return question(words, { model: 'gpt-4', settings: { tools: ['asking', 'hanging', 'once'] } });
}

type Ended = Pick<FinalEvent, 'convo' | 'reply'>;

function resumed({ convo, reply }: Ended, decisions: Record<string, Decision>): AskInput {
  const { messageId } = reply;
  return {
    ...question('', { model: 'gpt-4', settings: convo.settings }),
    conversationId: convo.conversationId,
    replyId: messageId,
    target: { kind: 'resume', messageId, decisions },
  };
}

function continued({ convo, reply }: Ended): AskInput {
  const { messageId } = reply;
  const target = { kind: 'continue' as const, messageId };
  return { ...resumed({ convo, reply }, {}), target };
}

function callsOf({ parts }: Pick<Message, 'parts'>): ToolCall[] {
  return parts.filter(isLoopCall).map(({ call }) => call);
}

async function replyOf({ convo, reply }: Ended): Promise<Message> {
  const messages = await alice.api.messages.list({ conversationId: convo.conversationId });
  const found = messages.find(({ messageId }) => messageId === reply.messageId);
  if (!found) throw new Error('The reply is gone');
  return found;
}

describe('a call that waits for approval', () => {
  it('ends the run and leaves the conversation free', async () => {
    const final = await exchange(services, alice.id, callingTool('asking'));
    expect(final.reply).toMatchObject({ finishReason: 'tool_calls', reason: null, unfinished: false });
    expect(callsOf(final.reply)).toMatchObject([{ state: 'waiting', needs: 'approval' }]);
    expect(final.convo.running).toBeNull();
  });

  it('is carried out when another device allows it, in the same reply', async () => {
    const final = await exchange(services, alice.id, callingTool('asking', 'elsewhere'));
    const there = { ...services, deps: neighbour.deps };
    const { reply } = await exchange(there, alice.id, resumed(final, { '0:0': 'allow' }));
    expect(reply.messageId).toBe(final.reply.messageId);
    expect(callsOf(reply)).toMatchObject([{ id: '0:0', state: 'done', output: 'sent' }]);
    expect(messageText(reply)).toContain('That was it.');
    expect(reply).toMatchObject({ finishReason: 'stop', reason: null });
    expect(ran.filter((input) => input === 'elsewhere')).toEqual(['elsewhere']);
  });

  it('is carried out once when two devices decide', async () => {
    const final = await exchange(services, alice.id, callingTool('asking', 'twice'));
    const both = [resumed(final, { '0:0': 'allow' }), resumed(final, { '0:0': 'deny' })];
    const results = await Promise.allSettled(both.map((input) => alice.api.messages.ask(input)));
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect.poll(async () => (await replyOf(final)).unfinished).toBe(false);
    const later = resumed(final, { '0:0': 'allow' });
    await expect(alice.api.messages.ask(later)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(ran.filter((input) => input === 'twice').length).toBeLessThanOrEqual(1);
  });

  it('and the same decision sent again gets the first result', async () => {
    const final = await exchange(services, alice.id, callingTool('asking', 'again'));
    const input = resumed(final, { '0:0': 'allow' });
    await exchange(services, alice.id, input);
    expect((await alice.api.messages.ask(input)).reply.messageId).toBe(final.reply.messageId);
    expect(ran.filter((one) => one === 'again')).toEqual(['again']);
  });

  it('is reported to the model as denied when a person denies it', async () => {
    const final = await exchange(services, alice.id, callingTool('asking', 'denied'));
    const { reply } = await exchange(services, alice.id, resumed(final, { '0:0': 'deny' }));
    expect(callsOf(reply)).toMatchObject([{ state: 'denied', output: 'The user did not allow this.' }]);
    expect(messageText(reply)).toContain('That was it.');
    expect(ran).not.toContain('denied');
  });

  it('is denied when something else is asked below', async () => {
    const final = await exchange(services, alice.id, callingTool('asking', 'ignored'));
    await exchange(services, alice.id, followUp('Never mind', final, { model: 'gpt-4' }));
    expect(callsOf(await replyOf(final))).toMatchObject([{ state: 'denied' }]);
    const late = resumed(final, { '0:0': 'allow' });
    await expect(alice.api.messages.ask(late)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(ran).not.toContain('ignored');
  });

  it('goes on waiting for a decision about another call', async () => {
    const final = await exchange(services, alice.id, callingTool('asking', 'patient'));
    const { reply } = await exchange(services, alice.id, resumed(final, { '7:7': 'allow' }));
    expect(callsOf(reply)).toMatchObject([{ state: 'waiting' }]);
    expect(reply.finishReason).toBe('tool_calls');
  });

  it('asks no more once it is always allowed, until that is revoked', async () => {
    const final = await exchange(services, alice.id, callingTool('asking', 'first'));
    await exchange(services, alice.id, resumed(final, { '0:0': 'always' }));
    const [grant] = await alice.api.tools.grants();
    expect(grant).toMatchObject({ tool: 'plugin:asking:asking' });
    const next = await exchange(services, alice.id, callingTool('asking', 'second'));
    expect(callsOf(next.reply)).toMatchObject([{ state: 'done' }]);
    expect(await bob.api.tools.grants()).toEqual([]);
    expect(await bob.api.tools.revoke({ tool: grant?.tool ?? '' })).toEqual({ count: 0 });
    expect(await alice.api.tools.revoke({ tool: grant?.tool ?? '' })).toEqual({ count: 1 });
    const last = await exchange(services, alice.id, callingTool('asking', 'third'));
    expect(callsOf(last.reply)).toMatchObject([{ state: 'waiting' }]);
  });

  it('is not found by another user', async () => {
    const final = await exchange(services, alice.id, callingTool('asking', 'hers'));
    const his = resumed(final, { '0:0': 'allow' });
    await expect(bob.api.messages.ask(his)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(ran).not.toContain('hers');
  });
});

describe('a process that dies while a tool runs', () => {
  /** As after kill -9: its log is what was written, its lease has expired. */
  async function killed(tool: string): Promise<Ended> {
    isHanging = true;
    const input = callingTool(tool);
    const { convo, reply } = await neighbour.deps.askService.ask(alice.id, input);
    await expect.poll(() => stateInLog(input.generationId)).toBe('running');
    await services.deps.db.sql`
      update generations set lease_until = now() - interval '1 hour', owner = ${randomUUID()}
      where id = ${input.generationId}`;
    await recoverExpiredRuns(services.deps.db, randomUUID());
    isHanging = false;
    return { convo, reply };
  }

  async function stateInLog(generationId: string): Promise<string | undefined> {
    const rows = await services.deps.db.query
      .select()
      .from(generationEvents)
      .where(eq(generationEvents.generationId, generationId))
      .orderBy(generationEvents.seq);
    const parts = rows.flatMap(({ event }) => (event.type === 'part' ? event.value : []));
    return parts.filter(isLoopCall).at(-1)?.call.state;
  }

  it('leaves a repeatable call to be carried out again', async () => {
    const left = await killed('hanging');
    const before = await replyOf(left);
    expect(callsOf(before)).toMatchObject([{ state: 'stopped', output: null }]);
    expect(before).toMatchObject({ reason: { type: 'interrupted' }, unfinished: true });
    const { reply } = await exchange(services, alice.id, continued(left));
    expect(callsOf(reply)).toMatchObject([{ state: 'done', output: 'at last' }]);
    expect(reply).toMatchObject({ finishReason: 'stop', reason: null });
  });

  it('reports any other as unknown, and does not repeat it', async () => {
    const left = await killed('once');
    const unknown = 'error processing tool: It is not known whether this was carried out.';
    expect(callsOf(await replyOf(left))).toMatchObject([{ state: 'unknown', output: unknown }]);
    const { reply } = await exchange(services, alice.id, continued(left));
    expect(callsOf(reply)).toMatchObject([{ state: 'unknown', output: unknown }]);
    expect(messageText(reply)).toContain('That was it.');
  });
});
