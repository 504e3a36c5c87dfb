// Which address shows which screen. The chat and the accounts are a chunk each.
import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { SignedIn, SignedOut } from './auth/gates.tsx';
import { ErrorBoundary } from './lib/error-boundary.tsx';

const loadChat = () => import('./signed-in.tsx');
const loadAccounts = () => import('./auth/accounts.tsx');

const SignedInScreen = lazy(() => loadChat().then((room) => ({ default: room.SignedInScreen })));
const AccountScreen = lazy(() => loadAccounts().then((room) => ({ default: room.AccountScreen })));
const NotFoundScreen = lazy(() =>
  import('./lib/not-found-screen.tsx').then((room) => ({ default: room.NotFoundScreen })),
);

/** Fetches the first screen while the session is still being asked for. */
export function preloadScreen(isSignedIn: boolean): void {
  // A failure here is met again, and shown, when the screen itself is wanted.
  (isSignedIn ? loadChat() : loadAccounts()).catch(() => undefined);
}

export function Routes() {
  return (
    <ErrorBoundary>
      <Suspense fallback={null}>
        <Switch>
          <Route path="/">
            <Redirect to="/c/new" replace />
          </Route>
          <Route path="/login">
            <SignedOut>
              <AccountScreen name="login" />
            </SignedOut>
          </Route>
          <Route path="/register">
            <SignedOut>
              <AccountScreen name="register" />
            </SignedOut>
          </Route>
          <Route path="/c/:conversationId?">
            <SignedIn>
              <SignedInScreen />
            </SignedIn>
          </Route>
          <Route>
            <NotFoundScreen />
          </Route>
        </Switch>
      </Suspense>
    </ErrorBoundary>
  );
}
