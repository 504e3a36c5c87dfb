import type { Reason } from '@parley/schema/reasons';
import type { ThreadNode } from '@parley/schema/messages/thread';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { i18n } from '../../i18n.ts';
import { describeReason } from '../../errors/describe-reason.ts';
import { showToast } from '../../ui/toast/toast.ts';
import { createBodyLoader } from '../cache/body-loader.ts';
import { loadBodies } from '../cache/thread-query.ts';
import type { Thread } from './use-thread.ts';

/** Rows to load beyond the rendered range on either side, and their limit in bytes. */
const AHEAD_ROWS = 20;
const AHEAD_BYTES = 1_000_000;

/** Loads the messages of the rows from `first` to `last`, of some around them, and the latest one. */
export function useLoadBodies(
  conversationId: string,
  { path, findMessage }: Pick<Thread, 'path' | 'findMessage'>,
  { first, last }: { first: number; last: number },
): void {
  const client = useQueryClient();
  const reader = useMemo(
    () => createBodyLoader((nodes, signal) => loadBodies(client, conversationId, nodes, signal), toastRefusal),
    [client, conversationId],
  );
  useEffect(() => reader.open(), [reader]);

  useEffect(() => {
    const near = path.slice(first, last + 1).concat(path.slice(-1));
    const ahead = path.slice(Math.max(0, first - AHEAD_ROWS), first).toReversed();
    const around = affordable(interleave(ahead, path.slice(last + 1, last + 1 + AHEAD_ROWS)));
    // At the end of the thread the latest one is among the others.
    const wanted = [...new Set([...near, ...around])];
    reader.request(wanted.filter(({ messageId }) => !findMessage(messageId)));
  }, [reader, path, findMessage, first, last]);
}

function toastRefusal(reason: Reason): void {
  showToast({ message: describeReason(reason, i18n.t), severity: 'error' });
}

/** Alternates between the two arrays. */
function interleave<T>(some: readonly T[], others: readonly T[]): T[] {
  const longest = Math.max(some.length, others.length);
  return Array.from({ length: longest }, (_, n) => [...some.slice(n, n + 1), ...others.slice(n, n + 1)]).flat();
}

function affordable(nodes: readonly ThreadNode[]): ThreadNode[] {
  let bytes = 0;
  return nodes.filter(({ size }) => (bytes += size) <= AHEAD_BYTES);
}
