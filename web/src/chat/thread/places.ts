// Where in each conversation its reader was, for as long as this browser remembers. One who was at the end has no place:
// the conversation opens at whatever is newest then.
import { readStored, writeStored } from '../../lib/persist.ts';

export interface Place {
  /** The message that begins above the view's upper edge, or at it. */
  messageId: string;
  /** Pixels of it above that edge. */
  offset: number;
}

const KEY = 'places';
/** Conversations whose places are kept; the one left longest ago goes first. */
const CONVERSATIONS = 100;

export function findPlace(conversationId: string): Place | undefined {
  return listPlaces()[conversationId];
}

/** Null forgets. */
export function rememberPlace(conversationId: string, place: Place | null): void {
  const { [conversationId]: before, ...others } = listPlaces();
  if (!before && !place) return;
  const kept = Object.entries(others).slice(1 - CONVERSATIONS);
  writeStored(KEY, Object.fromEntries(place ? [...kept, [conversationId, place]] : kept));
}

function listPlaces(): Record<string, Place> {
  return readStored(KEY, {}, parsePlaces);
}

function parsePlaces(stored: unknown): Record<string, Place> | undefined {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return undefined;
  return Object.values(stored).every(isPlace) ? (stored as Record<string, Place>) : undefined;
}

function isPlace(value: unknown): value is Place {
  const { messageId, offset } = (value ?? {}) as Partial<Place>;
  return typeof messageId === 'string' && Number.isFinite(offset);
}
