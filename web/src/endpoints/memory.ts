// The last choices, under the names that existing clients use in this storage.
import type { EndpointType } from '@parley/schema/endpoints';
import { carrySettings } from '@parley/schema/carry-settings';
import type { Settings } from '@parley/schema/params';
import { atom } from 'jotai';
import { readStored, writeStored } from '../lib/persist.ts';
import { endpointTypeOf, type Choice, type ChoiceMemory } from './choose.ts';

const SETUP = 'lastConversationSetup';
const MODELS = 'lastSelectedModel';

/** A choice that was made use of. */
interface Used {
  endpoint: string;
  endpointType: EndpointType;
  model: string | null;
  settings: Settings;
}

export const choiceMemoryAtom = atom<ChoiceMemory>(readMemory());
/** Signing in and out clears the storage while no chat is on screen. */
choiceMemoryAtom.onMount = (set) => set(readMemory());

/** Makes a choice the one that new chats start with. */
export const rememberChoiceAtom = atom(null, (get, set, used: Used) => {
  const memory = withChoice(get(choiceMemoryAtom), used);
  set(choiceMemoryAtom, memory);
  const { endpoint, endpointType, model, settings } = used;
  writeStored(SETUP, { endpoint, ...(endpointType !== endpoint && { endpointType }), model, ...settings });
  writeModels(memory.lastModels);
});

export function withChoice(memory: ChoiceMemory, { endpoint, model, settings }: Used): ChoiceMemory {
  const lastModels = new Map(memory.lastModels);
  lastModels.delete(endpoint);
  if (model !== null) lastModels.set(endpoint, model);
  return { setup: { endpoint, model, settings }, lastModels };
}

/** An endpoint's second model is another client's: it stays as it is. */
function writeModels(lastModels: ReadonlyMap<string, string>): void {
  const before = readStored(MODELS, {}, (stored) => (isRecord(stored) ? stored : undefined));
  const models = [...lastModels].map(([name, primaryModel]) => {
    const known = before[name];
    return [name, isRecord(known) ? { ...known, primaryModel } : { primaryModel }];
  });
  writeStored(MODELS, Object.fromEntries(models));
}

function readMemory(): ChoiceMemory {
  return { setup: readStored(SETUP, null, parseSetup), lastModels: readStored(MODELS, new Map(), parseModels) };
}

/** A whole conversation, settings beside its identity. */
function parseSetup(stored: unknown): Choice | undefined {
  if (!isRecord(stored) || typeof stored.endpoint !== 'string') return undefined;
  const { endpoint } = stored;
  const model = typeof stored.model === 'string' ? stored.model : null;
  return { endpoint, model, settings: carrySettings(endpointTypeOf(endpoint, undefined), model, stored) };
}

function parseModels(stored: unknown): Map<string, string> | undefined {
  if (!isRecord(stored)) return undefined;
  const models = Object.entries(stored).map(([name, value]) => [name, modelOf(value)] as const);
  return new Map(models.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function modelOf(value: unknown): string | undefined {
  const model = isRecord(value) ? value.primaryModel : value;
  return typeof model === 'string' ? model : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
