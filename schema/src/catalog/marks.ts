// What a model is for and what it can do, judged by its name: the marks and the line of the model list.
import { endpointParams, takesTools, type EndpointType } from './endpoints.ts';
import { isNamed, type NamePiece } from './model-names.ts';
import { knownRates } from './rates.ts';
import { thinksFirst } from './reasoning-models.ts';
import { takesImages } from './vision.ts';

export interface ModelMarks {
  seesImages: boolean;
  usesTools: boolean;
  thinks: boolean;
  /** 1 is inexpensive, 3 is dear; null where the price is not known. */
  price: 1 | 2 | 3 | null;
}

/** The dearest US dollars for a million tokens of an answer that count as 1 and as 2: a small model's, a usual one's. */
const INEXPENSIVE_MAX = 2.5;
const USUAL_MAX = 15;

/** Models that think before they answer, beside those whose thinking can be set. */
const THINKING = /gemini-(?:2\.5|[3-9])|deepseek-r\d|reason|thinking|\bqw[qv]\b|qwq|magistral|grok-(?:[4-9]|3-mini)/;

export function modelMarks(type: EndpointType, model: string): ModelMarks {
  const { reasoning_effort: effort, thinkingBudget: budget } = endpointParams(type, model);
  const rates = knownRates(model);
  return {
    seesImages: takesImages(model),
    usesTools: takesTools(type, model),
    thinks: effort !== undefined || budget !== undefined || thinksFirst(model) || THINKING.test(model),
    price: rates && priceClass(rates.completion),
  };
}

function priceClass(completion: number): ModelMarks['price'] {
  // The table's word for a provider that it does not charge for.
  if (completion === 0) return null;
  return completion <= INEXPENSIVE_MAX ? 1 : completion <= USUAL_MAX ? 2 : 3;
}

export type Purpose = 'everyday' | 'fast' | 'hard' | 'code' | 'web' | 'older';

/** By a piece of the model's name; the last match wins. From how their makers present them. */
const PURPOSES: readonly (readonly [match: NamePiece, purpose: Purpose])[] = [
  [/gpt-3\.5|gpt-4(?![o.])|davinci|claude-(?:instant|[12](?![\d-]))|bison|gemini-(?:pro|1)|llama-?2/, 'older'],
  [/gpt-4o|gpt-4\.1|claude-\S{0,10}sonnet|terra|mistral-medium|command-r|gemini-[2-9]\S{0,4}-flash/, 'everyday'],
  [
    /gpt-[5-9]|(?:^|\/)o[1-9]\b|opus|fable|mythos|astra|gemini-[2-9]\S{0,4}-pro|mistral-large|deepseek-r|grok-[4-9]/,
    'hard',
  ],
  [/gpt-\d\S{0,6}-chat|terra/, 'everyday'],
  [/(?:^|[-/])(?:mini|nano|lite|small|flash-lite|luna)\b|haiku|-(?:mini|nano|lite|luna)\b|ministral|-[1-9]b\b/, 'fast'],
  [/code[rx]?\b|codestral|devstral|code-fast/, 'code'],
  [/sonar|search-preview|deep-research/, 'web'],
];

/** What a model is for; undefined where it is not known. */
export function modelPurpose(model: string): Purpose | undefined {
  return PURPOSES.findLast(([match]) => isNamed(model.toLowerCase(), match))?.[1];
}
