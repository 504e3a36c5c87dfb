/** List marks and quote marks before a block. */
const LEAD = /^(?:[ \t>]|[-*+] |\d{1,9}[.)] )*/;
/** The marks that open a fenced block. */
const MARKS = /^(?:`{3,}|~{3,})/;

/** The last fenced code block of a Markdown text, also within lists and quotes; null without any. */
export function lastCode(text: string): string | null {
  const lines = text.split('\n');
  let last: string | null = null;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const [lead = ''] = LEAD.exec(line) ?? [];
    const [marks = ''] = MARKS.exec(line.slice(lead.length)) ?? [];
    const info = line.slice(lead.length + marks.length);
    if (marks === '' || (marks.startsWith('`') && info.includes('`'))) continue;
    const code: string[] = [];
    for (at += 1; at < lines.length && !closes(lines[at] ?? '', marks); at += 1) {
      code.push(withoutLead(lines[at] ?? '', lead));
    }
    last = code.join('\n');
  }
  return last;
}

function closes(line: string, marks: string): boolean {
  const rest = line.replace(/^[ \t>]*/, '').trimEnd();
  return rest.length >= marks.length && rest === (marks[0] ?? '').repeat(rest.length);
}

/** A line of a block begins where its opening does. */
function withoutLead(line: string, lead: string): string {
  let at = 0;
  while (at < lead.length && /[ \t>]/.test(line[at] ?? '')) at += 1;
  return line.slice(at);
}
