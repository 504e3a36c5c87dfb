// The shared conversation that a visitor wants to read or to go on with, while they sign in.
import { navigate } from 'wouter/use-browser-location';
import { readText, removeStored, writeText } from '../lib/storage.ts';
import { api } from '../trpc.ts';

const KEY = 'continueShare';

export function rememberShare(wish: 'read' | 'continue', id: string): void {
  writeText(KEY, `${wish} ${id}`, 'sessionStorage');
}

/** After a sign-in: opens the shared conversation that was to be read, or a copy of the one to be continued. */
export async function continueShare(): Promise<void> {
  const [wish, id = ''] = readText(KEY, 'sessionStorage')?.split(' ') ?? [];
  if (wish === undefined) return;
  removeStored(KEY, 'sessionStorage');
  if (wish === 'read') return navigate(`/share/${id}`);
  const { conversationId } = await api.shares.copy.mutate({ id });
  navigate(`/c/${conversationId}`);
}
