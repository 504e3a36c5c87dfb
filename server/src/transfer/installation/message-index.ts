// Where the messages of each conversation are in their file: a few bytes for each, so that millions fit in memory.
import { readDocuments, type ByteRange } from './documents.ts';

export interface MessageIndex {
  read: number;
  /** Messages that are not valid JSON or name no conversation. */
  unreadable: number;
  rangesOf(conversationId: string): ByteRange[];
  /** Messages whose conversation nobody asked for. */
  unclaimed(): number;
}

export async function indexMessages(path: string | null): Promise<MessageIndex> {
  const numbers = new Map<string, number>();
  const of: number[] = [];
  const offsets: number[] = [];
  const lengths: number[] = [];
  let read = 0;
  let unreadable = 0;
  for await (const { document, offset, length } of path === null ? [] : readDocuments(path)) {
    read += 1;
    const id = document?.conversationId;
    if (typeof id !== 'string') {
      unreadable += 1;
      continue;
    }
    const number = numbers.get(id) ?? numbers.size;
    numbers.set(id, number);
    of.push(number);
    offsets.push(offset);
    lengths.push(length);
  }
  const { starts, order } = sortByConvo(of, numbers.size);
  let claimed = 0;
  return { read, unreadable, rangesOf: placesOf, unclaimed: () => read - unreadable - claimed };

  function placesOf(conversationId: string): ByteRange[] {
    const number = numbers.get(conversationId);
    if (number === undefined) return [];
    numbers.delete(conversationId);
    const places: ByteRange[] = [];
    for (const at of order.subarray(starts[number], starts[number + 1]))
      places.push({ offset: offsets[at] ?? 0, length: lengths[at] ?? 0 });
    claimed += places.length;
    return places;
  }
}

/** A counting sort: messages keep their order within a conversation. */
function sortByConvo(of: readonly number[], convos: number): { starts: Uint32Array; order: Uint32Array } {
  const starts = new Uint32Array(convos + 1);
  for (const convo of of) starts[convo + 1] = (starts[convo + 1] ?? 0) + 1;
  for (let convo = 0; convo < convos; convo += 1) starts[convo + 1] = (starts[convo + 1] ?? 0) + (starts[convo] ?? 0);
  const next = starts.slice();
  const order = new Uint32Array(of.length);
  for (const [at, convo] of of.entries()) {
    const position = next[convo] ?? 0;
    order[position] = at;
    next[convo] = position + 1;
  }
  return { starts, order };
}
