// Counting tokens. The tokenizer takes a quarter of a second and 60 MB to load, so it is loaded when a count matters.

/** A bound that costs nothing: a token is at least one byte of UTF-8. */
export function atMostTokens(text: string): number {
  return Buffer.byteLength(text);
}

/** Loads the tokenizer and gives a function that counts as OpenAI's cl100k models do; close enough for the others. */
export async function loadTokenCounter(): Promise<(text: string) => number> {
  const { countTokens } = await import('gpt-tokenizer/encoding/cl100k_base');
  // What looks like a control token in a person's text is text.
  const asText = { disallowedSpecial: new Set<string>() };
  return (text) => countTokens(text, asText);
}
