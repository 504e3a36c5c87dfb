// Loads the requested message bodies one batch at a time. After a fast scroll past thousands of messages, the next
// batch holds only what is near the viewport.
import type { Reason } from '@parley/schema/reasons';
import type { ThreadNode } from '@parley/schema/messages/thread';
import { pause, retryDelay } from '../../lib/retry.ts';
import { permanentRefusal } from '../../errors/refusal.ts';

const NONE: ReadonlySet<string> = new Set();
/** Messages per batch: their ids go into a URL, whose length servers limit. */
const BATCH_MAX = 30;
/** Bytes per batch; a longer message is a batch of its own. */
const BATCH_BYTES = 400_000;

export interface BodyLoader {
  /** Replaces the list of requested messages, the most urgent first. */
  request(nodes: readonly ThreadNode[]): void;
  /** Enables loading until the returned function is called. */
  open(): () => void;
}

/**
 * `read` returns the ids it loaded. Where it loads none of a batch, all of it is deleted and is not requested again;
 * what is missing otherwise may be too many bytes, and comes with the next batch. A batch that is refused permanently is
 * not requested again; `onRefused` is called for the first one.
 */
export function createBodyLoader(
  read: (nodes: readonly ThreadNode[], signal: AbortSignal) => Promise<ReadonlySet<string>>,
  onRefused: (reason: Reason) => void,
): BodyLoader {
  const gone = new Set<string>();
  let isRefused = false;
  let wanted: readonly ThreadNode[] = [];
  let reading: AbortController | null = null;
  /** The signal of the `open` call whose batch is in flight. */
  let busy: AbortSignal | null = null;

  return {
    request(nodes) {
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
        const reason = signal.aborted ? null : permanentRefusal(error);
        if (reason) refuse(batch, reason);
        else await pause(retryDelay(failures++), signal).catch(() => {});
      }
    }
    if (busy === signal) busy = null;
  }

  function leave(batch: readonly ThreadNode[], came: ReadonlySet<string>): void {
    const loaded = batch.filter(({ messageId }) => came.has(messageId));
    const left = loaded.length > 0 ? loaded : batch;
    if (loaded.length === 0) for (const { messageId } of batch) gone.add(messageId);
    wanted = wanted.filter((node) => !left.includes(node));
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
  for (const node of nodes.slice(0, BATCH_MAX)) {
    bytes += node.size;
    if (batch.length > 0 && bytes > BATCH_BYTES) break;
    batch.push(node);
  }
  return batch;
}
