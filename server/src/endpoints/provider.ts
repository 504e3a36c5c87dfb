import type { Socket } from 'node:net';
import type { Settings } from '@parley/schema/params';
import type { UpstreamIds } from '@parley/schema/upstream';
import type { Delta } from '../generation/delta.ts';
import type { ServiceKey } from './google/service-key.ts';

export interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
}

/** Connects in the place of the platform. */
export type Tunnel = (options: object, connected: (error: Error | null, socket?: Socket) => void) => void;

/** Where a provider is reached for one model, and with whose key. */
export interface Upstream {
  /** As people know the endpoint: in reasons and in the log. */
  endpoint: string;
  baseURL: string;
  apiKey: string;
  /** Calls in the place of the platform's: an address that a user gave is called through the guard (`egress.ts`). */
  fetch?: typeof fetch;
  /** How a websocket is connected where the operator's proxy stands between; gives undefined where none does. */
  tunnelTo?: ((address: string) => Tunnel | undefined) | undefined;
  /** Signs in instead of the key: Google's Vertex. */
  serviceKey?: ServiceKey;
  organization?: string | undefined;
  /** Added to the address of each call. */
  query?: Record<string, string>;
  /** Null takes away one that the provider's client would send. */
  headers: Record<string, string | null>;
  addParams: Record<string, unknown>;
  dropParams: readonly string[];
  /** Use the completions call of older models instead of the chat. */
  forcePrompt?: boolean;
  /** How it departs from the wire it speaks. */
  particulars?: Particulars;
}

/** How a provider that speaks OpenAI's wire departs from it. */
export interface Particulars {
  /** Where it takes custom instructions; `first` for those that refuse a system message anywhere else. */
  instructions: 'before-question' | 'first';
  /** How an answer is made to go on: by itself, by a mark on its beginning, or by asking for it. */
  goesOn: 'by-itself' | 'by-mark' | 'asked';
  /** Parameters of ours that it answers with an error. */
  refuses: readonly string[];
}

export interface ProviderCall {
  upstream: Upstream;
  model: string;
  settings: Settings;
  /** Oldest first; the last one is the question, or the beginning of an answer that is to go on. */
  messages: ChatMessage[];
  /** What the model is told of what was said before those; only where the endpoint can be set up to sum up. */
  summary?: string | null;
  /** Told to providers that watch for abuse. */
  userId: string;
  maxTokens?: number;
  /** For providers that keep conversations themselves; undefined when this one has to hear everything. */
  upstreamPlace?: UpstreamPlace | undefined;
}

/** Where such a provider goes on from. */
export interface UpstreamPlace {
  /** What it told with the answer that stands above the question. */
  ids: UpstreamIds;
  /** Nothing has been said to it after that answer, on no branch. */
  isNewest: boolean;
}

/**
 * Talks to one kind of provider and translates, nothing more. Ends soon after the signal aborts, with or without an
 * error, and then its connection is closed.
 * @throws Refusal with the reason for a failure of the provider
 */
export type Provider = (call: ProviderCall, signal: AbortSignal) => AsyncIterable<Delta>;
