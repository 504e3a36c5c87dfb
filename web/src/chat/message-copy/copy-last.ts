// The last answer and its last code, for the keyboard.
import { copyText } from '../../lib/clipboard.ts';
import { copyMessage } from './copy-message.ts';

/** False where there is none, or the browser refuses. */
export async function copyLastAnswer(): Promise<boolean> {
  const answer = lastAnswer();
  return answer !== undefined && copyMessage(answer.innerText, answer);
}

/** False where there is none, or the browser refuses. */
export async function copyLastCode(): Promise<boolean> {
  const code = [...(lastAnswer()?.querySelectorAll('pre > code') ?? [])].at(-1)?.textContent;
  return code !== undefined && code !== null && copyText(code);
}

function lastAnswer(): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>('[role=log] article:not([data-own])')].at(-1);
}
