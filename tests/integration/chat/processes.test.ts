// Two server processes on one database, as an operator runs them, and one of them killed.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { convos } from '@parley/db/tables/convos';
import { artifactsOfMessage } from '@parley/schema/artifacts/versions';
import { fold } from '@parley/schema/generation/fold';
import { isLoopCall, messageText, type Message } from '@parley/schema/messages/messages';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { scriptedStream, type Step } from '@parley/scripts/fake-provider/scenario';
import { build } from '@parley/scripts/build';
import { createDevice, registerAccount, type Device } from '@parley/scripts/api-client';
import { root } from '@parley/scripts/build-stamps';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';
import { isAskedAbout, question } from '../../support/exchange.ts';
import { createFolder } from '../../support/folders.ts';
import { openWay } from './database-way.ts';

let provider: FakeProvider;
/** The processes of one database share its secrets. */
const folder = createFolder();
let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  await build();
  provider = await startFakeProvider();
  database = await createTestDatabase();
});
afterAll(async () => {
  await provider.close();
  await database.drop();
});

describe('two processes', () => {
  it('share runs, also of several models at once: one asks, the other attaches, stops and recovers after a kill', async () => {
    const [one, other] = await Promise.all([start(), start()]);
    const account = await registerAccount(one.url, 'alice');
    const devices = [createDevice(one.url, account), createDevice(other.url, account)] as const;
    const [desk, phone] = devices;
    try {
      await isWatchedAndStopped(desk, phone);
      await isOneColumnStopped(desk, phone);
      const kill = () => isVersionKept(desk, phone, () => one.kill());
      await areColumnsSettled(desk, phone, () => isSettled(desk, phone, kill));
    } finally {
      for (const device of devices) await device.close();
      await Promise.all([one.kill(), other.kill()]);
    }
  });

  it('lose no reader when the one that is read from cannot reach the database for a while', async () => {
    const { folder: socket, user } = inject('database');
    const way = await openWay(socket);
    const away = `postgres://${user}@127.0.0.1:${way.port}/${database.connection.database}`;
    const [one, other] = await Promise.all([start(), start(away)]);
    const account = await registerAccount(one.url, 'bob');
    const devices = [createDevice(one.url, account), createDevice(other.url, account)] as const;
    const [desk, phone] = devices;
    try {
      const input = question('Read from afar', { model: 'fake:never-ending' });
      const { reply } = await desk.api.messages.ask.mutate(input);
      const watch = watching(phone, input.generationId, reply);
      await expect.poll(() => messageText(watch.reply()).length).toBeGreaterThan(20);
      way.cut();
      // Connections that are refused one after the other: a reader has looked several times meanwhile.
      await expect.poll(() => way.refused()).toBeGreaterThan(10);
      const before = messageText(watch.reply());
      way.reopen();
      await expect.poll(() => messageText(watch.reply()).length).toBeGreaterThan(before.length + 20);
      const final = await desk.api.messages.abort.mutate({ generationId: input.generationId });
      await expect.poll(() => watch.reply().finishReason).toBe('incomplete');
      expect(messageText(watch.reply())).toBe(final && messageText(final.reply));
      expect(watch.errors()).toEqual([]);
      watch.end();
    } finally {
      for (const device of devices) await device.close();
      await Promise.all([one.kill(), other.kill()]);
      way.close();
    }
  });
});

async function isWatchedAndStopped(desk: Device, phone: Device): Promise<void> {
  const input = question('Asked at the desk', { model: 'fake:never-ending' });
  const { reply } = await desk.api.messages.ask.mutate(input);
  const heard = await provider.waitForRequest(isAskedAbout('Asked at the desk'));
  const watch = watching(phone, input.generationId, reply);
  await expect.poll(() => messageText(watch.reply()).length).toBeGreaterThan(20);
  await expect(
    phone.api.messages.remove.mutate({ conversationId: input.conversationId, messageId: input.replyId }),
  ).rejects.toThrow('concurrent');
  const final = await phone.api.messages.abort.mutate({ generationId: input.generationId });
  expect(final?.reply).toMatchObject({ finishReason: 'incomplete', reason: null, unfinished: false });
  await expect.poll(() => heard.closedEarly).toBe(true);
  await expect.poll(() => watch.reply().finishReason).toBe('incomplete');
  expect(messageText(watch.reply())).toBe(final && messageText(final.reply));
  watch.end();
}

async function isSettled(desk: Device, phone: Device, kill: () => Promise<void>): Promise<void> {
  const input = question('Killed while it speaks', { model: 'fake:never-ending' });
  const { reply } = await desk.api.messages.ask.mutate(input);
  const watch = watching(phone, input.generationId, reply);
  await expect.poll(() => messageText(watch.reply()).length).toBeGreaterThan(20);
  await kill();
  const told = messageText(watch.reply());
  const conversation = { conversationId: input.conversationId };
  await expect.poll(() => watch.reply().finishReason).toBe('incomplete');
  expect(watch.reply()).toMatchObject({ unfinished: true, reason: { type: 'interrupted' } });
  expect(messageText(watch.reply()).startsWith(told)).toBe(true);
  expect(await phone.api.convos.byId.query(conversation)).toMatchObject({ running: null });
  const removed = await phone.api.convos.remove.mutate(conversation);
  expect(removed).toMatchObject({ deletedCount: 1, deletedMessages: 2 });
  watch.end();
}

/** Of two calls that make an artifact the second is being written when its process dies. */
async function isVersionKept(desk: Device, phone: Device, kill: () => Promise<void>): Promise<void> {
  const whole = { id: 'notes', kind: 'markdown', text: '# Notes\nOne.' };
  const change = (find: string, replace: string) => JSON.stringify({ id: 'notes', edits: [{ find, replace }] });
  provider.script('half-changed', {
    about: 'a call, and the beginning of the arguments of another',
    script: ({ tools }) => {
      const isSecond = tools?.steps.length === 1;
      const pieces = [isSecond ? change('One', 'Two').slice(0, -9) : JSON.stringify(whole)];
      const call: Step = { type: 'tool', call: { index: 0, id: 'call_1', name: 'artifact', pieces } };
      return scriptedStream(isSecond ? [call, { type: 'hang' }] : [call], { finish: 'tool_calls' });
    },
  });
  const settings = { tools: ['artifact'] };
  const input = question('Change it [[half-changed]]', { model: 'gpt-4', settings });
  const { reply } = await desk.api.messages.ask.mutate(input);
  const watch = watching(phone, input.generationId, reply);
  await expect.poll(() => statesOf(watch.reply())).toEqual(['done', 'writing']);
  await kill();
  await expect.poll(() => watch.reply().finishReason).toBe('incomplete');
  watch.end();
  expect(statesOf(watch.reply())).toEqual(['done', 'stopped']);
  expect(sourcesOf(watch.reply())).toEqual([whole.text]);

  // It goes on from the version that was made, at the process that is left.
  const target = { kind: 'send', messageId: randomUUID(), parentMessageId: input.replyId } as const;
  const again = question('', {
    conversationId: input.conversationId,
    model: 'fake:tool-steps',
    settings,
    target: { ...target, text: `call artifact ${change('One', 'Three')}` },
  });
  const begun = await phone.api.messages.ask.mutate(again);
  const next = watching(phone, again.generationId, begun.reply);
  await expect.poll(() => next.reply().finishReason).toBe('stop');
  next.end();
  expect(sourcesOf(next.reply())).toEqual(['# Notes\nThree.']);
}

function statesOf({ parts }: Message) {
  return parts.filter(isLoopCall).map(({ call }) => call.state);
}

function sourcesOf(reply: Message): string[] {
  return artifactsOfMessage(reply).map(({ source }) => source);
}

async function isOneColumnStopped(desk: Device, phone: Device): Promise<void> {
  const { input, watches } = await watchColumns(desk, phone, 2);
  const [stays, goes] = watches;
  const generationId = input.asks[1]?.generationId ?? '';
  const final = await phone.api.messages.abort.mutate({ generationId });
  expect(final?.reply).toMatchObject({ finishReason: 'incomplete', reason: null, unfinished: false });
  await expect.poll(() => goes?.reply().finishReason).toBe('incomplete');
  const before = textOf(stays);
  await expect.poll(() => textOf(stays).length).toBeGreaterThan(before.length + 20);
  expect(await marksOf(input)).toEqual({ running: input.asks[0]?.generationId, runsLeft: 1 });
  await phone.api.messages.abort.mutate({ generationId: input.asks[0]?.generationId ?? '' });
  expect(await marksOf(input)).toEqual({ running: null, runsLeft: 0 });
  for (const watch of watches) watch.end();
}

async function areColumnsSettled(desk: Device, phone: Device, kill: () => Promise<void>): Promise<void> {
  const { input, watches } = await watchColumns(desk, phone, 4);
  const seen = watches.map(({ reply }) => messageText(reply()));
  await kill();
  await expect.poll(() => marksOf(input)).toEqual({ running: null, runsLeft: 0 });
  await expect.poll(() => watches.map(({ reply }) => reply().reason?.type)).toEqual(Array(4).fill('interrupted'));
  for (const [place, { reply, end }] of watches.entries()) {
    expect(reply()).toMatchObject({ unfinished: true, finishReason: 'incomplete' });
    expect(messageText(reply()).startsWith(seen[place] ?? '')).toBe(true);
    end();
  }
  const { conversationId, asks } = input;
  const parentMessageId = watches[2]?.reply().parentMessageId ?? '';
  const target = { kind: 'regenerate', parentMessageId } as const;
  const again = question('', { conversationId, model: 'fake:plain', column: 2, target });
  const { reply } = await phone.api.messages.ask.mutate(again);
  const watch = watching(phone, again.generationId, reply);
  await expect.poll(() => watch.reply().finishReason).toBe('stop');
  watch.end();
  const { columns } = await phone.api.convos.byId.query({ conversationId });
  const before = asks.map(({ replyId }): string => replyId);
  expect(columns?.map(({ replyId }) => replyId)).toEqual(before.with(2, again.replyId));
  expect(await marksOf(input)).toEqual({ running: null, runsLeft: 0 });
}

/** Columns that are asked for at the desk and have said something on the phone. */
async function watchColumns(desk: Device, phone: Device, count: number) {
  const target = { kind: 'send', messageId: randomUUID(), parentMessageId: null, text: 'Side by side' } as const;
  const asks = Array.from({ length: count }, () => ({
    generationId: randomUUID(),
    replyId: randomUUID(),
    endpoint: 'openAI',
    model: 'fake:never-ending',
    settings: {},
    target,
  }));
  const input = { conversationId: randomUUID(), asks };
  const columns = await desk.api.messages.askMany.mutate(input);
  const watches = columns.map(({ generationId, reply }) => watching(phone, generationId, reply));
  await expect.poll(() => Math.min(...watches.map(({ reply }) => messageText(reply()).length))).toBeGreaterThan(20);
  return { input, watches };
}

function textOf(watch: ReturnType<typeof watching> | undefined): string {
  return watch ? messageText(watch.reply()) : '';
}

async function marksOf({ conversationId }: { conversationId: string }) {
  const { running, runsLeft } = convos;
  const [row] = await database.db.query.select({ running, runsLeft }).from(convos).where(eq(convos.id, conversationId));
  return row;
}

/** The reply as a device sees it grow. */
function watching({ api }: Device, generationId: string, begun: Message) {
  let reply = begun;
  const errors: unknown[] = [];
  const subscription = api.messages.attach.subscribe(
    { generationId },
    { onData: ({ data }) => void (reply = fold(reply, data)), onError: (error) => void errors.push(error.message) },
  );
  return { reply: () => reply, errors: () => errors, end: () => subscription.unsubscribe() };
}

interface Started {
  url: string;
  /** As a machine that is switched off. */
  kill(): Promise<void>;
}

/** A server of the sources on the test's database. */
async function start(databaseUrl = `postgres:///${database.connection.database}`): Promise<Started> {
  const { PATH = '', HOME = '' } = process.env;
  const { folder: socket, user } = inject('database');
  const env = {
    PATH,
    HOME,
    PGHOST: socket,
    PGUSER: user,
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
    OPENAI_API_KEY: 'fake',
    OPENAI_REVERSE_PROXY: `${provider.url}/v1`,
  };
  const child = spawn(process.execPath, [join(root, 'server/dist/main.js')], { cwd: root, env });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    url: await readyUrl(child, gone),
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function readyUrl(child: ChildProcess, gone: Promise<void>): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    for (const output of [child.stdout, child.stderr])
      output?.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        const url = /ready on (\S+)/.exec(said)?.[1];
        if (url) resolve(url);
      });
    void gone.then(() => reject(new Error(`The server ended: ${said}`)));
  });
}
