// A message as the browser, the log and the presenters see it. Types only, so that importing them costs nothing.
import type { EndpointType } from './endpoints.ts';
import type { Rates } from './rates.ts';
import type { Reason } from './reasons.ts';

/** One piece of a message. Its place in `parts` is its index on the wire and in the log. */
export type MessagePart =
  | { type: 'text'; text: string }
  | { type: 'reasoning'; text: string }
  | { type: 'tool_call'; call: ToolCall }
  | { type: 'image'; fileId: string; path: string; width: number; height: number }
  | { type: 'error'; text: string };

export interface ToolCall {
  id: string;
  kind: 'code_interpreter' | 'retrieval' | 'function';
  name: string;
  /** The arguments as the model wrote them, usually JSON. */
  input: string;
  output: string | null;
  /** From 0 (asked for) to 1 (finished). */
  progress: number;
}

/** Why a reply ended, in the providers' common words; `incomplete` is ours: it was stopped or broke off. */
export type FinishReason = 'stop' | 'length' | 'content_filter' | 'tool_calls' | 'incomplete';

export interface Usage {
  /** Prompt tokens. */
  input: number;
  /** Completion tokens. */
  output: number;
  /** True when the provider reported nothing and we counted ourselves. */
  estimated?: boolean;
  /** What a token cost, where the provider tells its prices; else the model's name says it. */
  rates?: Rates;
}

/** What the model was shown, kept with its answer: nothing is cut from a history without a word. */
export interface ContextRecord {
  /** The model's context window in tokens. */
  window: number;
  /** How many earlier messages were sent along, the question included. */
  included: number;
  /** How many of the oldest messages were left out because they did not fit. */
  omitted: number;
  /** Tokens of all that was sent, as we count them. Records of before have neither it nor what follows. */
  tokens?: number;
  /** Tokens kept free for the answer. */
  reserve?: number;
  /** Of the tokens sent, those of the custom instructions. */
  instructions?: number;
  /** The oldest message that was sent. */
  oldestId?: string;
  /** What stood in for what was left out: how many of those messages it knows of, and its tokens. */
  summary?: { messages: number; tokens: number };
  /** Present when a summary was wanted and could not be had. */
  summaryFailed?: true;
}

export interface Message {
  messageId: string;
  conversationId: string;
  /** Null for the first message of a thread. */
  parentMessageId: string | null;
  /** Order of creation within the database; the order of siblings. */
  seq: number;
  isCreatedByUser: boolean;
  sender: string;
  endpoint: string;
  endpointType: EndpointType;
  model: string | null;
  parts: MessagePart[];
  finishReason: FinishReason | null;
  /** Why it failed, when it did; the parts that had arrived are kept. */
  reason: Reason | null;
  /** True while it is being written, and for ever if its run died. */
  unfinished: boolean;
  isEdited: boolean;
  usage: Usage | null;
  context: ContextRecord | null;
  /** What its provider proposes to be asked next. */
  suggestions?: string[];
  /** The run that filled it. Null for what a person wrote. */
  generationId: string | null;
  createdAt: string;
  updatedAt: string;
}

/** The text of a message as one string: its text parts joined. */
export function textOf(message: Pick<Message, 'parts'>): string {
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** At most this much of a broken answer is not worth keeping as an answer: the reason stands alone (B.5 of the REST facts). */
const WORTH_KEEPING = 5;

/** Whether the message is nothing but a failure: it has a reason and next to no text. */
export function isFailure(message: Pick<Message, 'parts' | 'reason'>): boolean {
  return message.reason !== null && textOf(message).length <= WORTH_KEEPING;
}
