import { ChatScreen } from './chat/chat-screen.tsx';
import { Shell } from './shell/shell.tsx';

/** What a signed-in person sees: one import, so that it arrives as one file. */
export function SignedInScreen() {
  return (
    <Shell>
      <ChatScreen />
    </Shell>
  );
}
