import type { Settings } from '@parley/schema/params';
import type { Delta } from '../generation/delta.ts';

export interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
}

/** Where a provider is reached and with whose key. */
export interface Upstream {
  /** As people know the endpoint: in reasons and in the log. */
  endpoint: string;
  baseURL: string;
  apiKey: string;
  organization?: string | undefined;
  headers: Record<string, string>;
  addParams: Record<string, unknown>;
  dropParams: readonly string[];
}

export interface ProviderCall {
  upstream: Upstream;
  model: string;
  settings: Settings;
  /** Oldest first; the last one is the question. */
  messages: ChatMessage[];
  /** Told to providers that watch for abuse. */
  userId: string;
  maxTokens?: number;
}

/**
 * Talks to one kind of provider and translates, nothing more. Ends soon after the signal aborts, with or without an
 * error, and then its connection is closed.
 * @throws Refusal with the reason for a failure of the provider
 */
export type Provider = (call: ProviderCall, signal: AbortSignal) => AsyncIterable<Delta>;
