/**
 * Whether markdown defines reference links or footnotes. They tie blocks together, so a finished message with them is
 * parsed as a whole. A false positive (such a line inside code) costs one parse and renders the same.
 */
export function definesReferences(text: string): boolean {
  return text.includes(']:') && /^ {0,3}\[[^\]\r\n\u2028\u2029]+\]:[ \t]*\S/m.test(text);
}
