// Presets of an export of everything.
import type { Db, Tx } from '@parley/db/client';
import { presets } from '@parley/db/tables/presets';
import { cleanText } from '@parley/schema/clean-text';
import { endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';
import { Id } from '@parley/schema/ids';
import { PRESET_TITLE_MAX, UNNAMED } from '@parley/schema/settings/presets';
import type { ArchiveLine } from '@parley/schema/transfer/results';
import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { nextHint } from '../../convos/changes.ts';
import { derivedId } from '../../platform/derived-id.ts';
import { Refusal } from '../../platform/errors.ts';
import { assertBelowLimit } from '../../presets/presets.ts';
import { presetSettings } from '../../presets/settings.ts';
import { relinkSettings, type StoredLinks } from '../stored-links.ts';

const name = (max: number) => z.string().overwrite(cleanText).max(max);

const ExportedPreset = z.object({
  presetId: z.string().min(1).max(256),
  title: name(PRESET_TITLE_MAX).catch(UNNAMED),
  endpoint: name(128).nullable().catch(null),
  endpointType: z
    .enum(Object.keys(endpointTable) as EndpointType[])
    .nullable()
    .catch(null),
  model: name(256).nullable().catch(null),
  settings: z.record(z.string(), z.unknown()).catch({}),
  isDefault: z.boolean().catch(false),
  order: z.int().min(0).max(1_000_000).nullable().catch(null),
});
type ExportedPreset = z.infer<typeof ExportedPreset>;

type Row = typeof presets.$inferSelect;
type NewRow = typeof presets.$inferInsert;

export interface RestoredPresets {
  /** Null where there is nothing to tell. */
  line: ArchiveLine | null;
  /** Of presets here, by those in the export. */
  ids: ReadonlyMap<string, string>;
}

/**
 * Adds the presets that the person has not: those of the same id, of an earlier import or of the same content stay as
 * they are. The default stays the default here if there is one.
 */
export async function restorePresets(
  db: Db,
  userId: string,
  value: unknown,
  came: Pick<StoredLinks, 'assistant'>,
): Promise<RestoredPresets> {
  const list = z.array(z.unknown()).catch([]).parse(value);
  const ids = new Map<string, string>();
  const count = { imported: 0, present: 0, skipped: 0 };
  if (list.length === 0) return { line: null, ids };
  await db.query.transaction(async (tx) => {
    await nextHint(tx, userId, 'presets');
    const own = await tx.select().from(presets).where(eq(presets.userId, userId));
    for (const one of list) {
      const { data } = ExportedPreset.safeParse(one);
      const row = data && rowOf(userId, data, came);
      const known = row && own.find((other) => other.id === data.presetId || other.id === row.id || isSame(other, row));
      const added = row && !known ? await add(tx, row, own) : undefined;
      const kept = known ?? added;
      if (added) own.push(added);
      if (data && kept) ids.set(data.presetId, kept.id);
      count[known ? 'present' : added ? 'imported' : 'skipped'] += 1;
    }
  });
  return { line: { kind: 'presets', ...count }, ids };
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
  { presetId, endpointType, settings, ...preset }: ExportedPreset,
  kept: Pick<StoredLinks, 'assistant'>,
): NewRow {
  const { endpoint, model } = preset;
  const id = derivedId('import-preset', userId, Id.safeParse(presetId).data ?? presetId);
  if (endpoint === null) return { ...preset, userId, id, endpointType: null, model: null, settings: {} };
  const type = Object.hasOwn(endpointTable, endpoint) ? (endpoint as EndpointType) : (endpointType ?? 'custom');
  return {
    ...preset,
    userId,
    id,
    endpointType: type,
    settings: relinkSettings(presetSettings(type, settings, model), kept),
  };
}

function isSame(one: Row, other: NewRow): boolean {
  const content = ({ title, endpoint, model, settings = {} }: Row | NewRow) =>
    JSON.stringify([title, endpoint, model, Object.entries(settings).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
  return content(one) === content(other);
}
