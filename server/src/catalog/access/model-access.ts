// Who may use which models: the rules of administrators in memory, and the groups of the person who asks for a while. Without a
// rule nothing is read, and everybody may use everything. Administrators always may.
import { isDeepStrictEqual } from 'node:util';
import type { Db } from '@parley/db/client';
import { groupMembers, modelAccess } from '@parley/db/tables/administration';
import { users } from '@parley/db/tables/users';
import { eq, sql } from 'drizzle-orm';
import type { Endpoint } from '../endpoint.ts';

/** Told when a rule has changed. */
export const ACCESS_TOPIC = 'settings:access';
/** Followed by the id of anyone who is in other groups now, or has another role. */
export const MEMBER = 'member:';

/** How many people's groups are known at once. */
const PEOPLE_MAX = 10_000;

export interface ModelAccess {
  /** Whether there is a rule for this endpoint. */
  concerns(endpoint: string): boolean;
  /** Those of these models that this person may use; null for anyone who is not signed in. */
  permitted(userId: string | null, endpoint: string, models: readonly string[]): Promise<readonly string[]>;
  permits(userId: string | null, endpoint: string, model: string): Promise<boolean>;
  /** False where no model of the endpoint is for this person. */
  offers(userId: string | null, endpoint: string): Promise<boolean>;
  /** Grows with each change of what this person may use. */
  version(userId: string): number;
  /** Reads the rules. Never rejects: what cannot be read stays as it was. */
  reload(): Promise<void>;
  /** The next question reads the groups of this person. */
  forget(userId: string): void;
}

interface Rule {
  /** Null for everybody. */
  groups: readonly string[] | null;
  models: ReadonlyMap<string, readonly string[]>;
}

interface Asker {
  isAdmin: boolean;
  groups: ReadonlySet<string>;
}

interface Parts {
  db: Db;
  /** The endpoint whose rule holds for an endpoint that has no models of its own. */
  ruleOf: (endpoint: string) => string;
  /** Called when other models are for this person; null for everybody. */
  onChanged: (userId: string | null) => void;
  onFault: (error: unknown) => void;
}

const NOBODY: Asker = { isAdmin: false, groups: new Set() };

/** Already with the rules. */
export async function createModelAccess({ db, ruleOf, onChanged, onFault }: Parts): Promise<ModelAccess> {
  let rules = await readRules(db);
  let version = 0;
  const changes = new Map<string, number>();
  const askers = new Map<string, Promise<Asker>>();
  let reloading = Promise.resolve();
  return {
    concerns: (endpoint) => find(endpoint) !== undefined,
    async permitted(userId, endpoint, models) {
      const rule = rules.size === 0 ? undefined : find(endpoint);
      if (!rule) return models;
      const asker = await askerOf(userId);
      return models.filter((model) => isFor(asker, rule, model));
    },
    async permits(userId, endpoint, model) {
      const rule = find(endpoint);
      return !rule || isFor(await askerOf(userId), rule, model);
    },
    async offers(userId, endpoint) {
      const rule = find(endpoint);
      if (!rule || rule.groups === null) return true;
      const asker = await askerOf(userId);
      return isIn(asker, rule.groups) || [...rule.models.values()].some((groups) => isIn(asker, groups));
    },
    version: (userId) => version + (changes.get(userId) ?? 0),
    reload: () => (reloading = reloading.then(look).catch(onFault)),
    forget(userId) {
      askers.delete(userId);
      if (rules.size === 0) return;
      changes.set(userId, (changes.get(userId) ?? 0) + 1);
      onChanged(userId);
    },
  };

  function find(endpoint: string): Rule | undefined {
    return rules.size === 0 ? undefined : rules.get(ruleOf(endpoint));
  }

  async function look(): Promise<void> {
    const now = await readRules(db);
    // A notification about somebody may be lost, too.
    askers.clear();
    if (isDeepStrictEqual(now, rules)) return;
    rules = now;
    version++;
    onChanged(null);
  }

  function askerOf(userId: string | null): Promise<Asker> {
    if (userId === null) return Promise.resolve(NOBODY);
    const known = askers.get(userId);
    if (known) return known;
    if (askers.size >= PEOPLE_MAX) askers.clear();
    const reading = readAsker(db, userId);
    askers.set(userId, reading);
    reading.catch(() => {
      if (askers.get(userId) === reading) askers.delete(userId);
    });
    return reading;
  }
}

/** The endpoint with the models that are for anyone who asks. */
export function withAccess<T extends Pick<Endpoint, 'name' | 'models' | 'accepts' | 'permits'>>(
  endpoint: T,
  access: ModelAccess,
): T {
  const { name } = endpoint;
  return {
    ...endpoint,
    models: async (userId) => access.permitted(userId, name, await endpoint.models(userId)),
    accepts: async (userId, model) =>
      (await endpoint.accepts(userId, model)) && (await access.permits(userId, name, model)),
    permits: (userId, model) => access.permits(userId, name, model),
  };
}

/** A model with a rule of its own follows that one alone. */
function isFor(asker: Asker, { groups, models }: Rule, model: string): boolean {
  const own = models.get(model) ?? groups;
  return own === null || isIn(asker, own);
}

function isIn({ isAdmin, groups }: Asker, ids: readonly string[]): boolean {
  return isAdmin || ids.some((id) => groups.has(id));
}

async function readRules({ query }: Db): Promise<ReadonlyMap<string, Rule>> {
  const rows = await query.select().from(modelAccess);
  return new Map(
    rows.map(({ endpoint, groupIds, models }) => [
      endpoint,
      { groups: groupIds, models: new Map(Object.entries(models)) },
    ]),
  );
}

async function readAsker({ query }: Db, userId: string): Promise<Asker> {
  const [row] = await query
    .select({
      role: users.role,
      groups: sql<string[]>`array(select ${groupMembers.groupId} from ${groupMembers}
        where ${groupMembers.userId} = ${users.id})::text[]`,
    })
    .from(users)
    .where(eq(users.id, userId));
  return row ? { isAdmin: row.role === 'ADMIN', groups: new Set(row.groups) } : NOBODY;
}
