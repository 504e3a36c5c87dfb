import type { Message } from '@parley/schema/messages/messages';
import { EndpointIcon } from './endpoint-icons.tsx';
import type { ReactNode } from 'react';
import { AssistantAvatar } from './assistants/assistant-avatar.tsx';
import { useAssistants } from './assistants/use-assistants.ts';

/** Who answered: the image of the assistant, or the icon of the endpoint. */
export function ReplyIcon({ message }: { message: Message }) {
  const icon = <EndpointIcon {...message} hasFailed={message.reason !== null} />;
  const assistantId = message.context?.assistantId;
  if (assistantId === undefined || message.reason !== null) return icon;
  return <AssistantIcon assistantId={assistantId} fallback={icon} />;
}

/** The image of one of the user's assistants; the fallback where it has none, or is gone. */
function AssistantIcon({ assistantId, fallback }: { assistantId: string; fallback: ReactNode }) {
  const assistant = useAssistants().data?.find((one) => one.assistantId === assistantId);
  return assistant?.metadata.avatar ? <AssistantAvatar assistant={assistant} size="medium" /> : fallback;
}
