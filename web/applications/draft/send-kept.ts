import type { QueryClient } from '@tanstack/react-query';
import { isEditable } from '#contract/applications/lifecycle.ts';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import type { LoadedInvoice } from '#contract/invoices/schema.ts';
import { notices, notify } from '#web/notices.ts';
import { ApiFailure, callApi } from '#web/platform/api/api.ts';
import { saveBeforeLeaving } from '#web/platform/storage/unsaved-work.ts';
import { isPassing } from './autosave.ts';
import { checkTyped, draftOf, type Owner, typedOver } from './draft.ts';
import { DraftSaving, isSignedIn } from './draft-saving.ts';
import { canHold, claimDraft, dropKept, holdToSend, type KeptTyping, listKept } from './kept-typing.ts';

/** Drafts that need their author, with the time when they were typed. */
const left = new Map<string, string>();

/**
 * Saves the typing of screens that are no longer open, in the order it was typed. A screen that is open in any window
 * saves its own. Typing that the server refuses, or that conflicts with a change elsewhere, waits until its author
 * opens it.
 */
export async function sendKept(queryClient: QueryClient, owner: Owner): Promise<void> {
  if (!canHold()) return;
  const kept = (await listKept(owner.userTag)).reverse();
  for (const { draftId, keptAt } of kept) {
    if (!isSignedIn(owner)) return;
    if (left.get(draftId) === keptAt) continue;
    const release = await holdToSend(draftId);
    if (release === undefined) continue;
    try {
      // Read again, now that no other window has it.
      const now = (await listKept(owner.userTag)).find((row) => row.draftId === draftId);
      if (now !== undefined && (await send(queryClient, owner, now)) === 'left') left.set(draftId, now.keptAt);
    } finally {
      release();
    }
  }
}

async function send(queryClient: QueryClient, owner: Owner, kept: KeptTyping): Promise<'left' | 'done'> {
  const typed = { invoice: kept.invoice, application: kept.application };
  const isIncomplete = Object.keys(checkTyped(typed).invoice).length > 0;
  if (kept.unanswered === undefined && isIncomplete) return 'left';
  const loaded = kept.invoiceTag === null ? undefined : await load(kept.invoiceTag);
  if (!isSignedIn(owner)) return 'done';
  if (loaded === 'gone') {
    await dropKept(kept);
    notify(notices.invoiceNotSaved);
    return 'done';
  }
  const saving = new DraftSaving({
    queryClient,
    screen: kept.draftId,
    owner,
    draft: typedOver(draftOf(loaded), kept.versions),
    typing: { draftId: kept.draftId, kept, release: () => undefined, isClaimLost: claimDraft(kept.draftId) },
    background: true,
    read: () => typed,
    onPause: () => undefined,
    onSaved: () => undefined,
    onFields: () => undefined,
    onCreated: () => undefined,
    onGone: () => undefined,
  });
  const forget = saveBeforeLeaving(saving);
  await saving.autosave.flush().finally(forget);
  const { failure } = saving.autosave.state();
  return failure !== undefined && isPassing(failure) ? 'done' : 'left';
}

/** The invoice on the server; 'gone' if it was deleted or can no longer be changed. */
async function load(tag: string): Promise<LoadedInvoice | 'gone'> {
  try {
    const loaded = await callApi(invoiceEndpoints.loadInvoice, undefined, { params: { tag }, background: true });
    return isEditable(loaded.discountApplication.status.name) ? loaded : 'gone';
  } catch (error) {
    if (error instanceof ApiFailure && error.code === 'NOT_FOUND') return 'gone';
    throw error;
  }
}
