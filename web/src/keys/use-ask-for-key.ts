import { useShowDialog } from '../dialogs/open-dialog.ts';
import { trpc } from '../trpc.ts';
import { findKey, stateOfKey, takesKey, needsKey } from './key-state.ts';

/**
 * Returns a function for a chosen endpoint: it opens the key dialog if the key is missing or expired, and calls `onReady`
 * if one can ask at once.
 */
export function useAskForKey(): (endpoint: string, onReady?: () => void) => void {
  const utils = trpc.useUtils();
  const showDialog = useShowDialog();
  return (endpoint, onReady) => {
    const config = utils.endpoints.list.getData()?.[endpoint];
    if (!takesKey(config)) return onReady?.();
    utils.keys.list.fetch(undefined, { staleTime: Infinity }).then(
      (keys) => {
        if (needsKey(stateOfKey(findKey(keys, endpoint, config), Date.now()))) showDialog({ name: 'key', endpoint });
        else onReady?.();
      },
      // If the state is unknown, the server rejects a request without a key.
      () => undefined,
    );
  };
}
