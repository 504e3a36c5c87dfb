// A database whose disk is full, or that is out of memory or connections, reports a code of its own; here a
// trigger raises it in its place.
import { randomUUID } from 'node:crypto';
import { connect } from '@parley/db/client';
import { isStorageFull, reasonOfDatabase } from '@parley/server/platform/database-fault';
import { logError } from '@parley/server/platform/log-error';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../support/free-port.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { signUp, type Client } from '../../../support/rest/client.ts';

let server: TestServer;
let alice: Client;

beforeAll(async () => {
  server = await startTestServer();
  alice = await signUp(server.url, 'alice');
});
afterEach(() => server.db.sql.unsafe('drop function if exists no_room() cascade'));
afterAll(() => server.close());

describe('a full disk', () => {
  it('is reported to REST clients with its own status', async () => {
    await fillUp('presets');
    const answer = await alice.post('/api/presets', { title: 'Verse', endpoint: 'openAI', model: 'gpt-4' });
    expect(answer.status).toBe(507);
  });

  it('is reported over tRPC as a reason', async () => {
    await fillUp('drafts');
    const answer = await saveDraft();
    expect(answer.status).toBe(507);
    expect(await answer.json()).toMatchObject({ error: { data: { reason: { type: 'storage_full' } } } });
  });

  it('refuses a question with a sentence', async () => {
    await fillUp('generations');
    const [frame] = await alice.ask({ text: 'Hello', model: 'gpt-4', endpoint: 'openAI', conversationId: null });
    expect(JSON.stringify(frame)).toContain("The server's disk is full");
  });

  it('writes a log line that names it', async () => {
    await fillUp('users');
    const error = await server.db.query.execute('update users set name = name').catch((reason: unknown) => reason);
    const lines: string[] = [];
    logError(pino({}, { write: (line) => void lines.push(line) }), error, {
      event: 'request.failed',
      path: 'drafts.save',
    });
    expect(lines).toEqual([expect.stringContaining('is full: nothing can be saved until there is room')]);
  });

  it('is recognized by the error code of the operating system, too', () => {
    const cause = Object.assign(new Error('write'), { code: 'ENOSPC' });
    expect(isStorageFull(new Error('Could not write', { cause }))).toBe(true);
    expect(isStorageFull(Object.assign(new Error('open'), { code: 'ENOENT' }))).toBe(false);
  });
});

describe.each([
  ['53200', 'out of memory'],
  ['53300', 'too many connections'],
  ['57P03', 'the database system is starting up'],
  ['08006', 'connection failure'],
  ['25006', 'cannot execute UPDATE in a read-only transaction'],
])('the code %s (%s)', (code) => {
  it('is reported over REST and tRPC as a temporary failure', async () => {
    await fillUp('presets', code);
    await fillUp('drafts', code);
    const rest = await alice.post('/api/presets', { title: 'Verse', endpoint: 'openAI', model: 'gpt-4' });
    expect(rest.status).toBe(503);
    expect(await rest.json()).toEqual({ message: 'The server is busy. Please try again in a moment.' });
    const trpc = await saveDraft();
    expect(trpc.status).toBe(503);
    expect(await trpc.json()).toMatchObject({ error: { data: { reason: { type: 'unavailable' } } } });
  });
});

it.each(['a statement', 'a transaction', 'plain SQL'])(
  'a database that nobody serves is a temporary failure of %s',
  async (way) => {
    const db = connect({ kind: 'url', url: `postgres://parley@127.0.0.1:${await freePort()}/parley` });
    const asked = {
      'a statement': () => db.query.execute('select 1'),
      'a transaction': () => db.query.transaction((tx) => tx.execute('select 1')),
      'plain SQL': () => db.sql`select 1`,
    }[way];
    const error: unknown = await asked?.().catch((reason: unknown) => reason);
    expect(reasonOfDatabase(error)).toEqual({ type: 'unavailable' });
    await db.end();
  },
);

it('a database that refuses to look up the session is a temporary failure', async () => {
  const password = 'correct horse battery';
  const form = { name: 'bob', email: 'bob@example.com', password, confirm_password: password };
  const registered = await fetch(`${server.url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(form),
  });
  const headers = { authorization: registered.headers.get('authorization') ?? '' };
  const { sql } = server.db;
  await sql.unsafe(`alter table sessions rename to sessions_away;
    create function no_connection() returns boolean language plpgsql as $$
      begin raise exception 'sorry, too many clients already' using errcode = '53300'; end $$;
    create view sessions as select * from sessions_away where no_connection()`);
  const answer = await fetch(`${server.url}/api/convos`, { headers });
  await sql.unsafe(`drop view sessions; drop function no_connection(); alter table sessions_away rename to sessions`);
  expect(answer.status).toBe(503);
});

describe('the log', () => {
  it('has one line a minute when the database is out of connections, with the number of omitted ones', () => {
    const lines: Record<string, unknown>[] = [];
    const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
    const error = Object.assign(new Error('write CONNECTION_CLOSED'), { code: 'CONNECTION_CLOSED' });
    for (let n = 0; n < 500; n++) logError(log, error, { event: 'request.failed', path: 'convos.list' }, 1_000 + n);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ event: 'db.unavailable', path: 'convos.list', code: 'CONNECTION_CLOSED' });
    logError(log, error, { event: 'request.failed', path: 'convos.list' }, 61_001);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatchObject({ event: 'db.unavailable', unlogged: 499 });
    // Each fault has lines of its own.
    const full = Object.assign(new Error('write'), { code: 'ENOSPC' });
    logError(log, full, { event: 'request.failed' }, 61_002);
    expect(lines[2]).toMatchObject({ event: 'storage.full' });
  });
});

function saveDraft(): Promise<Response> {
  const input = { key: randomUUID(), text: 'Hello', editedAt: new Date().toISOString(), basedOn: 0 };
  return fetch(`${server.url}/trpc/drafts.save`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...alice.headers },
    body: JSON.stringify(input),
  });
}

/** From now on the database has no room for a table, or reports another code. */
async function fillUp(table: string, code = '53100'): Promise<void> {
  await server.db.sql.unsafe(`
    create or replace function no_room() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file' using errcode = '${code}'; end $$;
    create trigger no_room before insert or update on ${table} for each row execute function no_room()`);
}
