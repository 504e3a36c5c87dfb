// Tests of this room: tests/unit/agents, tests/integration/agents.

// What the loop around a model needs: the model, its tools and their limits. Knows no conversation and no database.
import type { Decision } from '@parley/schema/chat/ask';
import type { LoopCall } from '@parley/schema/messages/messages';
import type { Delta } from '../generation/delta.ts';
import type { ChatMessage, FinishedCall } from '../providers/provider.ts';
import type { FailedService, Tool, ToolProblem, ToolRun } from '../tools/tool.ts';

export interface Agent extends Pick<ToolRun, 'userId' | 'convoId' | 'generationId'> {
  tools: ReadonlyMap<string, Tool>;
  /** Chosen tools that cannot be offered: shown to the reader. */
  problems: readonly ToolProblem[];
  /** Oldest first; the last is the question, or what the reply has so far. */
  messages: readonly ChatMessage[];
  /** The number of the next step: 0 in a new reply. */
  firstStep: number;
  /** A step of an earlier run whose calls are to be carried out first; null when there is none. */
  open: OpenStep | null;
  limits: AgentLimits;
  /** Asks the model once; its usage is that of all calls so far. */
  ask(step: ModelStep, signal: AbortSignal): AsyncIterable<Delta>;
  /** A call that has ended, as the model gets it. */
  finish(call: LoopCall): Promise<FinishedCall>;
  /** Writes everything sent so far to the database; false when it could not be written. */
  flush(): Promise<boolean>;
  /** Whether nobody can be asked about a single call: then it is refused. */
  cannotAsk: boolean;
  /** Whether this person always allows the tool. */
  isGranted(tool: Tool): Promise<boolean>;
  grant(tool: Tool): Promise<void>;
  /** Counts a call; returns the seconds to wait when there were too many, else null. */
  countCall(): Promise<number | null>;
  /** Called when a tool fails in a way whose details the model does not get. */
  onFault(error: unknown): void;
  /** Called when a service failed and the model is given the reason. */
  onServiceFailure(failure: ToolServiceFailure): void;
}

/** A failed call of a service, without its content. */
export interface ToolServiceFailure extends FailedService {
  tool: string;
  ms: number;
}

/** The input of one model call. */
export interface ModelStep {
  messages: ChatMessage[];
  /** `none`: the model answers in words. */
  toolChoice?: 'none';
}

/** What a model said before its calls, with the calls themselves. */
export interface OpenStep {
  text: string;
  signatures: readonly string[];
  calls: readonly LoopCall[];
  /** By the id of the call. A call that waits for a decision and has none goes on waiting. */
  decisions: Readonly<Record<string, Decision>>;
}

export interface AgentLimits {
  /** Model calls of one run; the last one is asked to answer in words. */
  steps: number;
  /** Tool calls of one run. */
  calls: number;
  /** Tool calls at the same time. */
  atOnce: number;
  /** Of the whole run, in milliseconds: after that no call begins. */
  runMs: number;
  /** Of the arguments of one call. */
  inputChars: number;
  /** How often a run that waits for tools reports it, in milliseconds. */
  heartbeatMs: number;
  /** How long a tool that was stopped may take to end, in milliseconds. */
  stopMs: number;
}

export const defaultAgentLimits: AgentLimits = {
  steps: 10,
  calls: 32,
  atOnce: 4,
  runMs: 15 * 60_000,
  inputChars: 256 * 1024,
  heartbeatMs: 5000,
  stopMs: 1000,
};
