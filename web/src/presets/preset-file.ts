// A preset as a file: one object, settings beside its identity, in the format of existing clients.
import { isObject, parseJson } from '@parley/schema/json';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import { belongings } from '@parley/schema/transfer/register/belongings';
import { travellingAlone } from '@parley/schema/transfer/register/places';
import { validFileName } from '../lib/file-name.ts';
import { saveFile } from '../lib/save-file.ts';
import type { PresetDraft } from '../catalog/preset-draft.ts';

/** In bytes; more than the largest preset that can be saved. */
const FILE_MAX = 1_000_000;
const FALLBACK_NAME = 'preset';

/** The contents of a file; the server validates it. */
export interface FromFile {
  title: string | null;
  endpoint: string | null;
  model: string | null;
  settings: Record<string, unknown>;
}

/** Downloads a preset, named after its title. */
export function savePresetFile(draft: PresetDraft, endpointType: EndpointType | null): void {
  const text = JSON.stringify(presetFile(draft, endpointType), null, 2);
  saveFile(new Blob([text], { type: 'application/json' }), `${validFileName(draft.title, FALLBACK_NAME)}.json`);
}

export function presetFile(draft: PresetDraft, endpointType: EndpointType | null): object {
  const { settings, endpoint } = draft;
  const isCustom = endpointType !== null && endpointType !== endpoint;
  const fields = new Map<string, unknown>(Object.entries({ ...draft, endpointType }));
  return {
    presetId: null,
    ...Object.fromEntries(
      travellingAlone(belongings.presets)
        .filter((name) => name !== 'settings' && (name !== 'endpointType' || isCustom))
        .map((name) => [name, fields.get(name)]),
    ),
    ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null)),
  };
}

/** Null for a file that is not a preset. Rejects if the browser cannot read it. */
export async function readPresetFile(file: Blob): Promise<FromFile | null> {
  return file.size > FILE_MAX ? null : parsePreset(await file.text());
}

/** Null for a text that is not a preset. Drops its id, owner and order, which belong to another list. */
export function parsePreset(text: string): FromFile | null {
  const value = parseJson(text);
  if (!isObject(value)) return null;
  const fields = new Map<string, unknown>(Object.entries(value));
  const [title, endpoint, model] = ['title', 'endpoint', 'model'].map((name) => fields.get(name));
  // An object without any of these is not a preset.
  if (!fields.has('endpoint') && !fields.has('presetId')) return null;
  const columns = travellingAlone(belongings.presets);
  const given = columns.flatMap((column) => (fields.has(column) ? [[column, fields.get(column)]] : []));
  for (const name of ['presetId', ...columns]) fields.delete(name);
  return {
    // The server knows the type of an endpoint that it offers.
    ...Object.fromEntries(given.filter(([column]) => column !== 'endpointType')),
    title: textOf(title),
    endpoint: textOf(endpoint),
    model: textOf(model),
    settings: Object.fromEntries(fields),
  };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
