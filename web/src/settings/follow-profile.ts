// Takes up the name and the username when they were changed in another browser, which is told as a change of settings.
import { onChange } from '../feed/change-feed.ts';
import { session } from '../session/current-session.ts';
import { api } from '../trpc.ts';

/** Returns the function that ends it. */
export function followProfile(): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const end = onChange(({ type }) => {
    if (type === 'settings' || type === 'reset') void load();
  });
  return () => {
    controller.abort();
    end();
  };

  /** What fails here comes with the next change, or with the next renewal of the session. */
  async function load(): Promise<void> {
    const user = await api.auth.me.query(undefined, { signal }).catch(() => null);
    const shown = session.get().user;
    if (signal.aborted || user?.id !== shown?.id) return;
    // The renewed session brings the new names.
    if (user?.name !== shown?.name || user?.username !== shown?.username) await session.refresh().catch(() => null);
  }
}
