/** Where in the view the message that is being read crosses, from its top. */
const READING_LINE = 1 / 3;

/** The index on the path of the message being read: the last one at the end of the thread. */
export function messageInView(): number {
  const thread = document.querySelector('[role=log]');
  if (!thread) return 0;
  const { scrollTop, clientHeight, scrollHeight } = thread;
  if (scrollTop + clientHeight >= scrollHeight - 2) return Infinity;
  const line = thread.getBoundingClientRect().top + clientHeight * READING_LINE;
  const rows = [...thread.querySelectorAll<HTMLElement>('[data-index]')];
  const row = rows.findLast((one) => one.getBoundingClientRect().top <= line) ?? rows[0];
  return Number(row?.dataset.index ?? 0);
}
