// Which further models the question being written goes to, beside the chat's own.
import { isObject } from '@parley/schema/json';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import type { AskInput } from '@parley/schema/chat/ask';
import type { Settings } from '@parley/schema/catalog/params';
import type { Attachment } from '@parley/schema/messages/messages';
import { atom } from 'jotai';
import type { Mention } from '../drafts/mention.ts';
import type { ModelTarget } from '../../catalog/model-target.ts';
import { personalAtom } from '../../lib/personal-data.ts';
import { readStored, writeStored } from '../../lib/storage.ts';

const KEY = 'compare';
export const NONE: readonly ModelTarget[] = [];

const storedAtom = personalAtom<Readonly<Record<string, readonly ModelTarget[]>>>(() => readStored(KEY, {}, parse));

/** By the key of the draft. */
export const plannedAtom = atom(
  (get) => get(storedAtom),
  (get, set, draft: string, targets: readonly ModelTarget[]) => {
    const { [draft]: _, ...others } = get(storedAtom);
    const planned = targets.length > 0 ? { ...others, [draft]: targets } : others;
    set(storedAtom, planned);
    writeStored(KEY, planned);
  },
);

export function plannedTarget({ endpoint, model = null, settings }: AskInput, endpointType: EndpointType): ModelTarget {
  return { endpoint, endpointType, model, settings: settings as Settings };
}

/**
 * Sends a question to all of them, or to the one that is named; false where that is not possible now. One that waited in
 * the queue goes to columns under ids that follow from its own. Loads with the first that compares.
 */
export type AskAll = (
  text: string,
  attachments: readonly Attachment[],
  mention?: Mention,
  queuedId?: string,
) => boolean;

/** By the slot. */
export const askAllAtom = atom<Readonly<Record<number, AskAll>>>({});

function parse(stored: unknown): Record<string, ModelTarget[]> | undefined {
  return isObject(stored) && Object.values(stored).every(Array.isArray)
    ? (stored as Record<string, ModelTarget[]>)
    : undefined;
}
