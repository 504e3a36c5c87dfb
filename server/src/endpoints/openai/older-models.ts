/** OpenAI's models that know no chat. Others call themselves "instruct", too, and do. */
const COMPLETES_ONLY = /^(?:text-davinci|davinci|babbage|gpt-3\.?5-turbo-instruct)/;

export function completesOnly(model: string): boolean {
  return COMPLETES_ONLY.test(model);
}
