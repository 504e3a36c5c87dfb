// The fake provider of a bench, in its own process.
import { asFields, listIn } from '@parley/schema/json';
import { startFakeProvider } from '../fake-provider.ts';
import { serveHelper } from './child-process.ts';

const provider = await startFakeProvider();

const calls = {
  url: () => provider.url,
  /** When the provider sent the first word of each answer to a question that ends with one of `marks`. */
  firstWords(marks: string[]): (number | null)[] {
    const heard = provider.requests.map(({ body, firstTextAt }) => ({ question: questionOf(body), firstTextAt }));
    provider.clear();
    return marks.map((mark) => heard.find(({ question }) => question.endsWith(mark))?.firstTextAt ?? null);
  },
};
export type ProviderCalls = typeof calls;
serveHelper(calls);

function questionOf(body: unknown): string {
  return String(asFields(listIn(asFields(body).messages).at(-1)).content ?? '');
}
