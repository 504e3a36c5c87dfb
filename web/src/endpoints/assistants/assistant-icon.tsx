import type { ReactNode } from 'react';
import { AssistantAvatar } from './assistant-avatar.tsx';
import { useAssistants } from './use-assistants.ts';

/** The image of one of the user's assistants; the fallback where it has none, or is gone. */
export function AssistantIcon({ assistantId, fallback }: { assistantId: string; fallback: ReactNode }) {
  const assistant = useAssistants().data?.find((one) => one.assistantId === assistantId);
  return assistant?.metadata.avatar ? <AssistantAvatar assistant={assistant} size="medium" /> : fallback;
}
