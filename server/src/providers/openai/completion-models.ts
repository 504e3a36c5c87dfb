/** OpenAI's models without chat. Other "instruct" models do chat. */
const COMPLETES_ONLY = /^(?:text-davinci|davinci|babbage|gpt-3\.?5-turbo-instruct)/;

export function isCompletionModel(model: string): boolean {
  return COMPLETES_ONLY.test(model);
}
