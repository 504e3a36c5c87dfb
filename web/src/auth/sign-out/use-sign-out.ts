import { createOutbox } from '../../chat/exchanges/outbox.ts';
import { useShowDialog } from '../../dialogs/open-dialog.ts';
import { session } from '../../session/current-session.ts';
// Comes with the menu: unsent questions are usual where there is no connection to load it over.
import './sign-out-dialog.tsx';

/** Signs out. Asks first while the outbox holds questions: a sign-out deletes them. */
export function useSignOut(): () => void {
  const show = useShowDialog();
  return () => {
    const { user } = session.get();
    const unsent = user ? createOutbox(user.id).list().length : 0;
    if (unsent > 0) show({ name: 'sign-out', unsent });
    else void session.signOut();
  };
}
