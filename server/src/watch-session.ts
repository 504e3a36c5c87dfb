import type { WebSocket } from 'ws';
import type { Authenticator, SignedIn } from './auth/authenticator.ts';

/** How long a sign-out or a ban in another process may leave a socket open. */
const LOOK_EVERY_MS = 5000;

/** Closes a socket with 4401 when its sign-in ends. A socket outlives its bearer: it is bound to the sign-in itself. */
export function watchSession(auth: Authenticator, ws: WebSocket, signedIn: SignedIn): void {
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  const unwatch = auth.whenForgotten(signedIn, () => void look());
  ws.once('close', () => {
    clearInterval(timer);
    unwatch();
  });

  async function look(): Promise<void> {
    const alive = await auth.isSignedIn(signedIn).catch(() => true);
    if (!alive) ws.close(4401, 'unauthorized');
  }
}
