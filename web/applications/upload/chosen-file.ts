import { acceptedMediaTypes, MAXIMUM_FILE_BYTES } from '#contract/documents/schema.ts';
import { failures } from '#contract/errors.ts';

/** Filters of the file picker: media types for phones, extensions for computers. */
export const acceptedFiles = Object.entries(acceptedMediaTypes)
  .flatMap(([mediaType, endings]) => [mediaType, ...endings])
  .join(',');

/** The accepted files, in words (docs/specification-coverage.md, 5). */
export const ACCEPTED_IN_WORDS = 'A picture (PNG, JPEG, JPG or WebP) or a PDF, up to 10\u00a0MB';

interface ChosenFile {
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

/** A photo in a format that the server refuses. The browsers of the phones that make such photos can decode it. */
export function isHeic({ name, type }: Pick<ChosenFile, 'name' | 'type'>): boolean {
  return /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name);
}

/**
 * Why a file cannot be uploaded, checked before the client pays for its megabytes. The server checks its content as
 * well.
 */
export function refuseFile({ name, type, size }: ChosenFile): string | undefined {
  const ending = /\.[^.]+$/.exec(name.toLowerCase())?.[0] ?? '';
  const accepted = Object.entries(acceptedMediaTypes).some(
    ([mediaType, endings]) => type === mediaType || endings.some((known) => known === ending),
  );
  if (isHeic({ name, type })) return failures.FILE_HEIC.msg;
  if (!accepted) return failures.FILE_TYPE.msg;
  if (size === 0) return 'The file is empty';
  return size > MAXIMUM_FILE_BYTES ? failures.FILE_TOO_LARGE.msg : undefined;
}

const KB = 1024;

/** '240 KB', '1.4 MB' */
export function formatFileSize(bytes: number): string {
  const kilobytes = bytes / KB;
  return kilobytes < KB ? `${Math.max(1, Math.round(kilobytes))} KB` : `${(kilobytes / KB).toFixed(1)} MB`;
}
