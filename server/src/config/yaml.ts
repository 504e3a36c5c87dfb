import { causeOf, configError } from './config-error.ts';
import type { RawEnv } from './env.ts';
import { interpolate } from './interpolate.ts';
import type { YamlText } from './yaml-file.ts';
import { pathText } from './yaml-path.ts';
import { problemsOf } from './yaml-rules.ts';
import { yamlSchema, type YamlFile } from './yaml-schema.ts';
import { yamlSentence } from './yaml-sentence.ts';

/** The second step: the yaml file with its `${NAME}` filled in, every value and rule checked. Throws a ConfigError. */
export async function parseYaml({ name, text }: YamlText, env: RawEnv): Promise<YamlFile> {
  const tree = await treeOf(text, name);
  const parsed = yamlSchema.safeParse(interpolate(tree, env, name));
  if (!parsed.success) {
    const [sentence] = parsed.error.issues.map((issue) => yamlSentence(issue, tree, name));
    throw configError(sentence ?? `${name} is not a configuration.`);
  }
  for (const { path, says } of problemsOf(parsed.data)) throw configError(`In ${name}, ${pathText(path)} ${says}.`);
  return parsed.data;
}

/** The parser is loaded here only: a server without a yaml file does without its memory. */
async function treeOf(text: string, name: string): Promise<unknown> {
  const { parseDocument } = await import('./yaml-parser.ts');
  const document = parseDocument(text, { merge: true, logLevel: 'error' });
  const [error] = document.errors;
  if (error) throw configError(`${name} is not valid yaml: ${firstLine(error.message)}.`);
  try {
    return document.toJS() ?? {};
  } catch (failure) {
    throw configError(`${name} is not valid yaml: ${firstLine(causeOf(failure))}.`);
  }
}

/** The lines after the first quote the file, which may hold keys. */
function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/[:.]$/, '');
}
