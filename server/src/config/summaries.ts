/** The model that summarises messages beyond the context window; the conversation's own model when none is named. */
export type Summaries = { enabled: false } | { enabled: true; model: string | undefined };

export function readSummaries(enabled: boolean | undefined, model: string | undefined): Summaries {
  return enabled ? { enabled, model } : { enabled: false };
}
