// The tools that new chats of this person begin with. The account has them; this browser remembers them, so that a new
// chat need not wait.
import { takesTools, type EndpointType } from '@parley/schema/catalog/endpoints';
import type { Settings } from '@parley/schema/catalog/params';
import { atom } from 'jotai/vanilla';
import { personalAtom } from '../lib/personal-data.ts';
import { readStored, writeStored } from '../lib/storage.ts';

const KEY = 'defaultTools';
const NONE: readonly string[] = [];

const storedAtom = personalAtom<readonly string[]>(() =>
  readStored(KEY, NONE, (stored) =>
    Array.isArray(stored) ? stored.filter((key): key is string => typeof key === 'string') : undefined,
  ),
);

export const defaultToolsAtom = atom(
  (get) => get(storedAtom),
  (_get, set, keys: readonly string[]) => {
    set(storedAtom, keys);
    writeStored(KEY, keys);
  },
);

/** The settings of a new chat with these tools, where its model takes tools. An assistant has tools of its own. */
export function withDefaultTools(
  settings: Settings,
  { type, model, tools }: { type: EndpointType; model: string | null; tools: readonly string[] },
): Settings {
  const takes = tools.length > 0 && type !== 'assistants' && takesTools(type, model);
  return takes && !('tools' in settings) ? { ...settings, tools: [...tools] } : settings;
}
