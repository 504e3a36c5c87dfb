/** A turn of a conversation, as the demo reads it. */
export interface Turn {
  role: string;
  text: string;
}

/** The newest text of the user, or an empty string. */
export function lastUserText(turns: readonly Turn[]): string {
  return turns.findLast(({ role }) => role === 'user')?.text ?? '';
}

/** Roughly how many tokens a text is: four characters each, as English goes. */
export function roughTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
