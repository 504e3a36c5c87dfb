// The shared conversation that a visitor wants to go on with, while they sign in.
import { navigate } from 'wouter/use-browser-location';
import { readText, removeStored, writeText } from '../lib/storage.ts';
import { api } from '../trpc.ts';

const KEY = 'continueShare';

export function rememberShare(id: string): void {
  writeText(KEY, id, 'sessionStorage');
}

/** After a sign-in: opens a copy of the conversation that was to be continued, if there is one. */
export async function continueShare(): Promise<void> {
  const id = readText(KEY, 'sessionStorage');
  if (id === null) return;
  removeStored(KEY, 'sessionStorage');
  const { conversationId } = await api.shares.copy.mutate({ id });
  navigate(`/c/${conversationId}`);
}
