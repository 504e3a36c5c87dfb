// Mirrors the database function `search_pieces`; `fold-text.ts` of the schema mirrors `search_fold`.

/** Word separators. */
const SEPARATORS =
  // oxlint-disable-next-line no-control-regex -- they separate too
  /[\u0001-/:-@[-^`{-\u00bf\u00d7\u00f7\u02c2-\u02df\u037e\u0387\u055a-\u055f\u0589\u058a\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u060c\u060d\u061b-\u061f\u066a-\u066d\u06d4\u0964\u0965\u1680\u2000-\u206f\u20a0-\u20cf\u2190-\u25ff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u303d\u30fb\ufe10-\ufe6f\ufff9-\uffff]+/u;

/** Scripts without spaces between words, and emoji. */
const UNSEGMENTED =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2600-\u27bf\u3005-\u3007\u3021-\u302f\u3031-\u303c\u3040-\u30fa\u30fc-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\u{1f000}-\u{1faff}\u{20000}-\u{3ffff}]+/gu;

/** Splits folded text into runs of one kind of characters, in order. */
export function tokenize(folded: string): string[] {
  return folded
    .replaceAll(UNSEGMENTED, ' $& ')
    .split(SEPARATORS)
    .filter((run) => run !== '');
}

/** Whether a run has no spaces between its words: its bigrams are then its words. */
export function isUnsegmented(run: string): boolean {
  return run.search(UNSEGMENTED) === 0;
}
