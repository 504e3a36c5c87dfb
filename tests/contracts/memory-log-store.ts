import { randomUUID } from 'node:crypto';
import type { Entry } from '@parley/schema/generation/events';
import type { Batch, Ownership } from '@parley/server/generation/log-store';
import type { StoreUnderTest } from './generation-log.ts';

/** The minimum log store, in memory. Entries pass through JSON, as in every store. */
export async function openMemoryStore(): Promise<StoreUnderTest> {
  const rows = new Map<string, Map<number, string>>();
  const standings = new Map<string, Ownership>();

  return {
    store: { write },
    async begin() {
      const generationId = randomUUID();
      rows.set(generationId, new Map());
      standings.set(generationId, 'ours');
      return { generationId, userId: randomUUID(), epoch: 1 };
    },
    read: async (generationId, afterSeq) => entriesOf(rows.get(generationId), afterSeq),
    requestStop: async (generationId) => void standings.set(generationId, 'stop'),
    takeOver: async (generationId) => void standings.set(generationId, 'lost'),
    async close() {},
  };

  async function write(batches: Batch[]): Promise<Map<string, Ownership>> {
    const written = batches.flatMap(({ generationId, entries }) =>
      entries.map(({ seq, event }) => ({ generationId, seq, json: JSON.stringify(event) })),
    );
    if (written.some(({ json }) => json.includes('\\u0000'))) throw new Error('NUL cannot be kept');
    for (const { generationId, seq, json } of written)
      if (standings.get(generationId) !== 'lost') rows.get(generationId)?.set(seq, json);
    return new Map(batches.map(({ generationId }) => [generationId, standings.get(generationId) ?? 'lost']));
  }
}

function entriesOf(rows: ReadonlyMap<number, string> | undefined, afterSeq: number): Entry[] {
  return [...(rows ?? [])]
    .filter(([seq]) => seq > afterSeq)
    .toSorted(([a], [b]) => a - b)
    .map(([seq, json]) => ({ seq, event: JSON.parse(json) }));
}
