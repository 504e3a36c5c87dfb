// Reads the messages that are wanted, one batch at a time: whoever scrolls fast past thousands wants only what is near
// when the last batch has come.
import type { Reason } from '@parley/schema/reasons';
import type { ThreadNode } from '@parley/schema/thread';
import { pause, retryDelay } from '../exchanges/patience.ts';
import { lastingRefusalOf } from '../exchanges/wire.ts';

const NONE: ReadonlySet<string> = new Set();
/** Messages in one batch: their ids go into an address, and longer ones are not taken everywhere. */
const BATCH = 30;
/** Bytes of messages in one batch; a longer one comes alone. */
const BATCH_BYTES = 400_000;

export interface BodyReader {
  /** What is wanted now, the most wanted first, in place of what was wanted before. */
  want(nodes: readonly ThreadNode[]): void;
  /** Begins to read, until the returned function is called. */
  open(): () => void;
}

/**
 * `read` gives the ids of those that came; what did not come is gone and is not asked for again. Nor is what is refused
 * for good, of which `onRefused` hears once.
 */
export function createBodyReader(
  read: (nodes: readonly ThreadNode[], signal: AbortSignal) => Promise<ReadonlySet<string>>,
  onRefused: (reason: Reason) => void,
): BodyReader {
  const gone = new Set<string>();
  let isRefused = false;
  let wanted: readonly ThreadNode[] = [];
  let reading: AbortController | null = null;
  /** The opening for which a batch is being read. */
  let busy: AbortSignal | null = null;

  return {
    want(nodes) {
      wanted = nodes.filter(({ messageId }) => !gone.has(messageId));
      if (reading && busy !== reading.signal) void readOn(reading.signal);
    },
    open() {
      const ending = new AbortController();
      reading = ending;
      return () => {
        ending.abort();
        reading = null;
      };
    },
  };

  async function readOn(signal: AbortSignal): Promise<void> {
    busy = signal;
    let failures = 0;
    while (wanted.length > 0 && !signal.aborted) {
      const batch = firstBatch(wanted);
      try {
        const came = await read(batch, signal);
        failures = 0;
        leave(batch, came);
      } catch (error) {
        const reason = signal.aborted ? null : lastingRefusalOf(error);
        if (reason) refuse(batch, reason);
        else await pause(retryDelay(failures++), signal).catch(() => {});
      }
    }
    if (busy === signal) busy = null;
  }

  function leave(batch: readonly ThreadNode[], came: ReadonlySet<string>): void {
    for (const { messageId } of batch) if (!came.has(messageId)) gone.add(messageId);
    wanted = wanted.filter((node) => !batch.includes(node));
  }

  function refuse(batch: readonly ThreadNode[], reason: Reason): void {
    leave(batch, NONE);
    if (!isRefused) onRefused(reason);
    isRefused = true;
  }
}

function firstBatch(nodes: readonly ThreadNode[]): ThreadNode[] {
  const batch: ThreadNode[] = [];
  let bytes = 0;
  for (const node of nodes.slice(0, BATCH)) {
    bytes += node.size;
    if (batch.length > 0 && bytes > BATCH_BYTES) break;
    batch.push(node);
  }
  return batch;
}
