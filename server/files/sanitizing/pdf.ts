import type { Removal } from '#contract/documents/removals.ts';
import { unpacksToTooMuch } from './pdf-bounds.ts';
import { disarmPdf, OnlyScripts } from './pdf-disarming.ts';
import { openPdf } from './pdf-opening.ts';

/** A rewritten PDF, or why it is refused. */
export type PdfReading =
  | { readonly content: Uint8Array; readonly removed: readonly Removal[] }
  | { readonly refused: PdfRefusal };
type PdfRefusal = 'FILE_ACTIVE' | 'FILE_BROKEN' | 'FILE_LOCKED' | 'FILE_PROTECTED' | 'FILE_TOO_COMPLEX';

/**
 * Rewrites a PDF without active content. pdf.js must find a page in the new file, and no active content. Never throws
 * because of the file's content.
 */
export async function readPdf(content: Buffer): Promise<PdfReading> {
  if (unpacksToTooMuch(content)) return { refused: 'FILE_TOO_COMPLEX' };
  try {
    const { content: written, removed } = await disarmPdf(content);
    const opened = await openPdf(written);
    if (opened.outcome !== 'opened') return { refused: 'FILE_BROKEN' };
    return opened.isActive
      ? { refused: 'FILE_ACTIVE' }
      : { content: written, removed: [...removed].filter((part) => part !== 'links') };
  } catch (error) {
    if (error instanceof OnlyScripts) return { refused: 'FILE_ACTIVE' };
    return { refused: await whyUnreadable(content) };
  }
}

async function whyUnreadable(content: Buffer): Promise<PdfRefusal> {
  const { outcome } = await openPdf(content);
  if (outcome === 'locked') return 'FILE_LOCKED';
  if (content.includes('/Encrypt')) return 'FILE_PROTECTED';
  return outcome === 'opened' ? 'FILE_TOO_COMPLEX' : 'FILE_BROKEN';
}
