import { session } from '../../session/current-session.ts';
import { post, UploadError } from '../upload/upload-file.ts';

/** Makes the image the user's own and shows it wherever the user is. @throws UploadError */
export async function uploadAvatar(image: Blob): Promise<void> {
  const form = new FormData();
  form.append('manual', 'true');
  form.append('input', image, 'avatar');
  const token = await session.freshToken().catch(() => null);
  const never = new AbortController();
  const { status, body } = await post('/api/files/images/avatar', form, token, {
    onProgress: () => {},
    signal: never.signal,
  });
  if (status >= 300) throw new UploadError(body);
  // The renewed session brings the user with the new address.
  await session.refresh().catch(() => null);
}
