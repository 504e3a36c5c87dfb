import { useShowDialog } from '../shell/dialogs/dialogs.ts';
import { trpc } from '../trpc.ts';
import { findKey, stateOfKey, takesKey, wantsKey } from './key-state.ts';

/** Returns what is called with an endpoint that was chosen: it asks for the key when that is missing or has expired. */
export function useAskForKey(): (endpoint: string) => void {
  const utils = trpc.useUtils();
  const showDialog = useShowDialog();
  return (endpoint) => {
    const config = utils.endpoints.list.getData()?.[endpoint];
    if (!takesKey(config)) return;
    utils.keys.list.fetch(undefined, { staleTime: Infinity }).then(
      (keys) => {
        if (wantsKey(stateOfKey(findKey(keys, endpoint, config), Date.now()))) showDialog({ name: 'key', endpoint });
      },
      // Whoever asks without a key is told so by the server.
      () => undefined,
    );
  };
}
