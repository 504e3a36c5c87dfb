import type { Reason } from '@parley/schema/reasons';
import { useQueryClient } from '@tanstack/react-query';
import { useStore } from 'jotai';
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import { i18n } from '../i18n.ts';
import { describeError } from '../lib/describe-error.ts';
import { describeReason } from '../lib/describe-reason.ts';
import { unexpectedOf } from '../lib/reason-of.ts';
import { showToast } from '../lib/toast.tsx';
import { trpc } from '../trpc.ts';
import { createMessageCache } from './thread/message-cache.ts';
import { createRoom, type Room } from './room.ts';
import { wire } from './exchanges/wire.ts';

export const RoomContext = createContext<Room | null>(null);

/** The chat room of one user. Another user needs another provider (a `key`). */
export function RoomProvider({ userId, children }: { userId: string; children: ReactNode }) {
  const utils = trpc.useUtils();
  const client = useQueryClient();
  const store = useStore();
  const [room] = useState(() =>
    createRoom({ userId, wire, store, cache: createMessageCache(utils, client), onStopFailed, onReadingRefused }),
  );
  useEffect(() => {
    room.open();
    return room.close;
  }, [room]);
  return <RoomContext value={room}>{children}</RoomContext>;
}

export function useRoom(): Room {
  const room = useContext(RoomContext);
  if (!room) throw new Error('A chat needs a RoomProvider around it');
  return room;
}

function onReadingRefused(reason: Reason): void {
  showToast({ message: describeReason(reason, i18n.t), severity: 'error' });
}

function onStopFailed(error: unknown): void {
  const message = unexpectedOf(error) ? describeError(error, i18n.t) : i18n.t('com_chat_stop_failed');
  showToast({ message, severity: 'error' });
}
