import type { Message } from '@parley/schema/messages/messages';
import { EndpointIcon } from './endpoint-icons.tsx';
import { LazyBoundary } from '../ui/lazy/lazy-boundary.tsx';
import { lazyScreen } from '../ui/lazy/lazy-screen.tsx';

const assistantIcon = lazyScreen(async () => (await import('./assistants/assistant-icon.tsx')).AssistantIcon);

/** Who answered: the picture of the assistant, or the icon of the endpoint. */
export function ReplyIcon({ message }: { message: Message }) {
  const icon = <EndpointIcon {...message} hasFailed={message.reason !== null} />;
  const assistantId = message.context?.assistantId;
  if (assistantId === undefined || message.reason !== null) return icon;
  return (
    <LazyBoundary fallback={icon}>
      <assistantIcon.Screen assistantId={assistantId} fallback={icon} />
    </LazyBoundary>
  );
}
