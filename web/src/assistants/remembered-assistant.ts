// The last assistant of each chat pane, under the storage key of existing clients.
import { readText, writeText } from '../lib/storage.ts';

export function readRemembered(index: number): string | null {
  return readText(keyOf(index));
}

export function remember(index: number, assistantId: string): void {
  writeText(keyOf(index), assistantId);
}

function keyOf(index: number): string {
  return `assistant_id__${index}`;
}
