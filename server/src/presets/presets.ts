// Tests of this room: tests/integration/presets.

// Presets: an endpoint, model and settings saved under a name.
import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '@parley/db/client';
import { presets } from '@parley/db/tables/presets';
import { exportedRow } from '@parley/db/travelling';
import { endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';
import { hasKey } from '@parley/schema/entries';
import { PRESETS_MAX, UNNAMED, type Preset, type SavePreset } from '@parley/schema/settings/presets';
import type { belongings } from '@parley/schema/transfer/register/belongings';
import type { TravellingAlone } from '@parley/schema/transfer/register/places';
import { and, desc, eq, ne, sql, type SQL } from 'drizzle-orm';
import { nextHint } from '../convos/changes.ts';
import type { Endpoints } from '../catalog/endpoint.ts';
import { refuse } from '../platform/errors.ts';
import { presetSettings } from './settings.ts';

/** Characters of JSON. The longest prompts alone may take a third of that. */
const SETTINGS_MAX = 200_000;
const TOO_LARGE = 'The preset is too large: its settings may have 200,000 characters in all';
/** The same limit for all presets of a user together: they are loaded at once. */
const ALL_SETTINGS_MAX = 5_000_000;

type Values = Partial<typeof presets.$inferInsert>;

// A column of the file of a preset that could not be saved again does not compile here.
((it) => it) satisfies (it: TravellingAlone<typeof belongings.presets.columns>) => keyof SavePreset | 'endpointType';

/** Ordered presets first, then the others by last save. */
export async function listPresets(db: Db, userId: string): Promise<Preset[]> {
  return (await presetRows(db, userId)).map(presentPreset);
}

/** The same as they are stored. */
export async function presetRows({ query }: Db, userId: string) {
  return query
    .select()
    .from(presets)
    .where(eq(presets.userId, userId))
    .orderBy(sql`${presets.order} asc nulls last`, desc(presets.updatedAt), presets.id);
}

/**
 * Creates or updates a preset. A new default moves to the front and replaces the previous default.
 * @throws Refusal `invalid_input` for one that is too large, `conflict` when there are too many
 */
export async function savePreset(
  { db, endpoints }: { db: Db; endpoints: Endpoints },
  userId: string,
  input: SavePreset,
): Promise<Preset> {
  const id = input.presetId ?? randomUUID();
  const values = { ...identityOf(input), ...targetOf(endpoints, input) };
  const row = await db.query.transaction(async (tx) => {
    // Also serialises saves of a user's presets: two new defaults at once would both clear the third.
    await nextHint(tx, userId, 'presets');
    if (values.isDefault) await clearDefault(tx, userId, id);
    const [saved] = await tx
      .insert(presets)
      .values({ title: UNNAMED, ...values, userId, id })
      .onConflictDoUpdate({ target: [presets.userId, presets.id], set: { ...values, updatedAt: sql`now()` } })
      .returning();
    await assertBelowLimit(tx, userId);
    return saved;
  });
  return row ? presentPreset(row) : refuse({ type: 'unavailable' });
}

/** Returns how many were deleted: none or one. */
export function removePreset(db: Db, userId: string, id: string): Promise<{ deletedCount: number }> {
  return removeWhere(db, userId, eq(presets.id, id));
}

export function removeAllPresets(db: Db, userId: string): Promise<{ deletedCount: number }> {
  return removeWhere(db, userId);
}

function removeWhere({ query }: Db, userId: string, condition?: SQL): Promise<{ deletedCount: number }> {
  return query.transaction(async (tx) => {
    const [, removed] = await Promise.all([
      nextHint(tx, userId, 'presets'),
      tx
        .delete(presets)
        .where(and(eq(presets.userId, userId), condition))
        .returning({ id: presets.id }),
    ]);
    return { deletedCount: removed.length };
  });
}

function identityOf({ title, isDefault, order }: SavePreset): Values {
  return {
    ...(title && { title }),
    ...(order !== undefined && { order }),
    ...(isDefault !== undefined && { isDefault, order: isDefault ? 0 : null }),
  };
}

/** Empty when no endpoint is given: then the preset's target stays as it is. */
function targetOf(endpoints: Endpoints, { endpoint, model = null, settings }: SavePreset): Values {
  if (endpoint === undefined) return {};
  const endpointType = endpoint === null ? null : typeOf(endpoints, endpoint);
  if (endpointType === null) return { endpoint: null, endpointType, model: null, settings: {} };
  // Checked before invalid settings are dropped: what remains is small, or the input is no preset.
  if (JSON.stringify(settings).length > SETTINGS_MAX) refuse({ type: 'invalid_input', text: TOO_LARGE });
  return { endpoint, endpointType, model, settings: presetSettings(endpointType, settings, model) };
}

/** The type of an endpoint that is or could be offered here; null for an unknown name. */
function typeOf(endpoints: Endpoints, name: string): EndpointType | null {
  const offered = endpoints.list().find((endpoint) => endpoint.name === name);
  if (offered) return offered.type;
  return hasKey(endpointTable, name) ? name : null;
}

async function clearDefault(tx: Tx, userId: string, exceptId: string): Promise<void> {
  await tx
    .update(presets)
    .set({ isDefault: false, order: null })
    .where(and(eq(presets.userId, userId), presets.isDefault, ne(presets.id, exceptId)));
}

/** @throws Refusal `conflict` when the presets of a person are too many, or too large together */
export async function assertBelowLimit(tx: Tx, userId: string): Promise<void> {
  const [all] = await tx
    .select({
      count: sql<number>`count(*)::int`,
      size: sql<number>`coalesce(sum(length(${presets.settings}::text)), 0)::int`,
    })
    .from(presets)
    .where(eq(presets.userId, userId));
  const isFull = all && (all.count > PRESETS_MAX || all.size > ALL_SETTINGS_MAX);
  if (isFull) refuse({ type: 'conflict', text: 'There is no room for another preset. Please delete some first.' });
}

/** All that travels of a preset, so that an undo brings it back whole. */
function presentPreset(row: typeof presets.$inferSelect): Preset {
  const { id, createdAt, updatedAt, ...preset } = exportedRow('presets', row);
  return { presetId: id, ...preset, user: row.userId, createdAt, updatedAt };
}
