// What every tool is to the loop that calls it, wherever it comes from.
import type { Attachment, MessagePart, ToolCall, ToolOrigin, ToolOutput } from '@parley/schema/messages/messages';
import type { ToolInfo } from '@parley/schema/tools/tools';
import type { ToolSpec } from '../providers/tool-spec.ts';

export interface Tool extends ToolSpec {
  kind: ToolCall['kind'];
  from: ToolOrigin;
  /** Whether it may be called again when nobody knows whether the first call was carried out. */
  isRepeatable: boolean;
  /** Whether a person is asked before it is called: never, until they always allow it, or each time. */
  asks: 'never' | 'first' | 'always';
  /** What a person is asked about this one call, whatever `asks` says; null leaves it to that. */
  asksAbout?(args: Record<string, unknown>): Promise<CallQuestion | null>;
  /** Its source has too many to offer all at once: the model looks for it first. */
  isHidden?: true;
  /** It works with what is another person's, and asks on each way; a change of what it does asks again. */
  isLent?: true;
  limits: ToolLimits;
  /** What a call does, for the person who is asked, where the names do not say it: `DELETE api.example/pets/{id}`. */
  does?: string;
  /**
   * Calls the tool once. What the model can mend is an outcome, never an error.
   * @throws Refusal for what ends the answer: no credits, a ban
   */
  run(call: ToolRun): Promise<ToolOutcome>;
}

/** A question about one call, which no earlier decision answers. */
export interface CallQuestion {
  /** As `Tool.does`, of this call: all that the person needs to know to decide. */
  does: string;
  /** For clients that cannot show a question: why the call is not carried out. */
  refusal: string;
}

export interface ToolLimits {
  timeoutMs: number;
  /** How much of its output the model gets, in characters. */
  outputChars: number;
}

export interface ToolRun {
  userId: string;
  convoId: string;
  generationId: string;
  /** Unique in the reply. With the generation it names the call, also to services that must not act twice. */
  callId: string;
  /** Checked against `parameters`. */
  args: Record<string, unknown>;
  /** What the model has said in this run, by steps; absent where nobody tells. */
  said?: readonly string[];
  signal: AbortSignal;
  /** Tells the reader what happens meanwhile: more of the log, or how far it is, from 0 to 1. */
  report(said: { log?: string; progress?: number }): void;
}

export type ToolOutcome =
  | {
      type: 'done';
      /** For the model. */
      text: string;
      outputs?: ToolOutput[];
    }
  /** `text` is a sentence for the model, which may try otherwise. */
  | { type: 'failed'; text: string; outputs?: ToolOutput[]; service?: FailedService }
  | { type: 'needs'; what: 'approval' }
  /** `url` is null where the person does it in the settings. */
  | { type: 'needs'; what: 'sign_in'; url: string | null };

/** The service behind a tool that failed, for the operator's log. */
export interface FailedService {
  host: string;
  /** Of its reply; null when none came. */
  status: number | null;
}

/** Where tools come from: built-in, plugins, actions, MCP servers, skills. */
export interface ToolSource {
  name: ToolOrigin['source'];
  /**
   * The tools of the chosen keys that belong to this source; it ignores other keys. What cannot be reached is a
   * problem, never an error: the answer goes on without it.
   */
  tools(chosen: Chosen): Promise<SourceTools>;
  /** What this person can choose. */
  list(userId: string): Promise<ToolInfo[]>;
}

export interface SourceTools {
  tools: Tool[];
  problems: ToolProblem[];
}

/** A chosen tool that cannot be offered: a sentence for the reader. */
export interface ToolProblem {
  from: ToolOrigin;
  text: string;
}

/** What somebody else's assistant lends to the person whom it answers. */
export interface Lender {
  /** The owner of the assistant. */
  userId: string;
  /** The keys of its tools: nothing else of its owner is lent. */
  keys: readonly string[];
  /** Whether it is still shared. Asked before each use: access ends at once. */
  isLending(): Promise<boolean>;
}

/** What a conversation, or its assistant, has chosen. */
export interface Chosen {
  userId: string;
  convoId: string;
  /** As `ToolInfo.key`. */
  keys: readonly string[];
  /** The files that tools may read: those of the branch, and the assistant's. */
  files: readonly Attachment[];
  /** What the branch says, this reply included, read as far as a tool looks; nothing where it is absent. */
  branch?(): AsyncIterable<BranchText>;
  /** The greatest number of a web source that the reply has already; 0 without any. */
  lastSourceNumber?: number;
  /** Whose tools may be used besides, where somebody else's assistant answers. */
  lender?: Lender | undefined;
  /** The most tokens that descriptions and schemas may take of the model's window; no limit where it is absent. */
  specTokensMax?: number;
  /** The names of the tools that the conversation has called, the last one first: of too many these are offered first. */
  called?: readonly string[];
  /** What the person wants remembered; absent where nothing may be. */
  memory?: MemoryAccess | undefined;
  /** Rows of the skills that are on, where they have been read; those who need them read them otherwise. */
  skills?: unknown;
  /** Notes what the person has written elsewhere and this run was shown: `branch` says it from then on. */
  notePersonsWord?(text: string): void;
  /** The names of tools whose calls wait for a person in the reply that goes on. */
  waiting?: readonly string[];
}

/** What models keep for later chats, and where they may. */
export interface MemoryAccess {
  /** The call's id names what it saves: called again, it saves nothing new. */
  remember(text: string, callId: string): Promise<ToolOutcome>;
  /** `id` is the beginning of an entry's. */
  forget(id: string): Promise<ToolOutcome>;
}

/** Something that a branch says, with its speaker. */
export type BranchText =
  /** The person: a question, or instructions that they wrote. */
  | { from: 'person'; text: string }
  /** A file that the person attached. */
  | { from: 'file'; text: string }
  | { from: 'reply'; parts: readonly MessagePart[] };
