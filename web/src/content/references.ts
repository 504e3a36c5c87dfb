/**
 * Whether markdown defines reference links or footnotes. Those tie blocks to one another, so a finished message with
 * them is parsed as a whole. A false alarm (such a line inside code) costs one parse and shows the same.
 */
export function definesReferences(text: string): boolean {
  return text.includes(']:') && /^ {0,3}\[[^\]\n]+\]:[ \t]*\S/m.test(text);
}
