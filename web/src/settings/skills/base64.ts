/** The bytes of a file as the server takes them. */
export async function readBase64(file: Blob): Promise<string> {
  const reader = new FileReader();
  const read = new Promise<string>((resolve, reject) => {
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('The file cannot be read'));
  });
  reader.readAsDataURL(file);
  const url = await read;
  return url.slice(url.indexOf(',') + 1);
}

export function bytesFromBase64(content: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
}
