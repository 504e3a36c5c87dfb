// REST handlers for presets (docs/rest-compat.md, Presets).
import { Id } from '@parley/schema/ids';
import { SavePreset } from '@parley/schema/settings/presets';
import * as z from 'zod';
import { derivedId } from '../../platform/derived-id.ts';
import type { Api } from '../../router.ts';
import { created, plain } from '../responses.ts';
import { presentPreset } from '../present/present-preset.ts';
import { refusedRequest } from '../errors.ts';
import type { Call, Route } from '../route.ts';
import { INTERNAL_ERROR_MESSAGE } from '../../platform/reasons.ts';

/** The fields of a preset; any other field is a setting or is ignored. */
const Document = z.looseObject({
  ...SavePreset.omit({ isDefault: true, settings: true }).shape,
  presetId: z.string().max(256).nullish(),
  defaultPreset: z.boolean().nullish(),
});
/** One preset, which some clients wrap in `arg`. */
const Delete = z.looseObject({ arg: z.unknown().optional() });
const Named = z.object({ presetId: z.string().min(1) });

export const listPresets = orText(async (api) => (await api.presets.list()).map(presentPreset));

/** Ignores unknown fields, which other clients add. */
export const savePreset = orText(async (api, { body, userId }) => {
  const { presetId, title, endpoint, model, order, defaultPreset, ...settings } = Document.parse(body);
  const preset = {
    presetId: idOf(userId, presetId),
    title,
    endpoint,
    model,
    order,
    isDefault: defaultPreset ?? undefined,
    settings,
  };
  return created(presentPreset(await api.presets.save(preset)));
});

/** Deletes one preset, or all when the body is empty. An id that nobody has deletes nothing. */
export const removePresets = orText(async (api, { body, userId }) => {
  const given = Delete.parse(body);
  const isEmpty = Object.keys(given).length === 0;
  const removed = isEmpty ? await api.presets.removeAll() : await remove(api, userId, Named.parse(given.arg ?? given));
  return created({ acknowledged: true, ...removed });
});

async function remove(
  api: Api,
  userId: string,
  { presetId }: z.infer<typeof Named>,
): Promise<{ deletedCount: number }> {
  return api.presets.remove({ presetId: idOf(userId, presetId) ?? presetId });
}

/** Clients may name presets as they like: what is no UUID stands for one, always the same. */
function idOf(userId: string, presetId: string | null | undefined): string | null {
  return presetId ? (Id.safeParse(presetId).data ?? derivedId('preset', userId, presetId)) : null;
}

/** REST clients show the body of an error response as is, so it is plain text. */
function orText(handle: (api: Api, call: Call) => Promise<unknown>): Route['handle'] {
  return (api, call) =>
    handle(api, call).catch((error: unknown) => {
      if (refusedRequest(error)) throw error;
      call.report(error);
      return plain(INTERNAL_ERROR_MESSAGE, 500);
    });
}
