// The last choices, under the names that existing clients use in this storage.
import { atom } from 'jotai';
import { readStored, writeStored } from '../lib/persist.ts';
import type { Choice, ChoiceMemory } from './choose.ts';

const SETUP = 'lastConversationSetup';
const MODELS = 'lastSelectedModel';

export const choiceMemoryAtom = atom<ChoiceMemory>(readMemory());
/** Signing in and out clears the storage while no chat is on screen. */
choiceMemoryAtom.onMount = (set) => set(readMemory());

/** Makes `choice` the one that new chats start with. */
export const rememberChoiceAtom = atom(null, (get, set, choice: Choice) => {
  const memory = withChoice(get(choiceMemoryAtom), choice);
  set(choiceMemoryAtom, memory);
  writeStored(SETUP, memory.setup);
  writeStored(
    MODELS,
    Object.fromEntries([...memory.lastModels].map(([name, model]) => [name, { primaryModel: model }])),
  );
});

export function withChoice(memory: ChoiceMemory, choice: Choice): ChoiceMemory {
  const lastModels = new Map(memory.lastModels);
  lastModels.delete(choice.endpoint);
  if (choice.model !== null) lastModels.set(choice.endpoint, choice.model);
  return { setup: choice, lastModels };
}

function readMemory(): ChoiceMemory {
  return { setup: readStored(SETUP, null, parseSetup), lastModels: readStored(MODELS, new Map(), parseModels) };
}

function parseSetup(stored: unknown): Choice | undefined {
  if (!isRecord(stored) || typeof stored.endpoint !== 'string') return undefined;
  return { endpoint: stored.endpoint, model: typeof stored.model === 'string' ? stored.model : null };
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
