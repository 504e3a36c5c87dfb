// The steps of a reply: what the model said, the tools it then called, and what they said.
import { isObject, parseJson } from '@parley/schema/json';
import { createHash } from 'node:crypto';
import type { EndpointType } from '@parley/schema/catalog/endpoints';
import {
  isLoopCall,
  messageText,
  type ImagePart,
  type MessagePart,
  type Signature,
  type LoopCall,
  type ToolCall,
} from '@parley/schema/messages/messages';
import { estimateTokens } from '../../catalog/count-tokens.ts';
import type { ChatMessage, FinishedCall } from '../../providers/provider.ts';
import { NOT_CARRIED_OUT } from '../../agents/failed-outputs.ts';
import { cutOutput } from '../../tools/cut-output.ts';

/** A step as the parts of a reply hold it. */
export interface PartStep {
  /** The index of its first part. */
  from: number;
  /** What the model said before its calls. */
  parts: MessagePart[];
  calls: LoopCall[];
}

/** How earlier calls are shown to a model: it gets back only signatures of its own. */
export interface StepRules {
  endpointType: EndpointType;
  model: string;
  showsImages: boolean;
}

/** A step before the images of its calls are read. */
export interface HistoryStep {
  content: string;
  signatures: readonly string[];
  calls: readonly HistoryCall[];
}

export interface HistoryCall {
  call: FinishedCall;
  images: readonly ImagePart[];
}

/** The results of this many newest answers are shown whole; older ones are cut to so many characters. */
const WHOLE_ANSWERS = 2;
const OLDER_CHARS = 2000;
/** Counts the overhead of a call beside its texts, in tokens. */
const TOKENS_PER_CALL = 12;

/** Splits a reply into its steps and the parts after the last of them. */
export function splitSteps(parts: readonly MessagePart[]): { steps: PartStep[]; rest: MessagePart[] } {
  const steps: PartStep[] = [];
  let open: PartStep = { from: 0, parts: [], calls: [] };
  for (const [at, part] of parts.entries()) {
    const isCall = isLoopCall(part);
    const isNext = isCall ? part.call.step !== open.calls[0]?.step : part.type === 'text' || part.type === 'reasoning';
    if (open.calls.length > 0 && isNext) {
      steps.push(open);
      open = { from: at, parts: [], calls: [] };
    }
    if (isCall) open.calls.push(part.call);
    else open.parts.push(part);
  }
  if (open.calls.length === 0) return { steps, rest: open.parts };
  return { steps: [...steps, open], rest: [] };
}

/** Gives what the model thought before the calls of each step. */
export function stepReasoning(parts: readonly MessagePart[]): string[] {
  const { steps } = splitSteps(parts);
  return steps.map((step) =>
    step.parts
      .flatMap((part) => (part.type === 'reasoning' ? [part.text] : []))
      .join('\n')
      .trim(),
  );
}

/** `messageId` names the reply, `age` the number of newer ones. */
export function historyStep(
  { parts, calls }: PartStep,
  { messageId, age }: { messageId: string; age: number },
  rules: StepRules,
): HistoryStep {
  const maxChars = age < WHOLE_ANSWERS ? Infinity : OLDER_CHARS;
  return {
    content: messageText({ parts }),
    signatures: partSignatures(parts, rules),
    calls: calls.map((call) => ({
      call: finishedCall(call, messageId, rules, maxChars),
      images: age < WHOLE_ANSWERS && rules.showsImages ? callImages(call) : [],
    })),
  };
}

/** Gives a call that has ended, as providers get it back. */
export function finishedCall(call: ToolCall, messageId: string, rules: StepRules, maxChars = Infinity): FinishedCall {
  const signature = call.seal && dataOf(call.seal, rules);
  return {
    id: providerIdOf(messageId, call.id),
    name: call.name,
    input: isObject(parseJson(call.input)) ? call.input : '{}',
    output: outputForModel(call, maxChars),
    isError: call.state !== 'done',
    ...(signature !== undefined && { signature }),
  };
}

/**
 * What a tool said stands between marks that name its source and that the text itself cannot end: to the model it is
 * data, no matter who wrote it. Our own words about a call that was not carried out stand alone.
 */
function outputForModel({ state, from, output }: ToolCall, maxChars: number): string {
  const text = cutOutput(output ?? NOT_CARRIED_OUT, maxChars);
  if (!from || (state !== 'done' && state !== 'failed')) return text;
  const source = from.label.replaceAll(/["<>\s]+/g, ' ').trim();
  return `<data from="${source}">\n${text.replaceAll(/<(?=\/data\b)/gi, '<\\')}\n</data>`;
}

export function callImages({ outputs = [] }: ToolCall): ImagePart[] {
  return outputs.filter((output): output is ImagePart => output.type === 'image');
}

/** Collects what providers signed in these parts, for this endpoint's type and model only. */
export function partSignatures(parts: readonly MessagePart[], rules: StepRules): string[] {
  return parts.flatMap((part) => (part.type === 'reasoning' && part.seal ? (dataOf(part.seal, rules) ?? []) : []));
}

/** Estimates the tokens that steps take. */
export function stepTokens(steps: readonly HistoryStep[]): number {
  const calls = steps.flatMap((step) => step.calls);
  const texts = [
    ...steps.map(({ content }) => content),
    ...calls.flatMap(({ call }) => [call.name, call.input, call.output]),
  ];
  return texts.reduce((sum, text) => sum + estimateTokens(text), calls.length * TOKENS_PER_CALL);
}

/** Estimates the tokens of all calls of a conversation, and of what was said before those. */
export function callTokens(messages: readonly ChatMessage[]): number {
  const steps = messages.flatMap(({ content, calls = [] }) => {
    return calls.length > 0 ? [{ content, signatures: [], calls: calls.map((call) => ({ call, images: [] })) }] : [];
  });
  return stepTokens(steps);
}

/** Gives the same conversation without calls, for a call that offers no tools. */
export function withoutSteps(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.flatMap(({ calls, signatures: _signatures, ...message }) =>
    calls && message.content === '' ? [] : [message],
  );
}

/**
 * Nine letters and digits, which every provider accepts (Mistral no others): unique in a conversation, as some demand.
 */
function providerIdOf(messageId: string, callId: string): string {
  const hash = createHash('sha256').update(`${messageId} ${callId}`).digest('hex');
  return hash.slice(0, 9);
}

function dataOf({ endpointType, model, data }: Signature, rules: StepRules): string | undefined {
  return endpointType === rules.endpointType && model === rules.model ? data : undefined;
}
