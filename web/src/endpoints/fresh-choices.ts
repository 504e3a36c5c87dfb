// What was set in the chat that was not sent to yet, endpoint by endpoint: it outlives a reload of its tab, and nothing
// else. What new chats start with is in `memory.ts`.
import { carrySettings } from '@parley/schema/carry-settings';
import { readStored, readText, removeStored, writeStored } from '../lib/persist.ts';
import { endpointTypeOf, type Choice } from './choose.ts';

const STORED_AS = 'freshChoices';
const KIND = 'sessionStorage';

/** An address that was typed begins anew, like the link to a new chat. */
export function wasReloaded(): boolean {
  const [load] = performance.getEntriesByType('navigation');
  return load instanceof PerformanceNavigationTiming && load.type !== 'navigate';
}

/** Of each endpoint one; the one that holds now is the last. */
export function readFreshChoices(): Choice[] {
  return readStored(STORED_AS, [], parse, KIND);
}

export function keepFreshChoice(choice: Choice): void {
  const others = readFreshChoices().filter(({ endpoint }) => endpoint !== choice.endpoint);
  writeStored(STORED_AS, { user: lastUser(), choices: [...others, choice] }, KIND);
}

export function forgetFreshChoices(): void {
  removeStored(STORED_AS, KIND);
}

/** A tab may be opened again when somebody else is signed in. */
function lastUser(): string | null {
  return readText('lastUser');
}

function parse(stored: unknown): Choice[] | undefined {
  const { user, choices } = (stored ?? {}) as { user?: unknown; choices?: unknown };
  if (user !== lastUser() || !Array.isArray(choices)) return undefined;
  return choices.flatMap((one) => parseChoice(one) ?? []);
}

function parseChoice(stored: Partial<Choice> | null): Choice | undefined {
  const { endpoint, model = null, settings, presetId } = stored ?? {};
  if (typeof endpoint !== 'string') return undefined;
  const carried = settings && carrySettings(endpointTypeOf(endpoint, undefined), model, settings);
  return { endpoint, model, settings: carried, presetId };
}
