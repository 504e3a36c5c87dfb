import type { Chat } from './use-chat.ts';

/** Nothing is asked in it yet: the message box stands in the middle. */
export function isEmptyChat({ loading, path }: Pick<Chat, 'loading' | 'path'>): boolean {
  return loading.status === 'ready' && path.length === 0;
}
