// What a research works with: its rows, its meter, and the calls of its reply, which the room of answers carries out.
import type { Db } from '@parley/db/client';
import { RESEARCH } from '@parley/schema/chat/research';
import type { Rates } from '@parley/schema/catalog/rates';
import type { LoopCall, MessagePart, ToolOrigin } from '@parley/schema/messages/messages';
import type { Delta } from '../generation/delta.ts';
import type { ChatMessage } from '../providers/provider.ts';
import type { MeteredPart, ResearchMeter } from './meter.ts';
import type { ResearchKey } from './rows.ts';

/** In milliseconds, unless it is said. */
export interface ResearchLimits {
  /** How long the tools and the model of one step may take; the step then ends with what it has. */
  stepMs: number;
  /** Model calls of one step. */
  stepCalls: number;
  /** Steps at the same time. */
  atOnce: number;
  /** How long a call is tried again whose provider has no room for it. */
  patienceMs: number;
  /** The first pause between two tries; it doubles. */
  retryMs: number;
  heartbeatMs: number;
}

export const RESEARCH_LIMITS = { stepCalls: 12, atOnce: 2 };

/** The calls of a model for one research. */
export interface Researcher {
  /** The question with its files, and this behind it. */
  question(request: string): ChatMessage;
  /** What the person has asked. */
  asked: string;
  /** One call without tools. */
  ask(message: ChatMessage, meter: Pick<MeteredPart, 'pass'>, signal: AbortSignal): AsyncIterable<Delta>;
  /** A loop of its own with the tools that only read. Its calls are numbered from `firstStep`. */
  search(message: ChatMessage, run: SearchRun, signal: AbortSignal): AsyncIterable<Delta>;
  promptTokens(message: ChatMessage): number;
}

export interface SearchRun {
  meter: MeteredPart;
  firstStep: number;
  calls: number;
  runMs: number;
}

export interface Research {
  db: Db;
  key: ResearchKey;
  convoId: string;
  model: string;
  rates: Rates;
  limits: ResearchLimits;
  researcher: Researcher;
  /** Parts that the reply has already, where another process began it. */
  parts: readonly MessagePart[];
  /** The numbers of passages of files, which notes may name beside pages. */
  passages: () => number;
  /** Aborts when the report is to be written from what there is. */
  writeNow: AbortSignal;
  log(facts: { event: string; step?: string; reason?: string }): void;
}

export interface StartedResearch extends Research {
  meter: ResearchMeter;
}

export const ORIGIN: ToolOrigin = { source: 'builtin', id: RESEARCH, label: 'Research' };

export function isResearchCall({ from }: Pick<LoopCall, 'from'>): boolean {
  return from?.source === 'builtin' && from.id === RESEARCH;
}
