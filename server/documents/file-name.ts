import { acceptedMediaTypes, type MediaType, shownName } from '#contract/documents/schema.ts';

const LONGEST_NAME = 200;

/**
 * A display name for a file: the last part of its path without control and formatting characters, at most 200
 * characters, with an extension that matches the content. Otherwise a picture called page.html would open as a web page
 * once it is saved.
 */
export function displayName(given: string | undefined, mediaType: MediaType): string {
  const base = shownName((given ?? '').normalize('NFC'))
    .replace(/^.*[/\\]/, '')
    .replace(/^[.\s]+/, '')
    .trim();
  const accepted: readonly [string, ...string[]] = acceptedMediaTypes[mediaType];
  const extensionGiven = /\.[^.]+$/.exec(base)?.[0] ?? '';
  const fits = accepted.includes(extensionGiven.toLowerCase());
  const extension = fits ? extensionGiven : accepted[0];
  const stem = fits ? base.slice(0, -extensionGiven.length) : base;
  const characters = Array.from(stem || 'document'); // by code points: half a surrogate pair is no character
  return `${characters.slice(0, LONGEST_NAME - extension.length).join('')}${extension}`;
}
