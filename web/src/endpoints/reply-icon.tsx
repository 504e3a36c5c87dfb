import type { Message } from '@parley/schema/messages/messages';
import { EndpointIcon } from './endpoint-icons.tsx';
import { AssistantIcon } from './assistants/assistant-icon.tsx';

/** Who answered: the image of the assistant, or the icon of the endpoint. */
export function ReplyIcon({ message }: { message: Message }) {
  const icon = <EndpointIcon {...message} hasFailed={message.reason !== null} />;
  const assistantId = message.context?.assistantId;
  if (assistantId === undefined || message.reason !== null) return icon;
  return <AssistantIcon assistantId={assistantId} fallback={icon} />;
}
