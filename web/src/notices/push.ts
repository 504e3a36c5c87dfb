// Push for this device: its subscription with the browser's push service, which the server is told.
import { asFields } from '@parley/schema/json';
import { api } from '../trpc.ts';

export function hasPush(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window;
}

/** Subscribes with the server's key and registers it. Throws where the browser refuses. */
export async function switchPushOn(publicKey: string): Promise<void> {
  const { pushManager } = await worker();
  const before = await pushManager.getSubscription();
  // One of an earlier key of the server would be refused by the push service.
  if (before && keyOf(before) !== publicKey) await before.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { endpoint, keys } = subscription.toJSON();
  const { p256dh, auth } = asFields(keys);
  await api.notices.addDevice.mutate({
    endpoint: endpoint ?? '',
    keys: { p256dh: String(p256dh ?? ''), auth: String(auth ?? '') },
  });
}

/** The server forgets the device first, so that nothing is sent to nobody. */
export async function switchPushOff(id: string): Promise<void> {
  await api.notices.removeDevice.mutate({ id });
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  await subscription?.unsubscribe();
}

async function worker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register('/worker.js');
  return navigator.serviceWorker.ready;
}

/** As the server writes it: base64url. */
function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
