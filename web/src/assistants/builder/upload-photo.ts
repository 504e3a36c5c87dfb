import { post, UploadError } from '../../files/upload/upload-file.ts';
import { session } from '../../session/current-session.ts';

/** Makes the image the assistant's avatar. @throws UploadError */
export async function uploadPhoto(assistantId: string, image: File): Promise<void> {
  const form = new FormData();
  form.append('assistant_id', assistantId);
  form.append('metadata', '{}');
  form.append('file', image, encodeURIComponent(image.name));
  const token = await session.freshToken().catch(() => null);
  const { signal } = new AbortController();
  const { status, body } = await post(`/api/assistants/avatar/${assistantId}`, form, token, {
    onProgress: () => {},
    signal,
  });
  if (status >= 300) throw new UploadError(body);
}
