import type { ImageDetail } from '@parley/schema/catalog/image-tokens';
import type { Settings } from '@parley/schema/catalog/params';
import type { ThreadIds } from '@parley/schema/chat/provider-thread';
import type { Delta } from '../generation/delta.ts';
import type { Tunnel } from '../platform/outbound-proxy.ts';
import type { AnswerFormat, ToolChoice } from './answers/answer-format.ts';
import type { Refusals } from './compatible/refusals.ts';
import type { ServiceKey } from './google/service-key.ts';
import type { ToolSpec } from './tool-spec.ts';

export interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
  /** Shown to the model before the text. Only on questions, and only for models that accept images. */
  images?: readonly ChatImage[];
  /** As images, but only for models that accept PDFs. */
  files?: readonly ChatFile[];
  /**
   * On answers: the tool calls that followed this text, with their results; the next message goes on from there. Only
   * for endpoints that take tools.
   */
  calls?: readonly FinishedCall[];
  /** On answers with calls: what the provider signed before them, for this endpoint's type and model only. */
  signatures?: readonly string[];
}

/** A tool call of an earlier step, as the provider gets it back. */
export interface FinishedCall {
  id: string;
  name: string;
  /** JSON of an object. */
  input: string;
  output: string;
  isError: boolean;
  /** Images that the tool made, for models that accept images. */
  images?: readonly ChatImage[];
  /** What the provider signed with the call, for this endpoint's type and model only. */
  signature?: string;
}

export interface ChatImage {
  mime: string;
  /** Base64. */
  data: string;
  detail: ImageDetail;
}

/** A PDF. */
export interface ChatFile {
  name: string;
  mime: string;
  /** Base64. */
  data: string;
}

/** A picture that a model made as a part of its answer. */
export type AnswerPicture = Extract<Delta, { type: 'picture' }>['picture'];

/** The address, key and options to call a provider for one model. */
export interface ProviderTarget {
  /** The endpoint's display name, for reasons and the log. */
  endpoint: string;
  baseURL: string;
  apiKey: string;
  /** Replaces the platform's `fetch`: an address that a user gave is called through the egress guard (`egress.ts`). */
  fetch?: typeof fetch;
  /** Opens a websocket through the operator's proxy; returns undefined where there is none. */
  tunnelTo?: ((address: string) => Tunnel | undefined) | undefined;
  /** Signs in instead of the key: Google's Vertex. */
  serviceKey?: ServiceKey;
  /** Where Google's Vertex answers, and what Gemini blocks. */
  google?: { location: string; safety: readonly { category: string; threshold: string }[] };
  organization?: string | undefined;
  /** Added to the address of each call. */
  query?: Record<string, string>;
  /** Null removes a header that the provider's client would send. */
  headers: Record<string, string | null>;
  addParams: Record<string, unknown>;
  dropParams: readonly string[];
  /** Use the completions call of older models instead of the chat. */
  forcePrompt?: boolean;
  /** Ask the provider to cache prompts, where it does so only on request. */
  cachesPrompts?: boolean;
  /** Where OpenAI's Responses protocol is used instead of chat completions, and the model's name there. */
  responses?: { baseURL: string; model: string };
  /** The same, only for calls with tools: chat completions takes tools from models that think only without thinking. */
  responsesForTools?: { baseURL: string; model: string };
  /** Speaks OpenAI's protocol without being OpenAI's or Azure's: it gets the plainest request, and is read loosely. */
  isCompatible?: boolean;
  /** What its server has refused before; only where it is compatible. */
  refusals?: Refusals;
  /** Its deviations from OpenAI's protocol. */
  quirks?: ProviderQuirks;
}

/** Of a provider that is sent what its protocol has, and no more. */
export const NOTHING_ADDED: {
  headers: Record<string, string>;
  addParams: Record<string, unknown>;
  dropParams: string[];
} = {
  headers: {},
  addParams: {},
  dropParams: [],
};

/** How an OpenAI-compatible provider deviates from the protocol. */
export interface ProviderQuirks {
  /** Where custom instructions go; `first` for providers that refuse a system message anywhere else. */
  instructions: 'before-question' | 'first';
  /**
   * How an unfinished answer is continued: `native` continues a last assistant message, `prefix` needs that message
   * marked as a prefix, and `prompt` needs a question that asks to continue.
   */
  continueMode: 'native' | 'prefix' | 'prompt';
  /** Parameters it rejects with an error. */
  rejectedParams: readonly string[];
}

export interface ProviderCall {
  target: ProviderTarget;
  model: string;
  settings: Settings;
  /** Oldest first; the last is the question, or the partial answer to continue. */
  messages: ChatMessage[];
  /** A summary of the messages before those; only for endpoints that support summaries. */
  summary?: string | null;
  /** Sent to providers that watch for abuse. */
  userId: string;
  maxTokens?: number;
  /** Texts at which the answer ends, where the protocol has them beside the settings: those of Claude and Gemini. */
  stop?: readonly string[];
  /** No later call repeats its prompt, so it is not worth caching. */
  isAlone?: boolean;
  /** For providers that keep conversations themselves; undefined when this one needs the whole conversation. */
  thread?: ThreadPosition | undefined;
  /** What the model may call. Only for endpoints that take tools. */
  tools?: readonly ToolSpec[];
  /**
   * What a program asks for in OpenAI's chat protocol, sent as it came in place of messages, settings and tools. Only
   * providers of that protocol read it.
   */
  relayed?: Readonly<Record<string, unknown>>;
  /** `none`: the model answers in words, though its earlier calls are shown. Absent: it decides. */
  toolChoice?: ToolChoice;
  /** False: the model does not think before it answers. Only for models that can be told so. */
  thinks?: false;
  /** False: an answer has at most one call. */
  parallelCalls?: boolean;
  /** The shape of the answer, unless it is a call. */
  format?: AnswerFormat;
  /** Asks for the same answer to the same request, as far as the provider can. Only for protocols that have it. */
  seed?: number;
  /** Keeps a picture of the answer, and returns how it is told. Absent where pictures have no place. */
  keepPicture?: ((picture: AnswerPicture) => Promise<Delta>) | undefined;
  /** To be called whenever bytes of the answer arrive, also keep-alives: the provider is still there. */
  onBytes?: (() => void) | undefined;
}

/** The point from which such a provider continues. */
export interface ThreadPosition {
  /** The ids that came with the answer above the question. */
  ids: ThreadIds;
  /** Whether no branch of the conversation continues past that answer. */
  isNewest: boolean;
}

/**
 * Calls one kind of provider and translates its protocol, nothing more. Ends soon after the signal aborts, with or
 * without an error, and closes the connection.
 * @throws Refusal with the reason for a failure of the provider
 */
export type Provider = (call: ProviderCall, signal: AbortSignal) => AsyncIterable<Delta>;
