import type { QueryClient } from '@tanstack/react-query';
import { isEditable } from '#contract/applications/lifecycle.ts';
import { failures } from '#contract/errors.ts';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import { savedReply } from '#contract/invoices/schema.ts';
import { quoteTyped } from '#web/applications/application-figures.ts';
import { financingPeriodsQuery, referenceQuery } from '#web/applications/applications.api.ts';
import { applicationsKey } from '#web/applications/applications-list.api.ts';
import { faceValueOf } from '#web/invoices/invoice-values.ts';
import { notices, notify } from '#web/notices.ts';
import { ApiFailure, callApi } from '#web/platform/api.ts';
import { type Autosave, createAutosave, isPassing } from './autosave.ts';
import {
  afterRefusal,
  afterSave,
  checkTyped,
  type Draft,
  draftOf,
  fingerprints,
  isUnsaved,
  type Owner,
  type Part,
  type Save,
  type SentBody,
  saveApplicationBody,
  saveInvoiceBody,
  type Typed,
  waits,
} from './draft.ts';
import { dropKept, type KeptTyping, keepTyping } from './kept-typing.ts';

interface DraftSavingOptions {
  readonly queryClient: QueryClient;
  /** Names the screen, so that it asks for one reference only. */
  readonly screen: string;
  readonly owner: Owner;
  readonly draft: Draft;
  readonly kept: KeptTyping | undefined;
  /** What both forms say now. */
  readonly read: () => Typed;
  /** Somebody paused: what is wrong may be said now. */
  readonly onPause: () => void;
  /** The server has what that form said when it was sent. */
  readonly onSaved: (part: Part, typed: Typed) => void;
  /** The server found fault with fields; answers false where none of them is on the screen. */
  readonly onFields: (part: Part, fields: Readonly<Record<string, string>>) => boolean;
  /** The invoice was saved for the first time. */
  readonly onCreated: (invoiceTag: string) => void;
  /** It was submitted or deleted elsewhere. */
  readonly onGone: (invoiceTag: string) => void;
}

/** The saving of one screen's draft, see {@link createDraftSaving}. */
export interface DraftSaving {
  readonly autosave: Autosave<Save>;
  readonly draft: () => Draft;
  /** Somebody changed the draft elsewhere; nothing is saved until it is decided which one stands. */
  readonly stale: () => boolean;
  readonly changed: () => void;
  /** Saves what is typed here over what was changed elsewhere; throws {@link ApiFailure} where that cannot be read. */
  readonly keepMine: () => Promise<void>;
  /** Forgets what was typed and not saved. */
  readonly discard: () => void;
  readonly start: () => () => void;
}

/** What changes while the screen is open. */
interface Situation {
  draft: Draft;
  stale: boolean;
  /** The screen is there to be told. */
  attached: boolean;
  discarded: boolean;
}

/** Saves an invoice and its application by themselves (specification, section 4): first the invoice, then the application. */
export function createDraftSaving(options: DraftSavingOptions): DraftSaving {
  const now: Situation = { draft: options.draft, stale: false, attached: false, discarded: false };
  const announced = new Set<Part>();
  const slot = () => ({ userTag: options.owner.userTag, invoiceTag: now.draft.invoice?.tag ?? null });

  const autosave = createAutosave<Save>({
    next: async () => (now.stale || now.discarded ? undefined : nextSave(now.draft, options.read(), options)),
    send: async (save) => {
      const reply = await post(save);
      const created = now.draft.invoice === undefined;
      if (created) dropKept(slot());
      now.draft = afterSave(now.draft, save, reply);
      void options.queryClient.invalidateQueries({ queryKey: applicationsKey });
      options.onSaved(save.part, options.read());
      announceSaved(save.part, announced);
      if (created && now.attached) options.onCreated(reply.data.tag);
    },
    onPause: options.onPause,
    onFailure: (failure, save) => handleFailure(now, failure, save, options),
    unanswered: options.kept?.unanswered,
  });
  autosave.subscribe(() => keepUnsaved(now, slot(), options.read(), autosave));

  return {
    autosave,
    draft: () => now.draft,
    stale: () => now.stale,
    changed: () => {
      keepUnsaved(now, slot(), options.read(), autosave);
      autosave.changed();
    },
    keepMine: async () => {
      await takeLatest(now, options);
      await autosave.flush();
    },
    discard: () => {
      now.discarded = true;
      dropKept(slot());
    },
    start: () => {
      now.attached = true;
      const stop = autosave.start();
      if (isUnsaved(now.draft, options.read())) autosave.changed();
      return () => {
        now.attached = false;
        stop();
      };
    },
  };
}

function handleFailure(
  now: Situation,
  failure: ApiFailure,
  save: Save | undefined,
  { onGone, onFields }: DraftSavingOptions,
): void {
  const { code } = failure;
  if (save !== undefined && !isPassing(failure)) now.draft = afterRefusal(now.draft, save);
  now.stale ||= code === 'STALE_VERSION';
  if (now.stale) return;
  const part = save?.part ?? 'application';
  if (!onFields(part, fieldsOf(part, failure)))
    notify(part === 'invoice' ? notices.invoiceNotSaved : notices.applicationNotSaved);
  const gone = code === 'NOT_EDITABLE' || code === 'NOT_FOUND';
  if (gone && now.attached && now.draft.invoice !== undefined) onGone(now.draft.invoice.tag);
}

/** Keeps on the device what the server does not have, and forgets it once it does. */
function keepUnsaved(
  { draft, discarded }: Situation,
  slot: Pick<KeptTyping, 'userTag' | 'invoiceTag'>,
  typed: Typed,
  autosave: Autosave<Save>,
): void {
  if (discarded) return;
  const unanswered = autosave.unanswered();
  if (unanswered === undefined && !isUnsaved(draft, typed)) {
    dropKept(slot);
    return;
  }
  const versions = { invoice: draft.invoice?.version, application: draft.application?.version };
  keepTyping({ ...slot, ...typed, keptAt: new Date().toISOString(), versions, unanswered });
}

/** Takes the draft's versions as they are on the server now, so that the next save goes over them. */
async function takeLatest(now: Situation, { onGone }: DraftSavingOptions): Promise<void> {
  if (now.draft.invoice === undefined) return;
  const { tag } = now.draft.invoice;
  const latest = await callApi(invoiceEndpoints.loadInvoice, undefined, { params: { tag } });
  if (!isEditable(latest.discountApplication.status.name)) {
    onGone(tag);
    return;
  }
  now.draft = draftOf(latest);
  now.stale = false;
}

/** The invoice before the application, and the application only on an invoice that is saved as it is typed. */
async function nextSave(draft: Draft, typed: Typed, options: DraftSavingOptions): Promise<Save | undefined> {
  const wrong = checkTyped(typed);
  if (Object.keys(wrong.invoice).length > 0) return undefined;
  if (waits(draft, 'invoice', typed)) return saveOf('invoice', typed, saveInvoiceBody(draft, typed, options.owner));
  const invoiceTag = draft.invoice?.tag;
  if (invoiceTag === undefined || fingerprints(typed).invoice !== draft.saved.invoice) return undefined;
  if (Object.keys(wrong.application).length > 0 || !waits(draft, 'application', typed)) return undefined;

  const { queryClient, screen } = options;
  const periods = await queryClient.fetchQuery(financingPeriodsQuery);
  const reference = draft.reference ?? (await queryClient.fetchQuery(referenceQuery(screen)));
  const tenorDays = periods.find(({ id }) => String(id) === typed.application.financingPeriodId)?.days;
  const { amountAppliedFor } = typed.application;
  const quote = quoteTyped({ faceValue: faceValueOf(typed.invoice), amountAppliedFor, tenorDays });
  if (quote === undefined) return undefined;
  return saveOf('application', typed, saveApplicationBody(draft, typed, { quote, reference, invoiceTag }));
}

function saveOf(part: Part, typed: Typed, body: SentBody): Save {
  return { part, idempotencyKey: crypto.randomUUID(), fingerprint: fingerprints(typed)[part], body };
}

/** Sends a save. An answer that broke off on the way is none: the save is repeated. */
async function post({ body, idempotencyKey }: Save) {
  const reply = savedReply.safeParse(await callApi(invoiceEndpoints.saveInvoice, body, { idempotencyKey }));
  if (!reply.success) throw new ApiFailure('UNAVAILABLE', failures.UNAVAILABLE.msg);
  return reply.data;
}

/**
 * The specification's success toasts (section 8) once for each form and visit: a form that saves itself every few
 * seconds would bury the screen in them. Every later save shows in the save state, which is always in view.
 */
function announceSaved(part: Part, announced: Set<Part>): void {
  if (announced.has(part)) return;
  announced.add(part);
  notify(part === 'invoice' ? notices.invoiceSaved : notices.applicationSaved);
}

/** Messages by the form's own fields: the body carries them below `invoice` or `application`. */
function fieldsOf(part: Part, { fields }: ApiFailure): Record<string, string> {
  const prefix = `${part}.`;
  return Object.fromEntries(
    Object.entries(fields).map(([path, message]) => [
      path.startsWith(prefix) ? path.slice(prefix.length) : path,
      message,
    ]),
  );
}
