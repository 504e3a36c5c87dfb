// What a call of a model used: one record for every provider, made at every end of a call.

/** Tokens, in one shape for all providers. */
export interface TokenCounts {
  /** All tokens of the prompt, including those read from the provider's cache and those written to it. */
  input: number;
  /** The part of `input` that was read from the provider's cache; absent when there is none. */
  cachedRead?: number;
  /** The part of `input` that was written to the provider's cache; absent when there is none. */
  cachedWrite?: number;
  /** All tokens that the model wrote, including its reasoning. */
  output: number;
  /** The part of `output` that is reasoning; absent when there is none. */
  reasoning?: number;
}

/** Prices that are given, in credits a token: of one's own, or as a provider reports them. */
export interface ReportedRates {
  prompt: number;
  completion: number;
  /** Of tokens read from its cache and written to it; when absent they follow from the model's name. */
  cachedRead?: number;
  cachedWrite?: number;
}

/** What a call, or the calls of a reply together, used. */
export interface Usage extends TokenCounts {
  /** True when the provider did not report all of it and the server counted. */
  estimated?: boolean;
  /** The prices that were given; when absent they follow from the model's name. */
  rates?: ReportedRates;
  /** How long the reply took to be written, in milliseconds; older messages lack it. */
  tookMs?: number;
}

/** Far more tokens than any context window. */
const TOKENS_MAX = 100_000_000;

/** Counts as they came from outside: of any type, or absent. */
type Reported = { readonly [Name in keyof TokenCounts]?: unknown };

/**
 * What a provider reports, if plausible; null when the prompt or the output is no valid count, such as a fraction or a
 * negative number. Parts that are no valid count, or more than their whole, count as none.
 */
export function soundUsage({ input, output, cachedRead, cachedWrite, reasoning }: Reported): TokenCounts | null {
  if (!isCount(input) || !isCount(output)) return null;
  const read = partOf(cachedRead, input);
  return withParts({ input, output }, [read, partOf(cachedWrite, input - read), partOf(reasoning, output)]);
}

/** The same where a prompt without tokens means that nothing was counted, as in the reports of providers. */
export function readUsage(reported: Reported): TokenCounts | null {
  return reported.input === 0 ? null : soundUsage(reported);
}

/** The sum of both, at the later rates. */
export function addUsage(a: Usage | null, b: Usage | null): Usage | null {
  if (!a || !b) return a ?? b;
  const isGuess = a.estimated === true || b.estimated === true;
  const rates = b.rates ?? a.rates;
  const tookMs = (a.tookMs ?? 0) + (b.tookMs ?? 0);
  const sum = (name: 'cachedRead' | 'cachedWrite' | 'reasoning') => (a[name] ?? 0) + (b[name] ?? 0);
  const parts = [sum('cachedRead'), sum('cachedWrite'), sum('reasoning')] as const;
  return {
    ...withParts({ input: a.input + b.input, output: a.output + b.output }, parts),
    ...(isGuess && { estimated: true }),
    ...(rates && { rates }),
    ...(tookMs > 0 && { tookMs }),
  };
}

/** The tokens alone, without what else is known of a usage. */
export function tokensOf({ input, output, cachedRead = 0, cachedWrite = 0, reasoning = 0 }: TokenCounts): TokenCounts {
  return withParts({ input, output }, [cachedRead, cachedWrite, reasoning]);
}

function withParts(
  { input, output }: Pick<TokenCounts, 'input' | 'output'>,
  [cachedRead, cachedWrite, reasoning]: readonly [number, number, number],
): TokenCounts {
  return {
    input,
    ...(cachedRead > 0 && { cachedRead }),
    ...(cachedWrite > 0 && { cachedWrite }),
    output,
    ...(reasoning > 0 && { reasoning }),
  };
}

function partOf(part: unknown, whole: number): number {
  return isCount(part) && part <= whole ? part : 0;
}

function isCount(count: unknown): count is number {
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 && count <= TOKENS_MAX;
}
