// Presets of people.
import { presets } from '@parley/db/tables/presets';
import { endpointTypeNamed } from '@parley/schema/catalog/endpoints';
import { cleanText } from '@parley/schema/clean-text';
import { Id } from '@parley/schema/ids';
import { PRESET_TITLE_MAX, UNNAMED } from '@parley/schema/settings/presets';
import { and, eq, sql } from 'drizzle-orm';
import * as z from 'zod';
import { derivedId } from '../../../platform/derived-id.ts';
import { presetSettings } from '../../../presets/settings.ts';
import type { BroughtAssistants } from '../assistants.ts';
import { readDocuments, type Document } from '../documents.ts';
import { noteFields } from '../field-census.ts';
import { withAssistant } from '../reference-convo.ts';
import type { Report } from '../report.ts';
import type { People, Target } from '../target.ts';
import { documentOwner } from './people.ts';

export async function importPresets(
  target: Target,
  path: string | null,
  { people, assistants }: { people: People; assistants: BroughtAssistants },
  { presets: count, fields }: Report,
) {
  for await (const { document: found } of path === null ? [] : readDocuments(path)) {
    const userId = documentOwner(found, people, count);
    if (!found || !userId) continue;
    const document = withAssistant(found, assistants);
    const values = rowOf(userId, document);
    noteFields(fields, 'presets', found, values.settings);
    if (await addPreset(target, values, document.defaultPreset === true)) count.written += 1;
    else count.present += 1;
  }
}

function rowOf(userId: string, document: Document) {
  const { presetId, title, endpoint, model, order } = document;
  const named = typeof endpoint === 'string' ? cleanText(endpoint).slice(0, 128) : null;
  const type = named === null ? null : endpointTypeNamed(named);
  const chosen = typeof model === 'string' ? cleanText(model).slice(0, 256) : null;
  return {
    userId,
    id: Id.safeParse(presetId).data ?? derivedId('installation', 'preset', String(presetId ?? document._id)),
    title: typeof title === 'string' ? cleanText(title).slice(0, PRESET_TITLE_MAX) : UNNAMED,
    endpoint: named,
    endpointType: type,
    model: chosen,
    settings: type === null ? {} : presetSettings(type, withToolKeys(document), chosen),
    order: typeof order === 'number' && Number.isInteger(order) && order >= 0 ? order : null,
  };
}

/** False when it is there. A default stays the only one: one that is here is kept. */
async function addPreset({ db, isDry }: Target, values: typeof presets.$inferInsert, isDefault: boolean) {
  const { userId, id } = values;
  if (isDry) return (await db.query.$count(presets, and(eq(presets.userId, userId), eq(presets.id, id)))) === 0;
  const added = await db.query.insert(presets).values(values).onConflictDoNothing().returning({ id: presets.id });
  if (added.length > 0 && isDefault)
    await db.query
      .update(presets)
      .set({ isDefault: true, order: 0 })
      .where(and(eq(presets.userId, userId), eq(presets.id, id), hasNoDefault(userId)));
  return added.length > 0;
}

function hasNoDefault(userId: string) {
  return sql`not exists (select 1 from ${presets} as other where other.user_id = ${userId} and other.is_default)`;
}

function withToolKeys(document: Document): Document {
  if (!Array.isArray(document.tools)) return document;
  const Tool = z.union([z.string(), z.object({ pluginKey: z.string() }).transform(({ pluginKey }) => pluginKey)]);
  return { ...document, tools: document.tools.flatMap((tool) => Tool.safeParse(tool).data ?? []) };
}
