// The choices made in a new chat, one per endpoint: they survive a reload of the tab and nothing else. The defaults for
// new chats are in `last-choices.ts`.
import { asFields } from '@parley/schema/json';
import { carrySettings } from '@parley/schema/settings/carry-settings';
import { readStored, readText, removeStored, writeStored } from '../lib/storage.ts';
import { endpointTypeOf, type Choice } from './choose-model.ts';

const STORED_AS = 'freshChoices';
const PLACE = 'newChatPlace';
const KIND = 'sessionStorage';

/** Where a new chat will be. */
export interface NewChatTarget {
  /** It is to be a temporary one. */
  isTemporary?: boolean;
  folderId?: string;
}

/** A typed address starts fresh, like the new-chat link. */
export function wasReloaded(): boolean {
  const [load] = performance.getEntriesByType('navigation');
  return load instanceof PerformanceNavigationTiming && load.type !== 'navigate';
}

/** One per endpoint; the current one is last. */
export function readNewChatChoices(): Choice[] {
  return readStored(STORED_AS, [], parse, KIND);
}

export function saveNewChatChoice(choice: Choice): void {
  const others = readNewChatChoices().filter(({ endpoint }) => endpoint !== choice.endpoint);
  writeStored(STORED_AS, { user: lastUser(), choices: [...others, choice] }, KIND);
}

export function clearNewChatChoices(): void {
  removeStored(STORED_AS, KIND);
  removeStored(PLACE, KIND);
}

export function readNewChatTarget(): NewChatTarget {
  return readStored(PLACE, {}, parseTarget, KIND);
}

export function saveNewChatTarget({ isTemporary, folderId }: NewChatTarget): void {
  if (isTemporary || folderId) writeStored(PLACE, { user: lastUser(), isTemporary, folderId }, KIND);
  else removeStored(PLACE, KIND);
}

/** A tab may reopen when another user is signed in. */
function lastUser(): string | null {
  return readText('lastUser');
}

function parse(stored: unknown): Choice[] | undefined {
  const { user, choices } = asFields(stored);
  if (user !== lastUser() || !Array.isArray(choices)) return undefined;
  return choices.flatMap((one) => parseChoice(one) ?? []);
}

function parseTarget(stored: unknown): NewChatTarget | undefined {
  const { user, isTemporary, folderId } = asFields(stored);
  if (user !== lastUser()) return undefined;
  return { isTemporary: isTemporary === true, ...(typeof folderId === 'string' && { folderId }) };
}

function parseChoice(stored: Partial<Choice> | null): Choice | undefined {
  const { endpoint, model = null, settings, presetId } = stored ?? {};
  if (typeof endpoint !== 'string') return undefined;
  const carried = settings && carrySettings(endpointTypeOf(endpoint, undefined), model, settings);
  return { endpoint, model, settings: carried, presetId };
}
