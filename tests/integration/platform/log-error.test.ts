import { TRPCError } from '@trpc/server';
import { createLogger } from '@parley/server/platform/logger';
import { logError, warnOfFile } from '@parley/server/platform/log-error';
import { Refusal } from '@parley/server/platform/errors';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../support/database.ts';

describe('a line about an error', () => {
  it('names the event, the place, the code and the stack frames', () => {
    const error = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    const [line] = linesOf((log) =>
      logError(log, error, { event: 'request.failed', path: 'GET /api/convos', requestId: 'r1', userId: 'u1', ms: 12 }),
    );
    expect(line).toMatchObject({
      event: 'request.failed',
      path: 'GET /api/convos',
      requestId: 'r1',
      userId: 'u1',
      ms: 12,
      error: 'Error',
      code: 'ECONNREFUSED',
      message: 'connect ECONNREFUSED 127.0.0.1:1',
    });
    expect(line?.frames?.[0]).toContain('log-error.test.ts');
  });

  it('names the wrapped error', () => {
    const error = new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: new RangeError('too deep') });
    const [line] = linesOf((log) => logError(log, error, { event: 'request.failed' }));
    expect(line).toMatchObject({ error: 'RangeError', message: 'too deep' });
  });

  it('does not quote a text that could not be parsed', () => {
    const [line] = linesOf((log) =>
      logError(
        log,
        errorOf(() => JSON.parse('my secret diary')),
        { event: 'task.failed' },
      ),
    );
    expect(line).toMatchObject({ error: 'SyntaxError' });
    expect(JSON.stringify(line)).not.toContain('secret');
  });

  it('is short, and no error, for a call that cannot be understood', () => {
    for (const code of ['BAD_REQUEST', 'NOT_FOUND', 'METHOD_NOT_SUPPORTED'] as const) {
      const error = new TRPCError({ code, message: 'my secret diary', cause: new SyntaxError('my secret diary') });
      const [line, ...more] = linesOf((log) => logError(log, error, { event: 'request.failed', path: 'a.b' }));
      expect(line).toMatchObject({ level: 30, event: 'request.malformed', path: 'a.b', code });
      expect(more).toEqual([]);
      expect(JSON.stringify(line).length).toBeLessThan(250);
      expect(JSON.stringify(line)).not.toMatch(/secret|frames/);
    }
  });

  it('is not written for a refusal', () => {
    expect(linesOf((log) => logError(log, new Refusal({ type: 'unauthorized' }), { event: 'request.failed' }))).toEqual(
      [],
    );
  });

  it('for a refused id is written five times a minute for each user, and the next one counts the others', () => {
    const error = new Refusal({ type: 'not_found', what: 'convo' });
    const context = { event: 'request.failed', path: 'convos.byId' } as const;
    const lines = linesOf((log) => {
      for (let n = 0; n < 105; n++) logError(log, error, { ...context, userId: 'guessing' }, n);
      logError(log, error, { ...context, userId: 'other' }, 200);
      // Nobody is signed in.
      logError(log, error, { ...context, userId: '' }, 200);
      logError(log, error, { ...context, userId: 'guessing' }, 60_000);
    });
    const line = { audit: 'access_refused', userId: 'guessing', path: 'convos.byId', what: 'convo' };
    expect(lines.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => expect.objectContaining(line)));
    expect(lines.slice(5)).toMatchObject([
      { ...line, userId: 'other' },
      { ...line, unlogged: 100 },
    ]);
  });

  it('is written once a minute for a cause for which files are not indexed, with their number', () => {
    const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const lines = linesOf((log) => {
      for (let n = 0; n < 300; n++) logError(log, away(), { event: 'index.failed', userId: `u${n}` }, n);
      logError(log, new RangeError('too deep'), { event: 'index.failed', userId: 'u1' }, 400);
      for (let n = 0; n < 3; n++) {
        const file = { fileId: `f${n}`, userId: 'u1', state: 'embedding', attempts: 1 };
        warnOfFile(log, { ...file, reason: 'provider_unavailable' }, 500);
        warnOfFile(log, { ...file, reason: 'insufficient_quota' }, 500);
      }
      logError(log, away(), { event: 'index.failed', userId: 'u2' }, 60_000);
      // Faults of other work are lines each.
      for (let n = 0; n < 2; n++) logError(log, away(), { event: 'task.failed' }, n);
    });
    expect(lines).toMatchObject([
      { event: 'index.failed', code: 'ECONNREFUSED', userId: 'u0' },
      { event: 'index.failed', error: 'RangeError' },
      { event: 'index.failed', reason: 'provider_unavailable', fileId: 'f0' },
      { event: 'index.failed', reason: 'insufficient_quota', fileId: 'f0' },
      { event: 'index.failed', code: 'ECONNREFUSED', userId: 'u2', unlogged: 299 },
      { event: 'task.failed' },
      { event: 'task.failed' },
    ]);
  });

  it.each([
    ['a lost connection, just after another one', Object.assign(new Error('lost'), { code: 'CONNECTION_CLOSED' })],
    ['a refusal', new Refusal({ type: 'unauthorized' })],
  ])('is written for %s that ends the server', (_, error) => {
    const lines = linesOf((log) => {
      logError(log, error, { event: 'request.failed' });
      logError(log, error, { event: 'server.failed' });
    });
    expect(lines.at(-1)).toMatchObject({ event: 'server.failed', error: error.name });
    expect(lines.at(-1)?.frames?.[0]).toContain('log-error.test.ts');
  });

  it('names the code of a failed statement, and neither the statement nor its values', async () => {
    const { db, drop } = await createTestDatabase();
    const error = await db.query.execute(`select 'a secret' :: int`).catch((thrown: unknown) => thrown);
    const [line] = linesOf((log) => logError(log, error, { event: 'request.failed', path: 'convos.list' }));
    expect(line).toMatchObject({ event: 'db.error', during: 'request.failed', path: 'convos.list', code: '22P02' });
    expect(JSON.stringify(line)).not.toContain('secret');
    await drop();
  });
});

it('the logger has the configured level', async () => {
  const log = await createLogger({ level: 'error', json: true });
  expect(log.isLevelEnabled('warn')).toBe(false);
  expect(log.isLevelEnabled('error')).toBe(true);
});

interface Line {
  event?: string;
  frames?: string[];
}

function linesOf(write: (log: pino.Logger) => void): Line[] {
  const lines: string[] = [];
  write(pino({ base: null }, { write: (line: string) => void lines.push(line) }));
  return lines.map((line) => JSON.parse(line) as Line);
}

function errorOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
