/** Tools by Gemini, with the rules by which it refuses a history. */
import * as z from 'zod';
import { GeminiImage } from '../images-seen.ts';
import type { GivenCall, GivenStep } from './tools-in-request.ts';

const Call = z.strictObject({
  functionCall: z.strictObject({ name: z.string(), args: z.record(z.string(), z.unknown()) }),
  thoughtSignature: z.string().optional(),
});

const Result = z.strictObject({
  functionResponse: z.strictObject({
    name: z.string(),
    response: z.union([z.strictObject({ output: z.string() }), z.strictObject({ error: z.string() })]),
    parts: z.array(GeminiImage).min(1).optional(),
  }),
});

export const ToolPart = z.union([Call, Result]);

type Part = z.infer<typeof ToolPart> | string;

export type Turn = { role: 'user' | 'model'; parts: Part[] };

export const Offered = z.strictObject({
  functionDeclarations: z
    .array(
      z.strictObject({
        name: z.string(),
        description: z.string(),
        parametersJsonSchema: z.record(z.string(), z.unknown()),
      }),
    )
    .min(1),
});

export const Config = z.strictObject({
  functionCallingConfig: z.strictObject({
    mode: z.enum(['AUTO', 'NONE', 'ANY']),
    allowedFunctionNames: z.array(z.string()).min(1).optional(),
  }),
});

/** What the configuration wants called, or why it is refused. */
export function forcedIn(
  { mode, allowedFunctionNames: allowed }: z.infer<typeof Config>['functionCallingConfig'],
  offered: readonly { name: string }[],
): { forced?: string[] } | { refused: string } {
  if (allowed && mode !== 'ANY')
    return { refused: 'Allowed function names should only be set when function calling mode is ANY.' };
  const names = offered.map(({ name }) => name);
  const unknown = allowed?.find((name) => !names.includes(name));
  if (unknown !== undefined) return { refused: `Function name ${unknown} is not found in function declarations.` };
  return mode === 'ANY' ? { forced: allowed ?? names } : {};
}

/** Whether the model refuses an answer of a shape beside tools. */
export function refusesFormatWithTools(model: string): boolean {
  return !THIRD.test(model);
}

const UNSIGNED = 'skip_thought_signature_validator';
const THIRD = /^gemini-[3-9]/;

/** Whether a turn is a person's: it has no results. */
export function isQuestion({ role, parts }: Turn): boolean {
  return role === 'user' && !parts.some(isResult);
}

/** The steps since the newest question, or why the turns are refused. */
export function geminiSteps(turns: readonly Turn[], model: string): GivenStep[] | { refused: string } {
  const question = turns.findLastIndex(isQuestion);
  const steps: GivenStep[] = [];
  for (const [at, { parts }] of turns.entries()) {
    const calls = parts.filter(isCall);
    const after = turns[at + 1];
    const results = after?.parts.filter(isResult) ?? [];
    if (calls.length !== results.length) return { refused: MISMATCH };
    if (calls.length === 0) continue;
    if (calls.some(({ functionCall: { name } }, n) => results[n]?.functionResponse.name !== name))
      return { refused: MISMATCH };
    const isCurrent = at > question;
    if (isCurrent && THIRD.test(model) && calls[0]?.thoughtSignature === undefined)
      return {
        refused: `${MISSING} Additional data, function call \`${calls[0]?.functionCall.name}\` , position ${at}.`,
      };
    if (!THIRD.test(model) && results.some(({ functionResponse }) => functionResponse.parts))
      return { refused: 'Multimodal function responses are not supported for this model.' };
    if (isCurrent) steps.push(stepOf(calls, results, after?.parts.filter((part) => typeof part === 'string') ?? []));
  }
  return steps;
}

const MISMATCH =
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';
const MISSING =
  'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.';

function stepOf(calls: z.infer<typeof Call>[], results: z.infer<typeof Result>[], beside: string[]): GivenStep {
  const signatures = calls.flatMap(({ thoughtSignature }) =>
    thoughtSignature === undefined || thoughtSignature === UNSIGNED ? [] : thoughtSignature,
  );
  const given = calls.map(({ functionCall: { name, args } }, n): GivenCall => {
    const { response = { output: '' }, parts = [] } = results[n]?.functionResponse ?? {};
    const isError = 'error' in response;
    const images = n === 0 ? [...parts, ...beside] : parts;
    return { name, input: JSON.stringify(args), output: isError ? response.error : response.output, isError, images };
  });
  return { calls: given, signatures, isUnsigned: signatures.length === 0 };
}

function isCall(part: Part): part is z.infer<typeof Call> {
  return typeof part === 'object' && 'functionCall' in part;
}

function isResult(part: Part): part is z.infer<typeof Result> {
  return typeof part === 'object' && 'functionResponse' in part;
}
