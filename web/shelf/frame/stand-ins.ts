// What pages expect of a browser that a sealed frame has not: dialogs that ask their person. A dialog of a frame without an
// origin is never shown, so that a form that answers by one would look dead.

export function standIn(): void {
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
