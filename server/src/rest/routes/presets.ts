// REST handlers for presets (docs/rest-compat.md, Presets).
import { Id } from '@parley/schema/ids';
import { SavePreset } from '@parley/schema/settings/presets';
import * as z from 'zod';
import { derivedId } from '../../platform/derived-id.ts';
import type { Api } from '../../router.ts';
import { asJson, created, plain } from '../responses.ts';
import { presentPreset } from '../present/present-preset.ts';
import { refusedRequest } from '../errors.ts';
import { authed, byKey, type Call } from '../route.ts';
import { RestPreset } from '../shapes/preset.ts';
import { Deleted, Told } from '../shapes/shapes.ts';
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

const listPresets = orText(async (api) => (await api.presets.list()).map(presentPreset));

/** Ignores unknown fields, which other clients add. */
const savePreset = orText(async (api, { body, userId }) => {
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
  return created(RestPreset, presentPreset(await api.presets.save(preset)));
});

/** Deletes one preset, or all when the body is empty. An id that nobody has deletes nothing. */
const removePresets = orText(async (api, { body, userId }) => {
  const given = Delete.parse(body);
  const isEmpty = Object.keys(given).length === 0;
  const removed = isEmpty ? await api.presets.removeAll() : await remove(api, userId, Named.parse(given.arg ?? given));
  return created(Deleted, { acknowledged: true, ...removed });
});

const FAILED = { ...asJson('Something went wrong on the server.', Told), orText: true as const };

export const presetRoutes = [
  authed('GET', '/api/presets', listPresets, {
    summary: 'Presets by their order, those without one last',
    answers: { 200: asJson('A list.', z.array(RestPreset)), 500: FAILED },
    ...byKey,
  }),
  authed('POST', '/api/presets', savePreset, {
    summary: 'Saves a preset, its settings beside its name',
    description:
      'Without `presetId` a new one is made. `defaultPreset: true` takes the place of the default before; `false` is none. Settings that the endpoint does not have are dropped.',
    body: Document,
    answers: { 201: asJson('The preset.', RestPreset), 500: FAILED },
    ...byKey,
  }),
  authed('POST', '/api/presets/delete', removePresets, {
    summary: 'Deletes a preset, also named within `arg`; an empty body means all',
    body: Delete.extend({ presetId: Named.shape.presetId.optional() }),
    answers: { 201: asJson('How many were deleted.', Deleted), 500: FAILED },
    ...byKey,
  }),
];

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
function orText<Result>(handle: (api: Api, call: Call) => Promise<Result>) {
  return (api: Api, call: Call): Promise<Result | Response> =>
    handle(api, call).catch((error: unknown) => {
      if (refusedRequest(error)) throw error;
      call.report(error);
      return plain(INTERNAL_ERROR_MESSAGE, 500);
    });
}
