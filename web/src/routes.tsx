// Which address shows which screen. The chat and the accounts are a chunk each.
import { Route, Switch } from 'wouter';
import { SignedIn, SignedOut } from './auth/gates.tsx';
import { ErrorBoundary } from './lib/error-boundary.tsx';
import { lazyScreen } from './lib/lazy-screen.tsx';

const chat = lazyScreen(() => import('./signed-in.tsx').then((room) => room.SignedInScreen));
const accounts = lazyScreen(() => import('./auth/accounts.tsx').then((room) => room.AccountScreen));
const notFound = lazyScreen(() => import('./lib/not-found-screen.tsx').then((room) => room.NotFoundScreen));

/** Fetches the first screen while the session is still being asked for. */
export async function preloadScreen(isSignedIn: boolean): Promise<void> {
  // A failure here is met again, and shown, when the screen itself is wanted.
  await (isSignedIn ? chat.load() : accounts.load()).catch(() => undefined);
}

export function Routes() {
  return (
    <ErrorBoundary>
      <Switch>
        <Route path="/">
          <SignedIn>
            <SignedOut>{null}</SignedOut>
          </SignedIn>
        </Route>
        <Route path="/login">
          <SignedOut>
            <accounts.Screen name="login" />
          </SignedOut>
        </Route>
        <Route path="/register">
          <SignedOut>
            <accounts.Screen name="register" />
          </SignedOut>
        </Route>
        <Route path="/forgot-password">
          <accounts.Screen name="forgot" />
        </Route>
        <Route path="/reset-password">
          <accounts.Screen name="reset" />
        </Route>
        <Route path="/c/:conversationId?">
          <SignedIn>
            <chat.Screen />
          </SignedIn>
        </Route>
        <Route>
          <notFound.Screen />
        </Route>
      </Switch>
    </ErrorBoundary>
  );
}
