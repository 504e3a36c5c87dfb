// Maps each URL to its screen. The chat and the account screens are one chunk each.
import type { ComponentProps } from 'react';
import { Route, Switch } from 'wouter';
import { RequireSignedIn, RequireSignedOut } from '../auth/route-guards.tsx';
import { addSentences } from '../i18n.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { laterParts } from '../ui/lazy/later-parts.ts';
import { lazyScreen } from '../ui/lazy/lazy-screen.tsx';

const readChat = () => import('./signed-in.tsx');
const chat = lazyScreen(() => readChat().then((loaded) => loaded.SignedInScreen), 'first');
const accounts = lazyScreen(
  () =>
    import('../auth/account-screens.tsx').then((loaded) => {
      addSentences(loaded.sentences);
      return loaded.AccountScreen;
    }),
  'first',
);
/** Anyone who signs in opens the chat next: it loads while they type. */
const useChatAhead = laterParts(readChat);
const shared = lazyScreen(() => import('../shares/shared-screen.tsx').then((loaded) => loaded.SharedScreen));
const readRare = () => import('./lazy/rare-screens.ts');
const notFound = lazyScreen(() => readRare().then((loaded) => loaded.NotFoundScreen));
const required = lazyScreen(() => readRare().then((loaded) => loaded.RequiredFactorScreen));

/** The screens with the sidebar are one route, so that it stays when one follows the other. */
const SIGNED_IN =
  /^\/(?:c(?:\/(?<conversationId>[^/]+))?|assistants(?:\/(?<assistantId>[^/]+))?|tools|prompts(?:\/(?<promptId>[^/]+))?|schedules(?:\/(?<scheduleId>[^/]+))?|projects(?:\/(?<folderId>[^/]+))?|admin(?:\/(?<adminSection>[^/]+))?)\/?$/;

/** Preloads the first screen while the session request is still in flight. */
export async function preloadScreen(isSignedIn: boolean): Promise<void> {
  // Ignored here: rendering the screen tries again and shows the error.
  const screen = window.location.pathname.startsWith('/share/') ? shared : isSignedIn ? chat : accounts;
  await screen.load().then(
    () => undefined,
    () => undefined,
  );
}

export function Routes() {
  return (
    <ErrorBoundary>
      <Switch>
        <Route path="/">
          <RequireSignedIn limited={<required.Screen />}>
            <RequireSignedOut>{null}</RequireSignedOut>
          </RequireSignedIn>
        </Route>
        <Route path="/login">
          <RequireSignedOut>
            <AccountRoute name="login" />
          </RequireSignedOut>
        </Route>
        <Route path="/register">
          <RequireSignedOut>
            <AccountRoute name="register" />
          </RequireSignedOut>
        </Route>
        <Route path="/forgot-password">
          <AccountRoute name="forgot" />
        </Route>
        <Route path="/reset-password">
          <AccountRoute name="reset" />
        </Route>
        <Route path="/confirm-email">
          <AccountRoute name="confirm" />
        </Route>
        <Route path={SIGNED_IN}>
          <RequireSignedIn limited={<required.Screen />}>
            <chat.Screen />
          </RequireSignedIn>
        </Route>
        <Route path="/share/:id">
          <shared.Screen />
        </Route>
        <Route>
          <notFound.Screen />
        </Route>
      </Switch>
    </ErrorBoundary>
  );
}

function AccountRoute(props: ComponentProps<typeof accounts.Screen>) {
  useChatAhead();
  return <accounts.Screen {...props} />;
}
