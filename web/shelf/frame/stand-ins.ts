// What pages expect of a browser that a sealed frame has not: storage, and dialogs that ask their person. A dialog of a frame
// without an origin is never shown, so that a form that answers by one would look dead.

export function standIn(): void {
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, { value: storeInMemory(), configurable: true });
  window.alert = (text?: unknown) => tell(String(text ?? ''));
  // Nothing outside of the frame can be lost by a yes.
  window.confirm = () => true;
  window.prompt = (_text?: string, ordinary?: string) => ordinary ?? '';
}

function tell(text: string): void {
  const note = document.createElement('dialog');
  note.style.cssText =
    'margin:1rem auto auto;max-width:min(28rem,90vw);padding:1rem;border:1px solid #8886;border-radius:.5rem;background:#fff;color:#111;font:1rem/1.5 system-ui,sans-serif;white-space:pre-wrap;overflow-wrap:anywhere';
  const words = document.createElement('p');
  words.style.margin = '0 0 .75rem';
  words.textContent = text;
  const close = document.createElement('button');
  close.textContent = 'OK';
  close.style.cssText =
    'padding:.25rem 1rem;border:1px solid #8886;border-radius:.375rem;background:#f3f3f3;color:#111';
  close.addEventListener('click', () => note.remove());
  note.addEventListener('close', () => note.remove());
  note.append(words, close);
  document.body.append(note);
  note.showModal();
}

/** As ordinary code expects one; it ends with the frame. */
function storeInMemory(): object {
  const kept = new Map<string, string>();
  const methods: Record<string, unknown> = {
    getItem: (key: unknown) => kept.get(String(key)) ?? null,
    setItem: (key: unknown, value: unknown) => void kept.set(String(key), String(value)),
    removeItem: (key: unknown) => void kept.delete(String(key)),
    clear: () => kept.clear(),
    key: (n: number) => [...kept.keys()][n] ?? null,
  };
  return new Proxy(methods, {
    get: (_, key) => (key === 'length' ? kept.size : (methods[String(key)] ?? kept.get(String(key)))),
    set: (_, key, value) => kept.set(String(key), String(value)) !== undefined,
    deleteProperty: (_, key) => kept.delete(String(key)) || true,
  });
}
