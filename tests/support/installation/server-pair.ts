// Two real servers on one database, of which one can be killed.
import { connect, type Db } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import { addCredits } from '@parley/server/billing/balances';
import { createDevice, registerAccount, type Account, type Device } from '@parley/scripts/api-client';
import type { FakeProvider } from '@parley/scripts/fake-provider';
import { startServer } from '@parley/scripts/server-process';
import type { FinalEvent } from '@parley/schema/generation/events';
import { inject, onTestFinished } from 'vitest';
import { createFolder } from '../folders.ts';
import { processEnvironment } from '../server.ts';

export interface ServerPair {
  userId: string;
  /** At the server that `kill` kills. */
  desk: Device;
  /** Of the same person, at the other server. */
  phone: Device;
  kill(): Promise<unknown>;
  sql: Db['sql'];
}

/** Starts them with an account that has money; both end with the test. Their bundle has to be built. */
export async function startServerPair(provider: FakeProvider, given: Record<string, string>): Promise<ServerPair> {
  const env = await processEnvironment(provider, given);
  const database = env.DATABASE_URL?.slice('postgres:///'.length) ?? '';
  const db = connect({ ...inject('database'), database }, { max: 2 });
  const [one, other] = await Promise.all([startServer(createFolder(), env), startServer(createFolder(), env)]);
  const account: Account = await registerAccount(one.url, 'alice');
  const [desk, phone] = [createDevice(one.url, account), createDevice(other.url, account)];
  onTestFinished(async () => {
    for (const device of [desk, phone]) await device.close();
    for (const server of [one, other]) await server.end('SIGKILL');
    await db.end();
  });
  const [person] = await db.query.select().from(users);
  const userId = person?.id ?? '';
  await addCredits(db, userId, 500_000_000);
  return { userId, desk, phone, kill: () => one.end('SIGKILL'), sql: db.sql };
}

/** Reads a run to its end. */
export function finalOf(device: Device, generationId: string): Promise<FinalEvent> {
  return new Promise((resolve, reject) => {
    const reading = device.api.messages.attach.subscribe(
      { generationId },
      {
        onData: ({ data }) => {
          if (data.type !== 'final') return;
          reading.unsubscribe();
          resolve(data);
        },
        onError: reject,
      },
    );
  });
}
