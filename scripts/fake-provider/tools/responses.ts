/** Tools in OpenAI's Responses protocol, with the rules by which it refuses a history. */
import * as z from 'zod';
import type { GivenCall, GivenStep, OfferedTool } from './tools-in-request.ts';

export const ReasoningItem = z.strictObject({
  type: z.literal('reasoning'),
  id: z.string().startsWith('rs_'),
  summary: z.array(z.strictObject({ type: z.literal('summary_text'), text: z.string() })),
  encrypted_content: z.string(),
});

export const CallItem = z.strictObject({
  type: z.literal('function_call'),
  call_id: z.string().min(1).max(64),
  name: z.string(),
  arguments: z.string(),
});

/** `part` reads what a message may contain, too. */
export function resultItem<Part extends z.ZodType<string>>(part: Part) {
  return z.strictObject({
    type: z.literal('function_call_output'),
    call_id: z.string(),
    output: z.union([z.string().transform((text) => [text]), z.array(part)]),
  });
}

export const OfferedFunction = z.strictObject({
  type: z.literal('function'),
  name: z.string(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  strict: z.literal(false),
});

export type Item =
  | z.infer<typeof ReasoningItem>
  | z.infer<typeof CallItem>
  | { type: 'function_call_output'; call_id: string; output: string[] }
  | { role: string; content: string };

export function offeredIn(functions: readonly z.infer<typeof OfferedFunction>[]): OfferedTool[] {
  return functions.map(({ name, description, parameters }) => ({ name, description, parameters }));
}

/** The steps since the newest question, or why the items are refused. */
export function responsesSteps(items: readonly Item[]): GivenStep[] | { refused: string } {
  const calls = new Map(items.flatMap((item) => (isOf(item, 'function_call') ? [[item.call_id, item]] : [])));
  const results = new Map(items.flatMap((item) => (isOf(item, 'function_call_output') ? [[item.call_id, item]] : [])));
  for (const id of calls.keys())
    if (!results.has(id)) return { refused: `No tool output found for function call ${id}.` };
  for (const id of results.keys())
    if (!calls.has(id)) return { refused: `No tool call found for function call output with call_id ${id}.` };
  for (const [at, item] of items.entries())
    if (isOf(item, 'reasoning') && (!items[at + 1] || isOf(items[at + 1], 'function_call_output')))
      return { refused: `Item '${item.id}' of type 'reasoning' was provided without its required following item.` };

  const question = items.findLastIndex((item) => 'role' in item && item.role === 'user');
  const steps: GivenStep[] = [];
  let signatures: string[] = [];
  let open: GivenStep | null = null;
  for (const item of items.slice(question + 1)) {
    if (isOf(item, 'reasoning')) signatures.push(item.encrypted_content);
    if (isOf(item, 'function_call')) {
      if (!open) steps.push((open = { calls: [], signatures, isUnsigned: signatures.length === 0 }));
      open.calls.push(callOf(item, results.get(item.call_id)?.output ?? []));
    } else if (isOf(item, 'function_call_output')) {
      open = null;
      signatures = [];
    }
  }
  return steps;
}

function callOf({ name, arguments: input }: z.infer<typeof CallItem>, [output = '', ...images]: string[]): GivenCall {
  return { name, input, output, isError: undefined, images };
}

function isOf<Type extends Extract<Item, { type: string }>['type']>(
  item: Item | undefined,
  type: Type,
): item is Extract<Item, { type: Type }> {
  return item !== undefined && 'type' in item && item.type === type;
}
