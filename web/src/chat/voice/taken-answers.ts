// Which answers are read by themselves, or were: each once, by the page that asked, whatever is mounted meanwhile.
import { onClearPersonalData } from '../../lib/personal-data.ts';

const taken = new Set<string>();
onClearPersonalData(() => taken.clear());

/** True the first time for each generation. */
export function takeAnswer(generationId: string): boolean {
  const isFirst = !taken.has(generationId);
  taken.add(generationId);
  return isFirst;
}
