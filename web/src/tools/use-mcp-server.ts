// What a person does with a server, and the list that shows it.
import type { McpServer } from '@parley/schema/tools/mcp-servers';
import { useState } from 'react';
import { useSetServerTools } from '../chat/tools/use-set-server-tools.ts';
import { emitUninstall } from '../plugins/uninstall-events.ts';
import { trpc } from '../trpc.ts';
import { useEventListener } from '../ui/hooks/use-event-listener.ts';
import { useShowError } from '../ui/toast/use-show-error.ts';

/** Puts a server as it is now into the list. */
export function useShowServer(): (server: McpServer) => void {
  const utils = trpc.useUtils();
  return (server) => {
    // A list that was asked for before the change must not arrive after it.
    void utils.mcp.list.cancel();
    utils.mcp.list.setData(undefined, (before = []) =>
      before.some(({ id }) => id === server.id)
        ? before.map((one) => (one.id === server.id ? server : one))
        : [...before, server],
    );
    // The menu of tools is closed now, and must not show the old state first.
    void utils.tools.list.invalidate(undefined, { refetchType: 'all' });
  };
}

export function useMcpServer(server: McpServer) {
  const { id } = server;
  const showError = useShowError();
  const utils = trpc.useUtils();
  const onSuccess = useShowServer();
  const onError = showError;
  const setTools = useSetServerTools(id);
  const refresh = trpc.mcp.refresh.useMutation({ onSuccess, onError });
  const update = trpc.mcp.update.useMutation({ onSuccess, onError });
  const signOut = trpc.mcp.signOut.useMutation({ onSuccess, onError });
  const remove = trpc.mcp.remove.useMutation({
    onError,
    onSuccess() {
      void utils.mcp.list.cancel();
      utils.mcp.list.setData(undefined, (before) => before?.filter((one) => one.id !== id));
      void utils.tools.list.invalidate(undefined, { refetchType: 'all' });
      // What was allowed of it is asked for again.
      void utils.tools.grants.invalidate();
      emitUninstall(`mcp:${id}`);
    },
  });

  return {
    /** The server is being asked for its tools. */
    isConnecting: refresh.isPending || update.isPending,
    isBusy: refresh.isPending || update.isPending || signOut.isPending,
    refresh: () => refresh.mutateAsync({ id }),
    switchOn: (isEnabled: boolean) => update.mutate({ id, isEnabled }),
    signOut: () => signOut.mutate({ id }),
    remove: () => remove.mutateAsync({ id }),
    setTools,
  };
}

/** Opens the page of a server to sign in, and asks for its tools when the person comes back. */
export function useSignIn({ id }: McpServer, refresh: () => Promise<McpServer>) {
  const showError = useShowError();
  const utils = trpc.useUtils();
  const [isWaiting, setWaiting] = useState(false);
  const { mutateAsync, isPending } = trpc.mcp.signIn.useMutation();

  const look = async () => {
    const servers = await utils.mcp.list.fetch(undefined, { staleTime: 0 });
    if (!servers.some((server) => server.id === id && server.isSignedIn)) return;
    const { reason } = await refresh();
    if (reason?.type !== 'unauthorized') setWaiting(false);
  };
  useEventListener('focus', () => void look().catch(() => undefined), { target: window, isOn: isWaiting });

  async function start(): Promise<void> {
    // Browsers allow a new tab only while they handle the click.
    const tab = window.open('about:blank', '_blank');
    if (tab) tab.opener = null;
    try {
      const { url } = await mutateAsync({ id });
      if (!tab) return window.location.assign(url);
      tab.location.replace(url);
      setWaiting(true);
    } catch (error) {
      tab?.close();
      showError(error);
    }
  }

  return { start, isWaiting, isPending };
}
