import { getDefaultStore } from 'jotai';
import { createStoredMap } from '../../lib/stored-map.ts';

/** Diagrams whose heights are remembered. */
const DIAGRAMS_MAX = 200;

const heights = createStoredMap<number>({
  storageKey: 'diagramHeights',
  most: DIAGRAMS_MAX,
  parse: (stored) => (typeof stored === 'number' && stored > 0 ? stored : undefined),
});

/** Pixels that a diagram took when it was last drawn in a window of this width: its room is there before it is. */
export function knownHeight(source: string): number | undefined {
  return getDefaultStore().get(heights.entry(keyOf(source)));
}

export function rememberHeight(source: string, height: number): void {
  getDefaultStore().set(heights.entry(keyOf(source)), height);
}

/** A short name of a source; two that have the same one would have each other's room at first. */
function keyOf(source: string): string {
  let hash = 0;
  for (let at = 0; at < source.length; at++) hash = (Math.imul(hash, 31) + source.charCodeAt(at)) | 0;
  return `${source.length} ${hash} ${window.innerWidth}`;
}
