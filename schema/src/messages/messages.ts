// Messages as the browser, the log and the presenters use them.
import type { EndpointType } from '../catalog/endpoints.ts';
import type { ImageDetail } from '../catalog/image-tokens.ts';
import type { PendingPicture, PictureFacts } from './made-pictures.ts';
import type { PictureRecord } from '../pictures/picture.ts';
import type { Usage } from '../catalog/usage.ts';
import type { NamedOnly } from '../files/documents.ts';
import type { Reason } from '../reasons.ts';
import type { MemoryScope } from '../settings/memory-mode.ts';

/** One part of a message. Its index in `parts` is its index in events and in the log. */
export type MessagePart =
  | { type: 'text'; text: string; citations?: Citation[] }
  /**
   * Its text may be empty where the provider shows none of its reasoning. `tookMs` is there once something follows it;
   * older messages lack it.
   */
  | { type: 'reasoning'; text: string; seal?: Signature; tookMs?: number }
  | { type: 'tool_call'; call: ToolCall }
  | ImagePart
  | FilePart
  | PendingPicture
  | { type: 'error'; text: string };

/** An image that was attached to a question, or made by a tool. */
export interface ImagePart extends PictureFacts {
  type: 'image';
  fileId: string;
  path: string;
  width: number;
  height: number;
  /** Absent for images that providers make. */
  name?: string;
  mime?: string;
  bytes?: number;
}

/** Any other file. */
export interface FilePart {
  type: 'file';
  fileId: string;
  path: string;
  name: string;
  mime: string;
  bytes: number;
}

/** What is attached to a question. */
export type Attachment = ImagePart | FilePart;

/** A mark such as `[2]` in the text of a reply, and the passage of a file that it stands for. */
export interface Citation {
  /** Where the mark begins in the text of its part, in UTF-16 units. The mark itself stays in the text. */
  at: number;
  fileId: string;
  /** The name of the file. */
  name: string;
  /** From 1; null for files without pages. */
  page: number | null;
  /** The passage's place in its file, for `files.passage`. */
  n: number;
  /** The headings above the passage, as in `Passage`; absent without any. */
  heading?: string;
  /** The sentence of the passage that is closest to the reply's. */
  quote: string;
}

/** A call of our own loop, or one that is only shown. */
export type ToolCall = LoopCall | ShownCall;

interface CallFacts {
  /** Unique in its message; of calls of our own loop `<step>:<n>`. */
  id: string;
  kind: 'code_interpreter' | 'retrieval' | 'function';
  /** As the model knows the tool. */
  name: string;
  /** The arguments as the model wrote them, usually JSON. */
  input: string;
  /** The output of the tool, as the model got it. */
  output: string | null;
  /** From 0 (requested) to 1 (finished). */
  progress: number;
  /** Where the tool comes from. */
  from?: ToolOrigin;
  /** What it made and printed, in order. */
  outputs?: ToolOutput[];
  /** What the provider wants back with the call; stored messages and clients call it so. */
  seal?: Signature;
}

/** What the provider carries out itself or an import brought, which follow their `progress`; or a notice about a tool. */
export type ShownCall = CallFacts & NoQuestion & { state?: 'writing' | 'failed'; step?: never; tookMs?: never };

/** A call of our own loop, apart from its state. */
export interface LoopCallFacts extends CallFacts {
  /** Calls of one step were asked for together. */
  step: number;
  /** How long the tool ran, in milliseconds. */
  tookMs?: number;
  /** Whether it may be carried out again when nobody knows whether it was. Absent: it may not. */
  isRepeatable?: boolean;
}

export type LoopCall = LoopCallFacts & (CallQuestion | (NoQuestion & { state: Exclude<ToolState, 'waiting'> }));

/** What a call waits for. */
type CallQuestion =
  | {
      state: 'waiting';
      needs: 'approval';
      /** What is called when it is allowed: a method and an address, or a server's own name of it. */
      does?: string;
      /** It is asked about each time, so it cannot be allowed always. */
      isAskedEachTime?: boolean;
      signInUrl?: never;
    }
  | {
      state: 'waiting';
      needs: 'sign_in';
      /** Where to sign in. Absent: in the settings. */
      signInUrl?: string;
      does?: never;
      isAskedEachTime?: never;
    };

type NoQuestion = { [Key in 'needs' | 'does' | 'isAskedEachTime' | 'signInUrl']?: never };

export type ToolState =
  /** The model is still writing its arguments. */
  | 'writing'
  /** For a person: the run has ended and is resumed by a decision. */
  | 'waiting'
  | 'running'
  | 'done'
  | 'failed'
  /** By a person, or by the end of its server before it had done anything that lasts. */
  | 'stopped'
  | 'denied'
  /** Its server died meanwhile: nobody knows whether it was carried out. */
  | 'unknown';

export interface ToolOrigin {
  source: ToolSourceName;
  /** The plugin's key, the action's id, the MCP server's id, or the built-in tool's name; of skills, whose word they are. */
  id: string;
  /** For people. */
  label: string;
}

export type ToolSourceName = 'builtin' | 'plugin' | 'action' | 'mcp' | 'skill';

export type ToolOutput =
  | { type: 'logs'; text: string }
  /** A version of an artifact; see `artifacts/artifact-call.ts`. */
  | { type: 'artifact'; info: string; source: string }
  | MemoryOutput
  | ImagePart
  | FilePart;

/** A sentence that a model remembers or forgets, or wants to, which waits for the person. */
export interface MemoryOutput {
  type: 'memory';
  state: 'saved' | 'proposed' | 'forgotten' | 'to_forget';
  /** Of the entry. */
  id: string;
  text: string;
  scope: MemoryScope;
  /** What the reply was shown that the person has not written. */
  shown: string[];
}

/** A provider's own words about its reply, sent back unread, and only to the same kind of endpoint and model. */
export interface Signature {
  endpointType: EndpointType;
  model: string;
  data: string;
}

/** Why a reply ended, in the providers' common terms; `incomplete` is our own: it was stopped or broke off. */
export type FinishReason = 'stop' | 'length' | 'content_filter' | 'tool_calls' | 'incomplete';

/** Thumbs up, or down. */
export type Rating = 1 | -1;

/** What the model was shown, saved with its reply, so that every cut of the history is visible. */
export interface ContextRecord {
  /** The model's context window in tokens. */
  window: number;
  /** How many earlier messages were sent along, the question included. */
  included: number;
  /** How many of the oldest messages were left out because they did not fit. */
  omitted: number;
  /** Estimated tokens of everything sent. Old records lack this and the following fields. */
  tokens?: number;
  /** Tokens kept free for the reply. */
  reserve?: number;
  /** Of the tokens sent, those of the custom instructions. */
  instructions?: number;
  /** How much of the person's instructions for all chats was sent; absent where they have none, or this chat gets none. */
  personal?: 'whole' | 'cut' | 'none';
  /** The oldest message that was sent. */
  oldestId?: string;
  /** The summary of the omitted messages: how many of them it covers, and its tokens. */
  summary?: { messages: number; tokens: number };
  /** Present when a summary was due but could not be made. */
  summaryFailed?: true;
  /** How the attached files that are no images were shown; absent without such files. */
  files?: ContextFile[];
  /** The images that the request carried, the oldest first; absent without any. */
  images?: ContextImage[];
  /** The remembered sentences that it was shown; absent without any. */
  memories?: string[];
  /** The assistant that answered; absent on other endpoints. */
  assistantId?: string;
  /** The chat was in a folder whose instructions another person has written. */
  sharedFolder?: true;
  /** The pictures that were asked for; absent for an answer in words. */
  picture?: PictureRecord;
}

/** How a model was shown a file: whole, by the passages found for the question, or by its name alone. */
export type ContextFile = { fileId: string; name: string } & (
  | { shown: 'whole'; passages?: PassagePosition[] }
  | { shown: 'passages'; passages: PassagePosition[] }
  | { shown: 'name'; why: NamedOnly }
);

/** An image as a model was shown it. */
export interface ContextImage {
  fileId: string;
  /** Absent for images that providers make. */
  name?: string;
  /** In pixels, like `height`. */
  width: number;
  height: number;
  /** Absent where the provider knows none. */
  detail?: ImageDetail;
  /** An estimate. */
  tokens: number;
}

/** Where a passage stands in its file: `n` is its first chunk, `last` its last one if it has several. */
export interface PassagePosition {
  n: number;
  page: number | null;
  last?: number;
  /** Its number in the prompt; absent where the order of the record gives it. */
  number?: number;
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
  /** Tokens of its text, once counted or reported. */
  tokenCount?: number;
  context: ContextRecord | null;
  /** What its owner thinks of the reply; absent without an opinion. */
  rating?: Rating;
  /** Follow-up questions that the provider suggests. */
  suggestions?: string[];
  /** The run that wrote it. Null for a user's message. */
  generationId: string | null;
  createdAt: string;
  updatedAt: string;
}

/** The text of a message as one string: its text parts joined. */
export function messageText(message: Pick<Message, 'parts'>): string {
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** Everything that a tool printed, as one string. */
export function toolLog({ outputs = [] }: Pick<ToolCall, 'outputs'>): string {
  return outputs.map((output) => (output.type === 'logs' ? output.text : '')).join('');
}

/** The images and files of a message. */
export function messageAttachments(message: Pick<Message, 'parts'>): Attachment[] {
  return message.parts.filter(isAttachment);
}

/** The images and files that a tool made. */
export function toolFiles({ outputs = [] }: Pick<ToolCall, 'outputs'>): Attachment[] {
  return outputs.filter(isAttachment);
}

export function isAttachment(part: MessagePart | ToolOutput): part is Attachment {
  return part.type === 'image' || part.type === 'file';
}

/** The images and files that the tools of a message have made. */
export function messageToolFiles(message: Pick<Message, 'parts'>): Attachment[] {
  return message.parts.flatMap((part) => (part.type === 'tool_call' ? toolFiles(part.call) : []));
}

/**
 * Up to this length the text of a broken answer is not worth keeping: only the reason is shown (docs/rest-compat.md,
 * Errors in streams).
 */
const WORTHLESS_CHARS_MAX = 5;

/** Whether the message is only a failure: it has a reason and next to no text, and its tools have done nothing. */
export function isFailure(message: Pick<Message, 'parts' | 'reason'>): boolean {
  return message.reason !== null && messageText(message).length <= WORTHLESS_CHARS_MAX && !message.parts.some(isResult);
}

/**
 * Whether a reply whose provider reported no usage is free: a failure without any output, and one stopped before the
 * provider was called.
 */
export function isFree(reply: Pick<Message, 'parts' | 'reason' | 'context'>, used: Usage): boolean {
  if (!used.estimated) return false;
  const hasReasoning = reply.parts.some(({ type }) => type !== 'text');
  const saidNothing = used.output === 0 && (reply.reason !== null || reply.context === null);
  return (isFailure(reply) && !hasReasoning) || saidNothing;
}

/** Whether a part is worth keeping without any text: what a tool has done or made. */
function isResult(part: MessagePart): boolean {
  return part.type === 'image' || part.type === 'file' || (part.type === 'tool_call' && part.call.state === 'done');
}

/** Whether a model asked for the call and our own loop carries it out; other calls are only shown. */
export function isLoopCall(part: MessagePart): part is { type: 'tool_call'; call: LoopCall } {
  return part.type === 'tool_call' && part.call.step !== undefined;
}
