import { createStoredMap } from '../lib/stored-map.ts';

/** Which folders of the sidebar were opened (true) and closed (false) in this browser, by their ids. */
export const openFolders = createStoredMap<boolean>({
  storageKey: 'openFolders',
  most: 200,
  parse: (stored) => (typeof stored === 'boolean' ? stored : undefined),
});

window.addEventListener('pagehide', openFolders.flush);
