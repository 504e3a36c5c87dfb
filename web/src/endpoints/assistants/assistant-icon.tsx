import type { ReactNode } from 'react';
import { AssistantPicture } from './assistant-picture.tsx';
import { useAssistants } from './use-assistants.ts';

/** The picture of one of the user's assistants; the fallback where it has none, or is gone. */
export function AssistantIcon({ assistantId, fallback }: { assistantId: string; fallback: ReactNode }) {
  const assistant = useAssistants().data?.find((one) => one.assistantId === assistantId);
  return assistant?.metadata.avatar ? <AssistantPicture assistant={assistant} size="medium" /> : fallback;
}
