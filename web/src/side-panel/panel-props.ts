import type { Chat } from '../chat/use-chat.ts';
import type { Choice } from '../catalog/choose-model.ts';

export interface SidePanelProps {
  chat: Chat;
  onPick: (choice: Choice) => void;
}
