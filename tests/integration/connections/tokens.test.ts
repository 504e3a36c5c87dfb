// Two processes on one database, for actions and tool servers alike: a refresh token is used once, and tokens are only
// forgotten while they are the refused ones.
import { randomUUID } from 'node:crypto';
import { actions, assistants } from '@parley/db/tables/assistants';
import { connections } from '@parley/db/tables/tools';
import { actionConnection, createActionTokens } from '@parley/server/actions/tokens';
import { createTokenStore, type Connection, type Tokens, type TokenStore } from '@parley/server/connections/tokens';
import { createEncryption } from '@parley/server/keys/encryption';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { withServices } from '../../support/services.ts';

const given = withServices();
const encryption = createEncryption('f'.repeat(64), []);

const OLD = { accessToken: 'old', refreshToken: 'once', endsAt: null };
const NEW = { accessToken: 'new', refreshToken: 'twice', endsAt: null };

interface Kind {
  createStore(): TokenStore<Tokens>;
  createConnection(): Promise<Connection>;
}

const toolServers: Kind = {
  createStore: () =>
    createTokenStore({ db: given.services.deps.db, encryption, schema: z.custom<Tokens>(), earlyMs: 30_000 }),
  createConnection: async () => {
    const { id: userId } = given.alice;
    return { userId, service: 'mcp:Mail', encryptedFor: { userId, name: 'mcp:Mail:mail.example' } };
  },
};

const ofActions: Kind = {
  createStore: () => createActionTokens({ db: given.services.deps.db, encryption }),
  async createConnection() {
    const { query } = given.services.deps.db;
    const { id: userId } = given.alice;
    const [assistantId, id] = [randomUUID(), randomUUID()];
    const assistant = { userId, id: assistantId, name: 'Mailer', model: 'gpt-4', endpoint: 'openAI' };
    await query.insert(assistants).values(assistant);
    const server = 'https://mail.example';
    const auth = { type: 'none' as const };
    const settings = { auth, operations: [], title: 'Mail', server, privacyPolicyUrl: null };
    const row = { userId, id, assistantId, domain: 'mail.example', settings, document: '' };
    const [action] = await query.insert(actions).values(row).returning();
    if (!action) throw new Error('There is no action');
    return actionConnection(action, userId);
  },
};

afterEach(() => given.services.deps.db.query.delete(connections));

describe.each([
  ['an action', ofActions],
  ['a tool server', toolServers],
])('the tokens of %s', (_, kind) => {
  it('are renewed once when two processes find them refused, and their row is kept', async () => {
    const connection = await kind.createConnection();
    const [here, there] = [kind.createStore(), kind.createStore()];
    await here.write(connection, OLD);
    const used: (string | null)[] = [];
    const request = async (known: Tokens | null) => {
      used.push(known?.refreshToken ?? null);
      return NEW;
    };
    const stores = [here, there, here, there];
    const renewed = await Promise.all(stores.map((store) => store.renew(connection, 'old', request)));
    expect(renewed).toEqual([NEW, NEW, NEW, NEW]);
    expect(used).toEqual(['once']);
    expect(await there.read(connection)).toEqual(NEW);
  });

  it('are forgotten when they cannot be renewed, and stay when another process has replaced them', async () => {
    const connection = await kind.createConnection();
    const [here, there] = [kind.createStore(), kind.createStore()];
    await here.write(connection, OLD);
    await there.renew(connection, 'old', async () => NEW);
    const never = () => Promise.reject(new Error('Nothing has to be requested'));
    expect(await here.renew(connection, 'old', never)).toEqual(NEW);
    expect(await here.renew(connection, 'new', async () => null)).toBeNull();
    expect(await there.read(connection)).toBeNull();
  });

  it('stay when they come from a sign-in that ends while another call learns that there are none', async () => {
    const connection = await kind.createConnection();
    const [here, there] = [kind.createStore(), kind.createStore()];
    const signsInMeanwhile = async () => {
      await there.write(connection, NEW);
      return null;
    };
    expect(await here.renew(connection, 'old', signsInMeanwhile)).toBeNull();
    expect(await here.read(connection)).toEqual(NEW);
  });

  it('stay when the renewal fails for now', async () => {
    const connection = await kind.createConnection();
    const store = kind.createStore();
    await store.write(connection, OLD);
    const fail = () => Promise.reject(new Error('The site is down'));
    await expect(store.renew(connection, 'old', fail)).rejects.toThrow('The site is down');
    expect(await store.read(connection)).toEqual(OLD);
  });
});

it('the tokens of an action that is gone are for nobody', async () => {
  const connection = await ofActions.createConnection();
  await given.services.deps.db.query.delete(actions);
  await ofActions.createStore().write(connection, NEW);
  expect(await given.services.deps.db.query.select().from(connections)).toEqual([]);
});
