import { navigate } from 'wouter/use-browser-location';
import { api } from '../trpc.ts';
import { notifyMissingFiles } from './notify-missing-files.ts';

/** `wish` is what `rememberShare` has kept. */
export async function openShare(wish: string): Promise<void> {
  const [what, id = ''] = wish.split(' ');
  if (what === 'read') return navigate(`/share/${id}`);
  const copied = await api.shares.copy.mutate({ id });
  navigate(`/c/${copied.conversationId}`);
  notifyMissingFiles(copied);
}
