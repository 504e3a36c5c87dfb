import type { Message } from '../messages/messages.ts';

/** What a shared link shows: a copy of the conversation as it was when it was shared or last updated. */
export interface SharedThread {
  title: string | null;
  endpoint: string;
  model: string | null;
  /** In tree order; without what only its owner may see. */
  messages: Message[];
}
