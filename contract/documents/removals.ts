import { z } from 'zod';

/** The parts that we remove from a PDF before we keep it and tell its owner about. We remove links without telling. */
export const removal = z.enum(['attachments', 'scripts', 'actions', 'media', 'signatures']);
export type Removal = z.output<typeof removal>;

const inWords: Readonly<Record<Removal, string>> = {
  attachments: 'attached files',
  scripts: 'scripts',
  actions: 'automatic actions',
  media: 'sound and video',
  signatures: 'digital signatures',
};

/** 'For safety we took out attached files and scripts. The pages are kept.' */
export function removalNote(removed: readonly Removal[]): string | undefined {
  if (removed.length === 0) return undefined;
  const found = removal.options.filter((kind) => removed.includes(kind)).map((kind) => inWords[kind]);
  return `For safety we took out ${new Intl.ListFormat('en-GB').format(found)}. The pages are kept.`;
}
