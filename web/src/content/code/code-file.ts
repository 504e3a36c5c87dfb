/** File endings by the name of a language, where they are not the name itself. */
const ENDINGS: Readonly<Record<string, string>> = {
  bash: 'sh',
  shell: 'sh',
  zsh: 'sh',
  console: 'txt',
  text: 'txt',
  plaintext: 'txt',
  csharp: 'cs',
  'c#': 'cs',
  'c++': 'cpp',
  javascript: 'js',
  typescript: 'ts',
  python: 'py',
  ruby: 'rb',
  rust: 'rs',
  golang: 'go',
  kotlin: 'kt',
  markdown: 'md',
  perl: 'pl',
  powershell: 'ps1',
  haskell: 'hs',
  latex: 'tex',
  mermaid: 'mmd',
  yaml: 'yml',
  dockerfile: 'Dockerfile',
  makefile: 'Makefile',
};

const WHOLE_NAMES = /^(?:Dockerfile|Makefile)$/;

/** The name under which a code block is saved. */
export function codeFileName(language: string): string {
  const name = language.toLowerCase();
  const ending = Object.hasOwn(ENDINGS, name) ? ENDINGS[name] : /^[a-z0-9]{1,10}$/.test(name) ? name : undefined;
  if (ending !== undefined && WHOLE_NAMES.test(ending)) return ending;
  return `code.${ending ?? 'txt'}`;
}
