// Presets that come back: from an export of everything, or by an undo.
import type { TravellingRow } from '@parley/db/all-tables';
import type { Db, Tx } from '@parley/db/client';
import { presets } from '@parley/db/tables/presets';
import { rowReader } from '@parley/db/travelling';
import { cleanText } from '@parley/schema/clean-text';
import { endpointTable } from '@parley/schema/catalog/endpoints';
import type { SettingValue } from '@parley/schema/catalog/params';
import { hasKey, typedKeys } from '@parley/schema/entries';
import { Id } from '@parley/schema/ids';
import { PRESET_TITLE_MAX, UNNAMED, type PresetSettings } from '@parley/schema/settings/presets';
import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { nextHint } from '../convos/changes.ts';
import { derivedId } from '../platform/derived-id.ts';
import { Refusal } from '../platform/errors.ts';
import { assertBelowLimit } from './presets.ts';
import { presetSettings } from './settings.ts';

const name = (max: number) => z.string().overwrite(cleanText).max(max);

const readPreset = rowReader(
  'presets',
  {
    title: name(PRESET_TITLE_MAX),
    endpoint: name(128).nullable(),
    endpointType: z.enum(typedKeys(endpointTable)).nullable(),
    model: name(256).nullable(),
    // Each setting is checked once the endpoint is known.
    settings: z.record(z.string(), z.custom<SettingValue>()),
    order: z.int().min(0).max(1_000_000).nullable(),
  },
  ['id'],
);
type ReadPreset = Partial<Omit<TravellingRow<'presets'>, 'id'>>;

/** Exports of before call it so, and clients do. */
const Named = z.object({ presetId: z.string().min(1).max(256) });

type Row = typeof presets.$inferSelect;
type NewRow = typeof presets.$inferInsert;

export interface RestoredPresets {
  /** `skipped` are unreadable or above the limit. */
  count: { imported: number; present: number; skipped: number };
  /** Of presets here, by those in the export. */
  ids: ReadonlyMap<string, string>;
}

const NONE = { imported: 0, present: 0, skipped: 0 };

interface Origin {
  /** Whether they come back under their own ids, which are the person's. */
  keepsIds: boolean;
  /** The settings with the ids that things have here. */
  relink?: (settings: PresetSettings) => PresetSettings;
}

/**
 * Adds the presets that the person has not: those of the same id, of an earlier import or of the same content stay as
 * they are. The default stays the default here if there is one.
 */
export async function restorePresets(
  db: Db,
  userId: string,
  list: readonly unknown[],
  origin: Origin,
): Promise<RestoredPresets> {
  if (list.length === 0) return { count: { ...NONE }, ids: new Map() };
  return db.query.transaction(async (tx) => {
    const ids = new Map<string, string>();
    const count = { ...NONE };
    await nextHint(tx, userId, 'presets');
    const own = await tx.select().from(presets).where(eq(presets.userId, userId));
    for (const one of list) {
      const presetId = Named.safeParse(one).data?.presetId;
      const row = presetId === undefined ? undefined : rowOf(userId, presetId, readPreset(one), origin);
      const known = row && own.find((other) => other.id === presetId || other.id === row.id || isTwin(other, row));
      const added = row && !known ? await add(tx, row, own) : undefined;
      const kept = known ?? added;
      if (added) own.push(added);
      if (presetId !== undefined && kept) ids.set(presetId, kept.id);
      count[known ? 'present' : added ? 'imported' : 'skipped'] += 1;
    }
    return { count, ids };
  });

  /** An undo brings back also one of which there is another just like it. */
  function isTwin(other: Row, row: NewRow): boolean {
    return !origin.keepsIds && isSame(other, row);
  }
}

/** Undefined above the limits. */
async function add(tx: Tx, row: NewRow, own: readonly Row[]): Promise<Row | undefined> {
  const isDefault = row.isDefault === true && !own.some((other) => other.isDefault);
  try {
    return await tx.transaction(async (inner) => {
      const [added] = await inner
        .insert(presets)
        .values({ ...row, isDefault })
        .returning();
      await assertBelowLimit(inner, row.userId);
      return added;
    });
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** An endpoint that is not offered here is a custom one, and may be offered some day. */
function rowOf(
  userId: string,
  presetId: string,
  given: ReadPreset,
  { keepsIds, relink = (own) => own }: Origin,
): NewRow {
  const { title = UNNAMED, endpoint = null, endpointType, model = null, settings = {}, ...others } = given;
  const own = Id.safeParse(presetId).data;
  const id = keepsIds && own !== undefined ? own : derivedId('import-preset', userId, own ?? presetId);
  const row = { ...others, userId, id, title, endpoint };
  if (endpoint === null) return { ...row, endpointType: null, model: null, settings: {} };
  const type = hasKey(endpointTable, endpoint) ? endpoint : (endpointType ?? 'custom');
  return { ...row, endpointType: type, model, settings: relink(presetSettings(type, settings, model)) };
}

function isSame(one: Row, other: NewRow): boolean {
  const content = ({ title, endpoint, model, settings = {} }: Row | NewRow) =>
    JSON.stringify([title, endpoint, model, Object.entries(settings).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
  return content(one) === content(other);
}
