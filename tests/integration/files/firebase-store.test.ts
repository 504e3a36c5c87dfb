import { startFakeFirebase } from '@parley/scripts/fake-firebase/server';
import { createFirebaseStore } from '@parley/server/files/stores/firebase';
import { expect, it } from 'vitest';
import { fileStoreContract } from '../../contracts/file-store.ts';

fileStoreContract('Firebase', async () => {
  const firebase = await startFakeFirebase();
  return { store: createFirebaseStore({ ...firebase.settings, storage: firebase.url }), close: () => firebase.close() };
});

it('a refusal by Firebase is reported by its status only', async () => {
  const firebase = await startFakeFirebase();
  const store = createFirebaseStore({ ...firebase.settings, apiKey: 'a wrong one', storage: firebase.url });
  await expect(store.read('key')).rejects.toThrow(/^The store answers 403 to GET$/);
  await firebase.close();
});
