// Tests of this room: tests/unit/mcp, tests/integration/mcp.

// One connection per person and server, kept while it is used and closed after a while.
import type { Client } from '@modelcontextprotocol/client';
import { refuse } from '../platform/errors.ts';
import { connect, type ConnectDeps, type McpConnection } from './connect.ts';
import { isLost, isUnsent } from './failure.ts';
import type { McpServerEntry } from './servers.ts';

export interface McpClients {
  /**
   * Calls the server. Where the connection turns out to be lost, it is opened once more, and the work done again if the
   * server did not take it or `isRepeatable`.
   * @throws what the client throws; Refusal `unavailable` when too many connections are in use
   */
  use<T>(server: McpServerEntry, work: (client: Client) => Promise<T>, isRepeatable: boolean): Promise<T>;
  /** Closes the person's connection. */
  drop(server: Pick<McpServerEntry, 'userId' | 'id'>): Promise<void>;
  close(): Promise<void>;
}

interface Held {
  key: string;
  /** What it was opened with. */
  version: string;
  connection: Promise<McpConnection>;
  /** Calls that run. */
  calls: number;
  idle: NodeJS.Timeout | undefined;
}

export interface ClientsDeps extends ConnectDeps {
  idleMs?: number;
  maxOpen?: number;
}

const IDLE_MS = 5 * 60_000;
const OPEN_CLIENTS_MAX = 100;

export function createMcpClients(deps: ClientsDeps): McpClients {
  const pool = createPool(deps);

  async function call<T>(
    server: McpServerEntry,
    work: (client: Client) => Promise<T>,
    isRepeatable: boolean,
    isSecond = false,
  ): Promise<T> {
    const held = pool.take(server);
    held.calls++;
    try {
      return await work((await held.connection).client);
    } catch (error) {
      if (!isLost(error)) throw error;
      pool.discard(held);
      if (isSecond || !(isRepeatable || isUnsent(error))) throw error;
    } finally {
      held.calls--;
      pool.rest(held);
    }
    return call(server, work, isRepeatable, true);
  }

  return { use: (server, work, isRepeatable) => call(server, work, isRepeatable), drop: pool.drop, close: pool.close };
}

/** The open connections. */
function createPool(deps: ClientsDeps) {
  const { idleMs = IDLE_MS, maxOpen = OPEN_CLIENTS_MAX } = deps;
  /** In the order of their last use. */
  const open = new Map<string, Held>();
  const closing = new Set<Promise<void>>();
  let isClosed = false;
  return { take, rest, discard, drop, close };

  function take(server: McpServerEntry): Held {
    if (isClosed) refuse({ type: 'unavailable' });
    const key = keyOf(server);
    const version = JSON.stringify([server.target, server.auth]);
    const known = open.get(key);
    if (known?.version === version) {
      clearTimeout(known.idle);
      open.delete(key);
      open.set(key, known);
      return known;
    }
    if (known) discard(known);
    makeRoom();
    const held: Held = { key, version, connection: connect(server, deps), calls: 0, idle: undefined };
    open.set(key, held);
    held.connection.then(
      ({ client }) => (client.onclose = () => discard(held)),
      () => discard(held),
    );
    return held;
  }

  function makeRoom(): void {
    if (open.size < maxOpen) return;
    const unused = [...open.values()].find(({ calls }) => calls === 0);
    if (!unused) refuse({ type: 'unavailable' });
    discard(unused);
  }

  function rest(held: Held): void {
    if (held.calls > 0 || open.get(held.key) !== held) return;
    held.idle = setTimeout(() => discard(held), idleMs);
    held.idle.unref();
  }

  function discard(held: Held): void {
    clearTimeout(held.idle);
    if (open.get(held.key) !== held) return;
    open.delete(held.key);
    const end = held.connection.then(
      (connection) => connection.close(),
      () => undefined,
    );
    closing.add(end);
    void end.finally(() => closing.delete(end));
  }

  async function drop(server: Pick<McpServerEntry, 'userId' | 'id'>): Promise<void> {
    const held = open.get(keyOf(server));
    if (held) discard(held);
    await Promise.all(closing);
  }

  async function close(): Promise<void> {
    isClosed = true;
    for (const held of open.values()) discard(held);
    await Promise.all(closing);
  }
}

function keyOf({ userId, id }: Pick<McpServerEntry, 'userId' | 'id'>): string {
  return `${userId} ${id}`;
}
