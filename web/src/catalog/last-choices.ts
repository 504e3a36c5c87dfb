// The last choices, under the storage keys of existing clients.
import { isObject } from '@parley/schema/json';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import { carrySettings } from '@parley/schema/settings/carry-settings';
import type { Settings } from '@parley/schema/catalog/params';
import { atom } from 'jotai';
import { readStored, writeStored } from '../lib/storage.ts';
import { endpointTypeOf, type Choice, type LastChoices } from './choose-model.ts';

const SETUP = 'lastConversationSetup';
const MODELS = 'lastSelectedModel';

/** A choice that the user sent a question with. */
interface UsedChoice {
  endpoint: string;
  endpointType: EndpointType;
  model: string | null;
  settings: Settings;
}

export const lastChoicesAtom = atom<LastChoices>(readMemory());
/** Sign-in and sign-out clear the storage while no chat is on screen. */
lastChoicesAtom.onMount = (set) => set(readMemory());

/** Stores a choice as the default for new chats. */
export const saveChoiceAtom = atom(null, (get, set, choice: UsedChoice) => {
  const used = { ...choice, settings: withoutTools(choice.settings) };
  const memory = withChoice(get(lastChoicesAtom), used);
  set(lastChoicesAtom, memory);
  const { endpoint, endpointType, model, settings } = used;
  writeStored(SETUP, { endpoint, ...(endpointType !== endpoint && { endpointType }), model, ...settings });
  writeModels(memory.lastModels);
});

export function withChoice(memory: LastChoices, { endpoint, model, settings }: UsedChoice): LastChoices {
  const lastModels = new Map(memory.lastModels);
  lastModels.delete(endpoint);
  if (model !== null) lastModels.set(endpoint, model);
  return { setup: { endpoint, model, settings }, lastModels };
}

/** The secondary model belongs to other clients: keep it. */
function writeModels(lastModels: ReadonlyMap<string, string>): void {
  const before = readStored(MODELS, {}, (stored) => (isObject(stored) ? stored : undefined));
  const models = [...lastModels].map(([name, primaryModel]) => {
    const known = before[name];
    return [name, isObject(known) ? { ...known, primaryModel } : { primaryModel }];
  });
  writeStored(MODELS, Object.fromEntries(models));
}

function readMemory(): LastChoices {
  return { setup: readStored(SETUP, null, parseSetup), lastModels: readStored(MODELS, new Map(), parseModels) };
}

/** The stored shape is a whole conversation: settings beside its identity. */
function parseSetup(stored: unknown): Choice | undefined {
  if (!isObject(stored) || typeof stored.endpoint !== 'string') return undefined;
  const { endpoint } = stored;
  const model = typeof stored.model === 'string' ? stored.model : null;
  return { endpoint, model, settings: carrySettings(endpointTypeOf(endpoint, undefined), model, withoutTools(stored)) };
}

/** A new chat begins without tools: each conversation chooses its own. */
function withoutTools<T extends Readonly<Record<string, unknown>>>({ tools: _chosen, ...rest }: T): Omit<T, 'tools'> {
  return rest;
}

function parseModels(stored: unknown): Map<string, string> | undefined {
  if (!isObject(stored)) return undefined;
  const models = Object.entries(stored).map(([name, value]) => [name, modelOf(value)] as const);
  return new Map(models.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function modelOf(value: unknown): string | undefined {
  const model = isObject(value) ? value.primaryModel : value;
  return typeof model === 'string' ? model : undefined;
}
