// Who answers the next question of a draft, and only that one: named with `@` in the message box.
import { isObject } from '@parley/schema/json';
import type { Settings } from '@parley/schema/catalog/params';
import type { AnswererOnce } from '@parley/schema/chat/queue';
import { atom } from 'jotai';
import { personalAtom } from '../../lib/personal-data.ts';
import { readStored, writeStored } from '../../lib/storage.ts';
import { endpointTypeOf } from '../../catalog/choose-model.ts';
import type { ModelTarget } from '../../catalog/model-target.ts';

export interface Mention {
  target: ModelTarget;
  /** Of the model or the assistant. */
  name: string;
}

/** Of a question that has waited, maybe in another browser. */
export function mentionOf({ name, endpoint, model, settings }: AnswererOnce): Mention {
  const endpointType = endpointTypeOf(endpoint, undefined);
  return { name, target: { endpoint, endpointType, model, settings: settings as Settings } };
}

const KEY = 'mentions';

const storedAtom = personalAtom<Readonly<Record<string, Mention>>>(() => readStored(KEY, {}, parse));

/** By the key of the draft; null takes a mention back. */
export const mentionsAtom = atom(
  (get) => get(storedAtom),
  (get, set, draft: string, mention: Mention | null) => {
    const { [draft]: _, ...others } = get(storedAtom);
    const mentions = mention ? { ...others, [draft]: mention } : others;
    set(storedAtom, mentions);
    writeStored(KEY, mentions);
  },
);

function parse(stored: unknown): Record<string, Mention> | undefined {
  if (!isObject(stored)) return undefined;
  return Object.fromEntries(Object.entries(stored).flatMap(([key, one]) => (isMention(one) ? [[key, one]] : [])));
}

function isMention(value: unknown): value is Mention {
  if (!isObject(value) || typeof value.name !== 'string' || !isObject(value.target)) return false;
  const { endpoint, endpointType, settings } = value.target;
  return typeof endpoint === 'string' && typeof endpointType === 'string' && isObject(settings);
}
