// Two servers on one database: the answers of a person end with the person's right to ask, wherever they run.
import { randomUUID } from 'node:crypto';
import { generations } from '@parley/db/tables/generations';
import { users } from '@parley/db/tables/users';
import type { AskInput } from '@parley/schema/chat/ask';
import { isLoopCall, messageText, type Message, type ToolCall } from '@parley/schema/messages/messages';
import { requestDeletion } from '@parley/server/auth/account/deletion';
import { signOutOthers } from '@parley/server/auth/account/devices';
import { resetPassword } from '@parley/server/auth/reset/reset-password';
import { createResetLink } from '@parley/server/auth/reset/reset-links';
import { revokeAllSessions } from '@parley/server/auth/session/sessions';
import { createViolations } from '@parley/server/abuse/violations';
import { foldAll, readEntries } from '@parley/server/messages/stored-log';
import { createServices, type Services } from '@parley/server/services';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerRequests, exchange, isAskedAbout, question, untilText } from '../../support/exchange.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { createGate, createTool, sourceOf } from '../../support/tools/agents.ts';

let services: TestServices;
let neighbour: Services;
const gate = createGate();
const tools = sourceOf(createTool('slow', { isRepeatable: false, run: gate.run }));

beforeAll(async () => {
  services = await openTestServices({ OPENAI_MODELS: 'gpt-4,fake:never-ending' }, { toolStopMs: 100 }, undefined, [
    tools,
  ]);
  const { config, secrets, db, log } = services.deps;
  neighbour = await createServices({ config, secrets, db, log, demo: null, toolSources: [tools] });
});
afterAll(async () => {
  await neighbour.close();
  await services.close();
});

const http = { headers: new Headers(), ip: '127.0.0.1', setHeader() {}, secure: false };

const ends: [string, 'alice' | 'bob' | 'carol' | 'dave', (person: Person) => Promise<unknown>][] = [
  ['a ban', 'alice', ({ id }) => ban(id)],
  [
    'the wish to delete the account',
    'bob',
    ({ id }) =>
      requestDeletion(neighbour.deps, http, { userId: id, sid: randomUUID() }, { confirmation: 'bob@example.com' }),
  ],
  ['the end of all sessions', 'carol', ({ id }) => revokeAllSessions(neighbour.deps.db, id)],
  ['a new password by a reset link', 'dave', resetByLink],
];

describe.each(ends)('%s at another server', (_end, name, end) => {
  it('ends the answers that run, saved with what arrived, and nothing more is called', async () => {
    const person = await services.as(name);
    const [talking, calling] = [askingAtLength(name), askingForTool(name)];
    await person.api.messages.ask(talking);
    await untilText(services, person.id, talking.generationId);
    const heard = await services.provider.waitForRequest(isAskedAbout(`At length for ${name}`));
    await person.api.messages.ask(calling);
    await expect.poll(async () => callOf(await replyOf(person, calling))?.state).toBe('running');
    const calls = answerRequests(services.provider).length;
    await end(person);
    await expect.poll(() => isRunning(talking)).toBe(false);
    await expect.poll(() => isRunning(calling)).toBe(false);
    const talked = await replyOf(person, talking);
    expect(talked).toMatchObject({ finishReason: 'incomplete', unfinished: false, reason: null });
    expect(messageText(talked).length).toBeGreaterThan(0);
    expect(callOf(await replyOf(person, calling))).toMatchObject({ state: 'stopped' });
    await expect.poll(() => heard.closedEarly).toBe(true);
    expect(answerRequests(services.provider).length).toBe(calls);
  });
});

describe('signing out the other devices', () => {
  it('leaves the answers of the one that asks', async () => {
    const erin = await services.as('erin');
    const input = askingAtLength('erin');
    await erin.api.messages.ask(input);
    await untilText(services, erin.id, input.generationId);
    await signOutOthers(neighbour.deps, http, { userId: erin.id, sid: randomUUID() });
    const before = messageText(await replyOf(erin, input)).length;
    await expect.poll(async () => messageText(await replyOf(erin, input)).length).toBeGreaterThan(before);
    const final = await erin.api.messages.abort({ generationId: input.generationId });
    expect(final?.reply.finishReason).toBe('incomplete');
  });
});

describe('an ask that was under way', () => {
  it.each([
    ['a banned person', { bannedUntil: '2200-01-01T00:00:00Z' }, 'banned'],
    ['a person who is to be deleted', { deletionDueAt: 'infinity' }, 'unauthorized'],
  ] as const)('of %s is refused before anything is written', async (_who, refused, reason) => {
    const { id } = await services.as('alice');
    await set(id, { bannedUntil: null, deletionDueAt: null, ...refused });
    for (const input of [askedFor('Too late'), askedFor('Too late', { isTemporary: true })]) {
      await expect(services.deps.askService.ask(id, input)).rejects.toMatchObject({ reason: { type: reason } });
      expect(await isKnown(input)).toBe(false);
    }
    await set(id, { bannedUntil: null, deletionDueAt: null });
    expect((await exchange(services, id, askedFor('In time'))).reply.finishReason).toBe('stop');
  });

  async function set(id: string, values: Partial<typeof users.$inferInsert>): Promise<void> {
    await services.deps.db.query.update(users).set(values).where(eq(users.id, id));
  }

  async function isKnown({ generationId }: AskInput): Promise<boolean> {
    return (await services.deps.db.query.$count(generations, eq(generations.id, generationId))) > 0;
  }
});

function askingAtLength(name: string): AskInput {
  return question(`At length for ${name}`, { model: 'fake:never-ending' });
}

function askingForTool(name: string): AskInput {
  return question(`[[tool-steps]] call slow {}\nfor ${name}`, { model: 'gpt-4', settings: { tools: ['slow'] } });
}

async function ban(userId: string): Promise<void> {
  const { db, log, auth, config } = neighbour.deps;
  const bans = { ...config.bans, enabled: true, interval: 1 };
  await createViolations({ db, log, auth, bans }).count({ userId, ip: null }, 'concurrent');
}

async function resetByLink({ id }: Person): Promise<void> {
  const { db, config } = neighbour.deps;
  const link = new URL(await createResetLink(db, config.server, id, { mailed: false }));
  await resetPassword(neighbour.deps, http, {
    userId: id,
    token: link.searchParams.get('token') ?? '',
    password: 'ten green bottles',
  });
}

/** The reply in the database, with what the log of its run has. */
async function replyOf({ api }: Person, { conversationId, replyId, generationId }: AskInput): Promise<Message> {
  const entries = await readEntries(services.deps.db, generationId, 0);
  const stored = (await api.messages.list({ conversationId })).find(({ messageId }) => messageId === replyId);
  if (!stored) throw new Error('There is no such reply');
  return foldAll(stored, entries);
}

function callOf({ parts }: Message): ToolCall | undefined {
  return parts.find(isLoopCall)?.call;
}

async function isRunning({ generationId }: AskInput): Promise<boolean> {
  const [row] = await services.deps.db.query.select().from(generations).where(eq(generations.id, generationId));
  return row?.endedAt === null;
}

function askedFor(text: string, over: Partial<AskInput> = {}): AskInput {
  return question(text, { model: 'gpt-4', ...over });
}
