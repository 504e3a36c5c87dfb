import { Id } from '@parley/schema/ids';
import { SavePreset } from '@parley/schema/presets';
import * as z from 'zod';
import type { Api } from '../router.ts';
import { created, plain } from './answers.ts';
import { presentPreset } from './present-preset.ts';
import { refusedWith } from './refused.ts';
import type { Call, Row } from './row.ts';
import { FAILED } from './sentences.ts';

/** What a preset is; everything else in a document is one of its settings, or nothing. */
const Document = z.looseObject({
  ...SavePreset.omit({ isDefault: true, settings: true }).shape,
  defaultPreset: z.boolean().nullish(),
});
/** One preset, which some clients wrap. */
const Delete = z.looseObject({ arg: z.unknown().optional() });
const Named = z.object({ presetId: z.string().min(1) });

export const listPresets = orText(async (api) => (await api.presets.list()).map(presentPreset));

/** The same document with another client's fields around it is as good: what is unknown is dropped. */
export const savePreset = orText(async (api, { body }) => {
  const { presetId, title, endpoint, model, order, defaultPreset, ...settings } = Document.parse(body);
  const preset = { presetId, title, endpoint, model, order, isDefault: defaultPreset ?? undefined, settings };
  return created(presentPreset(await api.presets.save(preset)));
});

/** Deletes one, or all when the body is empty. An id that none of ours can have deletes nothing. */
export const removePresets = orText(async (api, { body }) => {
  const given = Delete.parse(body);
  const isEmpty = Object.keys(given).length === 0;
  const removed = isEmpty ? await api.presets.removeAll() : await remove(api, Named.parse(given.arg ?? given));
  return created({ acknowledged: true, ...removed });
});

async function remove(api: Api, { presetId }: z.infer<typeof Named>): Promise<{ deletedCount: number }> {
  return Id.safeParse(presetId).success ? api.presets.remove({ presetId }) : { deletedCount: 0 };
}

/** Clients of these paths show the body of a failure as it is. */
function orText(handle: (api: Api, call: Call) => Promise<unknown>): Row['handle'] {
  return (api, call) =>
    handle(api, call).catch((error: unknown) => {
      if (refusedWith(error)) throw error;
      call.report(error);
      return plain(FAILED, 500);
    });
}
