import type { Message } from '@parley/schema/messages/messages';
import type { AssistantState } from '../endpoints/assistants/assistant-state.ts';
import type { KeyState } from '../keys/key-state.ts';
import type { Slot } from '../slots/slot.ts';
import type { Conversation } from './use-conversation.ts';
import type { Thread } from './thread/use-thread.ts';
import type { ModelTarget } from '../catalog/model-target.ts';

/** The state of a chat pane. */
export interface ChatState extends Conversation, Thread {
  slot: Slot;
  /** Undefined while unknown, null when no model is available. */
  modelTarget: ModelTarget | null | undefined;
  /** The state of the user's API key for the model's endpoint. */
  keyState: KeyState;
  /** The assistant that answers, on the endpoint of assistants. */
  assistantState: AssistantState;
  /** The last reply, if it failed or broke off: it blocks further messages. */
  blockedBy: Message | null;
}
