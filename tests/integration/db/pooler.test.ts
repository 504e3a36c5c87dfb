// What a pooler before the database keeps, and a server behind one: PgBouncer, in each of its modes. Where it is missing
// only a database without a pooler is tried; `npm test` installs it where it may.
import { probePooler } from '@parley/db/pooler';
import { findProgram } from '@parley/scripts/cluster/programs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { copyTemplate } from '../../support/database.ts';
import { pgbouncerNames, startPgbouncer } from '../../support/postgres/pgbouncer.ts';
import { question, signUp } from '../../support/rest/client.ts';
import { socketAddressOf, startTestServer } from '../../support/server.ts';

const hasPgbouncer = findProgram('pgbouncer') !== null;

describe('the trial of a pooler', () => {
  test('a database without a pooler keeps names and delivers notifications', async () => {
    const url = socketAddressOf(await databaseName());
    expect(await probePooler({ kind: 'url', url }, 'auto')).toBe(true);
  });
});

if (hasPgbouncer) describe('PgBouncer', testPgbouncer);

function testPgbouncer(): void {
  test('transaction mode needs the address past it, and names statements where PgBouncer knows them', async () => {
    const { url, directUrl } = await pgbouncer('transaction');
    await expect(probePooler({ kind: 'url', url }, 'auto')).rejects.toThrow(
      /^Notifications do not arrive through 127\.0\.0\.1:\d+\/\w+: set DATABASE_DIRECT_URL to the database itself, past the pooler\.$/,
    );
    expect(await probePooler({ kind: 'url', url, directUrl }, 'auto')).toBe(pgbouncerNames);
    expect(await probePooler({ kind: 'url', url, directUrl }, 'off')).toBe(false);
  });

  test('on refuses a pooler that loses names', async () => {
    const { url, directUrl } = await pgbouncer('transaction', { max_prepared_statements: '0' });
    await expect(probePooler({ kind: 'url', url, directUrl }, 'on')).rejects.toThrow(
      'loses named statements: set DATABASE_PREPARE=off',
    );
  });

  test('a pooler with one session proves nothing about names', async () => {
    const { url, directUrl } = await pgbouncer('transaction', { default_pool_size: '1', max_prepared_statements: '0' });
    expect(await probePooler({ kind: 'url', url, directUrl }, 'auto')).toBe(false);
  });

  test('session mode keeps everything', async () => {
    const { url } = await pgbouncer('session');
    expect(await probePooler({ kind: 'url', url }, 'auto')).toBe(true);
  });

  test('statement mode is refused', async () => {
    const { url, directUrl } = await pgbouncer('statement');
    await expect(probePooler({ kind: 'url', url, directUrl }, 'auto')).rejects.toThrow(/^Transactions fail at /);
  });

  test('two addresses of two databases are refused', async () => {
    const { url } = await pgbouncer('transaction');
    const directUrl = socketAddressOf(await databaseName());
    await expect(probePooler({ kind: 'url', url, directUrl }, 'off')).rejects.toThrow('must lead to one database');
  });

  test('people register and ask at once behind a pooler with few sessions', async () => {
    const database = await databaseName();
    const { url, directUrl } = await startPgbouncer(database, { pool_mode: 'transaction', default_pool_size: '4' });
    const env = { DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl, DATABASE_POOL_SIZE: '10', REGISTER_MAX: '100' };
    const server = await startTestServer({ env });
    onTestFinished(server.close);
    const people = await Promise.all(Array.from({ length: 12 }, (_, n) => signUp(server.url, `person${n}`)));
    const answers = people.map(async (person, n) => {
      const asked = await person.post('/api/ask/openAI', question(`Am I person ${n}? [[echo]]`));
      const convos = await person.get('/api/convos');
      return [await asked.text(), await convos.text()].join('');
    });
    for (const [n, said] of (await Promise.all(answers)).entries()) expect(said).toContain(`Am I person ${n}?`);
  }, 60_000);
}

async function pgbouncer(mode: string, settings: Record<string, string> = {}) {
  const supported = Object.entries(settings).filter(([name]) => pgbouncerNames || name !== 'max_prepared_statements');
  return startPgbouncer(await databaseName(), { pool_mode: mode, ...Object.fromEntries(supported) });
}

async function databaseName(): Promise<string> {
  const { connection, drop } = await copyTemplate();
  onTestFinished(async () => void (await drop()));
  return connection.database;
}
