// Which models are for which groups. Each change and its event are one transaction.
import { notifyAtCommit, type Query, type Tx, type Db } from '@parley/db/client';
import { groups, modelAccess } from '@parley/db/tables/administration';
import type { SetAccess } from '@parley/schema/accounts/access';
import type { AccessRule } from '@parley/schema/accounts/access-rules';
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { ACCESS_TOPIC, type ModelAccess } from '../../catalog/access/model-access.ts';
import { refuse } from '../../platform/errors.ts';
import type { Actor } from '../audit-events.ts';
import { saveChange } from '../saved/change.ts';
import { refuseGone } from './hold-group.ts';

type From = { db: Db; access: ModelAccess };
type Row = typeof modelAccess.$inferSelect;

/** Of an event. */
const NAMES_MAX = 2_000;

export async function listRules(query: Query): Promise<AccessRule[]> {
  const rows = await query.select().from(modelAccess).orderBy(asc(modelAccess.endpoint));
  return rows.map(({ endpoint, groupIds, models, version }) => ({
    endpoint,
    groupIds,
    models: Object.entries(models).map(([model, ids]) => ({ model, groupIds: ids })),
    version,
  }));
}

/** @throws Refusal `conflict` when somebody else has changed it, or a group is gone */
export function setAccess({ db, access: { reload } }: From, actor: Actor, input: SetAccess): Promise<null> {
  return saveChange({ db, topic: ACCESS_TOPIC, reload }, actor, async (tx) => {
    await write(tx, actor, input);
    return { event: 'access.set', details: await describe(tx, input) };
  });
}

async function write(tx: Tx, actor: Actor, { endpoint, groupIds, models, version }: SetAccess): Promise<void> {
  const set = {
    groupIds,
    models: Object.fromEntries(models.map(({ model, groupIds: ids }) => [model, ids])),
    changedBy: actor.id,
    changedAt: sql`now()`,
  };
  const isRead = and(eq(modelAccess.endpoint, endpoint), eq(modelAccess.version, version ?? 0));
  const isOpen = groupIds === null && models.length === 0;
  if (version === null) {
    if (isOpen) return;
    const made = await tx
      .insert(modelAccess)
      .values({ endpoint, ...set })
      .onConflictDoNothing()
      .returning();
    if (made.length === 0) refuseChanged();
    return;
  }
  const written = isOpen
    ? await tx.delete(modelAccess).where(isRead).returning()
    : await tx
        .update(modelAccess)
        .set({ ...set, version: version + 1 })
        .where(isRead)
        .returning();
  if (written.length === 0) refuseChanged();
}

/** @throws Refusal `conflict` for a group that is gone */
async function describe(tx: Tx, { endpoint, groupIds, models }: SetAccess): Promise<Record<string, string | null>> {
  const ids = [...new Set([...(groupIds ?? []), ...models.flatMap((one) => one.groupIds)])];
  const rows =
    ids.length === 0
      ? []
      : await tx
          .select({ id: groups.id, name: groups.name })
          .from(groups)
          .where(inArray(groups.id, ids))
          .for('key share');
  if (rows.length < ids.length) refuseGone();
  const namesOf = (some: readonly string[]) =>
    some.map((id) => rows.find((row) => row.id === id)?.name ?? id).join(', ');
  return {
    name: endpoint,
    groups: groupIds && namesOf(groupIds).slice(0, NAMES_MAX).toWellFormed(),
    models: models
      .map(({ model, groupIds: some }) => `${model}: ${namesOf(some)}`)
      .join('; ')
      .slice(0, NAMES_MAX)
      .toWellFormed(),
  };
}

/** Takes a group out of all rules: what was for it alone is for nobody then but administrators. */
export async function leaveRules(tx: Tx, groupId: string): Promise<void> {
  const rows = await tx.select().from(modelAccess).for('update');
  for (const row of rows.filter((one) => names(one, groupId))) {
    const without = (ids: readonly string[]) => ids.filter((id) => id !== groupId);
    await tx
      .update(modelAccess)
      .set({
        groupIds: row.groupIds && without(row.groupIds),
        models: Object.fromEntries(Object.entries(row.models).map(([model, ids]) => [model, without(ids)])),
        version: row.version + 1,
      })
      .where(eq(modelAccess.endpoint, row.endpoint));
  }
  notifyAtCommit(tx, ACCESS_TOPIC);
}

/** By the ids of groups: the endpoints with models that are for the group. */
export async function endpointsByGroup(query: Query): Promise<ReadonlyMap<string, string[]>> {
  const rows = await query.select().from(modelAccess).orderBy(asc(modelAccess.endpoint));
  const ids = new Set(rows.flatMap(({ groupIds, models }) => [...(groupIds ?? []), ...Object.values(models).flat()]));
  return new Map([...ids].map((id) => [id, rows.filter((row) => names(row, id)).map(({ endpoint }) => endpoint)]));
}

function names({ groupIds, models }: Row, groupId: string): boolean {
  return groupIds?.includes(groupId) === true || Object.values(models).some((ids) => ids.includes(groupId));
}

function refuseChanged(): never {
  return refuse({
    type: 'conflict',
    text: 'Another administrator has changed this meanwhile. Look at it again, and repeat your change.',
  });
}
