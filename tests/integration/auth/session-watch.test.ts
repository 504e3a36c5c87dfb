// Two servers on one database: what is open at the one ends when the sign-in is ended at the other.
import type { AddressInfo } from 'node:net';
import { sessions } from '@parley/db/tables/users';
import { createApp } from '@parley/server/app';
import { createResetLink } from '@parley/server/auth/reset/reset-links';
import { createSessionWatch } from '@parley/server/http/session-watch';
import { createServices, type Services } from '@parley/server/services';
import { createViolations } from '@parley/server/abuse/violations';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { question } from '../../support/exchange.ts';
import { question as restQuestion } from '../../support/rest/client.ts';
import { openHttpClients, opened, type Browser, type HttpClients } from '../../support/http-clients.ts';

vi.setConfig({ testTimeout: 60_000 });

const PASSWORD = 'correct horse battery';
const ENDED = { interval: 50 };

let here: HttpClients;
let there: { services: Services; host: string; close(): Promise<void> };
const leaving: (() => unknown)[] = [];
let count = 0;

beforeAll(async () => {
  here = await openHttpClients();
  there = await openBeside(here);
});
afterEach(async () => {
  for (const leave of leaving.splice(0)) await leave();
});
afterAll(async () => {
  await there.close();
  await here.close();
});

/** What stays open: how it is opened, and whether it has ended. */
interface Open {
  isClosed(): boolean;
  received(): string;
}

const kinds: [string, (browser: Browser) => Promise<Open>][] = [
  ['a websocket', openSocket],
  ['an event stream of changes', (browser) => openStream(browser, '/trpc/convos.changes')],
  ['an event stream of an answer', openAnswer],
  ['the stream of a REST ask', openRestAsk],
  ['an import whose sender is silent', openImport],
];

const ends: [string, (browser: Browser, name: string) => Promise<unknown>][] = [
  ['signing out', (browser) => call(there.host, browser, 'auth.logout', undefined)],
  [
    'changing the password',
    async (browser, name) => {
      const { token } = await signIn(name);
      const change = { password: 'ten green bottles' };
      await call(there.host, { ...browser, token }, 'auth.stepUp.prove', { password: PASSWORD });
      await call(there.host, { ...browser, token }, 'auth.changePassword', change);
    },
  ],
  [
    'resetting the password',
    async ({ userId }) => {
      const { db, config } = there.services.deps;
      const link = new URL(await createResetLink(db, config.server, userId, { mailed: false }));
      const token = link.searchParams.get('token') ?? '';
      const chosen = { password: 'ten green bottles', confirm_password: 'ten green bottles' };
      await call(there.host, null, 'auth.resetPassword', { userId, token, ...chosen });
    },
  ],
  ['a ban', ({ userId }) => ban(userId)],
  [
    'a sign-out of which no word arrives',
    ({ userId }) => there.services.deps.db.query.delete(sessions).where(eq(sessions.userId, userId)),
  ],
];

describe.each(kinds)('%s', (_kind, open) => {
  it.each(ends)('ends after %s in another process', async (_end, end) => {
    const { name, browser } = await signUp();
    const stream = await open(browser);
    expect(stream.isClosed()).toBe(false);
    await end(browser, name);
    await expect.poll(stream.isClosed, ENDED).toBe(true);
  });
});

describe('after the session ends', () => {
  it('an event stream and a websocket deliver nothing more', async () => {
    const { name, browser } = await signUp();
    const streams = [await openStream(browser, '/trpc/convos.changes'), await openSocket(browser)];
    const { token } = await signIn(name);
    await call(here.host, { ...browser, token }, 'drafts.save', draft('typed before'));
    for (const { received } of streams) await expect.poll(received, ENDED).toContain('typed before');
    const change = { password: 'ten green bottles' };
    await call(there.host, { ...browser, token }, 'auth.stepUp.prove', { password: PASSWORD });
    await call(there.host, { ...browser, token }, 'auth.changePassword', change);
    for (const { isClosed } of streams) await expect.poll(isClosed, ENDED).toBe(true);
    await call(here.host, { ...browser, token }, 'drafts.save', draft('typed after'));
    for (const { received } of streams) expect(received()).not.toContain('typed after');
  });

  it('the other session of the same user continues', async () => {
    const { name, browser } = await signUp();
    const other = { ...browser, token: (await signIn(name)).token };
    const [gone, kept] = [
      await openStream(browser, '/trpc/convos.changes'),
      await openStream(other, '/trpc/convos.changes'),
    ];
    await call(there.host, browser, 'auth.logout', undefined);
    await expect.poll(gone.isClosed, ENDED).toBe(true);
    await call(there.host, other, 'drafts.save', draft('still here'));
    await expect.poll(kept.received, ENDED).toContain('still here');
    expect(kept.isClosed()).toBe(false);
  });
});

describe('the session watch', () => {
  it('checks all open sessions in one query at a time, and none when nothing is open', async () => {
    let asking = 0;
    const asked: string[][] = [];
    const auth = {
      ...here.services.deps.auth,
      async findEnded(sids: string[]) {
        asked.push(sids);
        asking += 1;
        expect(asking).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 20));
        asking -= 1;
        return [];
      },
    };
    const watch = createSessionWatch(auth, 1);
    const stops = ['a', 'b', 'a'].map((sid) => watch.watch({ userId: 'u', sid }, () => {}));
    await expect.poll(() => asked.length).toBeGreaterThan(3);
    expect(asked.every((sids) => sids.join() === 'a,b')).toBe(true);
    for (const stop of stops) stop();
    await expect.poll(() => asking).toBe(0);
    const before = asked.length;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(asked.length).toBe(before);
  });

  it('ends no session while the database is down', async () => {
    const failing = () => Promise.reject(new Error('gone'));
    let isDown = true;
    let asked = 0;
    const findEnded = (sids: string[]) => ((asked += 1), isDown ? failing() : Promise.resolve(sids));
    const ended: string[] = [];
    const watch = createSessionWatch({ ...here.services.deps.auth, findEnded, isSignedIn: failing }, 1);
    watch.watch({ userId: 'u', sid: 'a' }, () => ended.push('a'));
    here.services.deps.auth.invalidate('a');
    await expect.poll(() => asked).toBeGreaterThan(3);
    expect(ended).toEqual([]);
    isDown = false;
    await expect.poll(() => ended).toEqual(['a']);
  });
});

async function signUp() {
  count += 1;
  const name = `person${count}`;
  const browser = await here.signUp(name);
  leaving.push(() => browser.close());
  return { name, browser };
}

async function openBeside({ services }: HttpClients) {
  const { config, secrets, db, log } = services.deps;
  const beside = await createServices({ config, secrets, db, log, demo: null });
  const app = createApp(beside.deps, '');
  await new Promise<void>((resolve) => app.server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return { services: beside, host, close: async () => (await app.close(), beside.close()) };
}

async function openSocket({ token }: Browser): Promise<Open> {
  const socket = await opened(here.openSocket());
  leaving.push(() => socket.terminate());
  let received = '';
  socket.on('message', (data) => (received += String(data)));
  socket.send(JSON.stringify({ method: 'connectionParams', data: { token } }));
  socket.send(JSON.stringify({ id: 1, method: 'subscription', params: { path: 'convos.changes' } }));
  await expect.poll(() => received).toContain('started');
  return { isClosed: () => socket.readyState === socket.CLOSED, received: () => received };
}

async function openStream(browser: Browser, path: string): Promise<Open> {
  return reading(await fetch(`http://${here.host}${path}`, { headers: headersOf(browser), signal: left() }));
}

async function openAnswer(browser: Browser): Promise<Open> {
  const input = question('[[tokens:100000@20]] At length', { model: 'gpt-4' });
  await browser.api.messages.ask.mutate(input);
  leaving.push(() => stopAll(browser.userId));
  const given = encodeURIComponent(JSON.stringify({ generationId: input.generationId }));
  return openStream(browser, `/trpc/messages.attach?input=${given}`);
}

async function openRestAsk(browser: Browser): Promise<Open> {
  const asked = await fetch(`http://${here.host}/api/ask/openAI`, {
    method: 'POST',
    headers: { ...headersOf(browser), 'content-type': 'application/json' },
    body: JSON.stringify(restQuestion('[[tokens:100000@20]] At length', { model: 'gpt-4' })),
    signal: left(),
  });
  leaving.push(() => stopAll(browser.userId));
  return reading(asked);
}

async function stopAll(userId: string): Promise<void> {
  const { db, askService } = here.services.deps;
  const running = await db.sql<{ id: string }[]>`
    select id from generations where user_id = ${userId} and ended_at is null`;
  for (const { id } of running) await askService.stop(userId, id);
}

/** A file of which the beginning has been sent, and then nothing. */
async function openImport(browser: Browser): Promise<Open> {
  const sent = new TransformStream<Uint8Array, Uint8Array>();
  const writer = sent.writable.getWriter();
  writer.closed.catch(() => {});
  void writer.write(new TextEncoder().encode('[')).catch(() => {});
  const asked = fetch(`http://${here.host}/api/import`, {
    method: 'POST',
    headers: { ...headersOf(browser), 'content-type': 'application/json' },
    body: sent.readable,
    duplex: 'half',
    signal: left(),
  } as RequestInit);
  return reading(await asked);
}

function reading(response: Response): Open {
  expect(response.status).toBe(200);
  let isClosed = false;
  let received = '';
  void (async () => {
    try {
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) received += chunk;
    } catch {
      // Cut off: that is an end, too.
    }
    isClosed = true;
  })();
  return { isClosed: () => isClosed, received: () => received };
}

function left(): AbortSignal {
  const leave = new AbortController();
  leaving.push(() => leave.abort());
  return leave.signal;
}

function headersOf({ token }: { token: string }) {
  return { accept: 'text/event-stream', 'x-app': '1', authorization: `Bearer ${token}` };
}

async function call(host: string, browser: { token: string } | null, path: string, input: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json', 'x-app': '1' };
  const response = await fetch(`http://${host}/trpc/${path}`, {
    method: 'POST',
    headers: browser ? { ...headers, authorization: `Bearer ${browser.token}` } : headers,
    ...(input === undefined ? {} : { body: JSON.stringify(input) }),
  });
  const answer = (await response.json()) as { result?: { data: unknown } };
  if (!response.ok) throw new Error(JSON.stringify(answer));
  return answer.result?.data;
}

async function signIn(name: string): Promise<{ token: string }> {
  const credentials = { email: `${name}@example.com`, password: PASSWORD };
  return (await call(there.host, null, 'auth.login', credentials)) as { token: string };
}

function ban(userId: string): Promise<unknown> {
  const { config, db, log, auth } = there.services.deps;
  const bans = { ...config.bans, enabled: true, interval: 1, durationMs: 60_000 };
  return createViolations({ db, log, auth, bans }).count({ userId, ip: null }, 'concurrent');
}

function draft(text: string) {
  return { key: 'new', text, editedAt: new Date().toISOString(), basedOn: 0 };
}
