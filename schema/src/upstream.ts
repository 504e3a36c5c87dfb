// What providers that keep conversations themselves tell of them. Types only.

/** Where such a provider goes on from, by names of its own. Means nothing to anybody else. */
export type UpstreamIds = Record<string, string | number>;

/** What it told with one answer. */
export interface Upstream {
  ids: UpstreamIds;
  /** What it proposes to be asked next. */
  suggestions?: string[];
}
