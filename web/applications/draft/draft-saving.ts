import type { QueryClient } from '@tanstack/react-query';
import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { isEditable } from '#contract/applications/lifecycle.ts';
import { failures } from '#contract/errors.ts';
import { invoiceEndpoints } from '#contract/invoices/endpoints.ts';
import { savedReply } from '#contract/invoices/schema.ts';
import { faceValueOf } from '#web/applications/invoice/invoice-values.ts';
import { quoteTyped } from '#web/applications/terms/application-figures.ts';
import { financingPeriodsQuery, referenceQuery } from '#web/applications/terms/applications.api.ts';
import { forgetFailure, notices, notify, onPhone } from '#web/notices.ts';
import { ApiFailure, callApi } from '#web/platform/api/api.ts';
import { invalidate } from '#web/platform/api/use-call.ts';
import { currentUser } from '#web/platform/session/session.ts';
import { uniqueKey } from '#web/platform/unique-key.ts';
import { Autosave, isPassing } from './autosave.ts';
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
  presetCurrency,
  type Save,
  type SentBody,
  saveApplicationBody,
  saveInvoiceBody,
  type Typed,
  waits,
} from './draft.ts';
import { dropKept, type KeptTyping, keepTyping, type OpenTyping } from './kept-typing.ts';

interface DraftSavingOptions {
  readonly queryClient: QueryClient;
  /** Names the screen, so that it asks for one reference only. */
  readonly screen: string;
  readonly owner: Owner;
  readonly draft: Draft;
  /** Where typing is kept until the server has it, and what an earlier visit left. */
  readonly typing: OpenTyping;
  /** Runs without the person's doing, so it does not extend their session. */
  readonly background?: boolean;
  /** The current values of both forms. */
  readonly read: () => Typed;
  /** Somebody paused: what is wrong may be said now. */
  readonly onPause: () => void;
  /** The server has what that form said when it was sent. */
  readonly onSaved: (part: Part, typed: Typed) => void;
  /** The server found fault with fields. */
  readonly onFields: (part: Part, fields: Readonly<Record<string, string>>) => void;
  /** The invoice was saved for the first time. */
  readonly onCreated: (invoiceTag: string) => void;
  /** It was submitted or deleted elsewhere. */
  readonly onGone: (invoiceTag: string) => void;
}

/** Whether what is typed and not saved is on the device; undefined until the device has answered for the first time. */
export type Keeping = 'kept' | 'refused' | undefined;

/** A save is 1 kB, and can be repeated. */
const SAVE_TIMEOUT_MS = 60_000;

/** A device that does not say whether it keeps something is not waited for longer. */
const KEEPING_TIMEOUT_MS = 1_000;

/**
 * Saves an invoice and its application by themselves (docs/specification-coverage.md, 4): first the invoice, then the
 * application.
 */
export class DraftSaving {
  readonly autosave: Autosave<Save>;
  readonly #options: DraftSavingOptions;
  readonly #announced = new Set<Part>();
  #draft: Draft;
  #stale = false;
  #discarded = false;
  #keeping: Keeping;
  /** The last version written to the device. */
  #handedOver: Promise<void> = Promise.resolve();
  readonly #listeners = new Set<() => void>();
  /** The screen is there to be told. */
  #attached = false;

  constructor(options: DraftSavingOptions) {
    this.#options = options;
    this.#draft = options.draft;
    this.autosave = new Autosave<Save>({
      next: async () => (this.#isOver() ? undefined : nextSave(this.#draft, options.read(), options)),
      send: (save) => this.#send(save),
      onPause: options.onPause,
      onFailure: (failure, save) => this.#fail(failure, save),
      unanswered: options.typing.kept?.unanswered,
    });
    this.autosave.subscribe(() => this.#keepUnsaved());
  }

  /** The draft on the server. */
  get draft(): Draft {
    return this.#draft;
  }

  /** Somebody changed the draft elsewhere; nothing is saved until the person has chosen a version. */
  get stale(): boolean {
    return this.#stale;
  }

  /** Whether the device has what the server does not. */
  readonly keeping = (): Keeping => this.#keeping;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Starts with the typing of an earlier visit; returns a function that stops it. */
  readonly start = (): (() => void) => {
    this.#attached = true;
    const stop = this.autosave.start();
    if (isUnsaved(this.#draft, this.#options.read())) this.changed();
    else this.#keepUnsaved();
    return () => {
      this.#attached = false;
      stop();
    };
  };

  /** The currency of a new invoice is about to be chosen for the person. */
  readonly presetCurrency = (currencyId: string): void => {
    this.#draft = presetCurrency(this.#draft, currencyId);
  };

  /** Something was typed. */
  readonly changed = (): void => {
    this.#keepUnsaved();
    this.autosave.changed();
  };

  /** Saves this screen's typing over changes made elsewhere; throws {@link ApiFailure} if those cannot be read. */
  readonly keepMine = async (): Promise<void> => {
    if (this.#draft.invoice === undefined) return;
    const { tag } = this.#draft.invoice;
    const latest = await callApi(invoiceEndpoints.loadInvoice, undefined, { params: { tag } });
    if (!isEditable(latest.discountApplication.status.name)) {
      this.#options.onGone(tag);
      return;
    }
    this.#draft = draftOf(latest);
    this.#stale = false;
    await this.autosave.flush();
  };

  /** Forgets what was typed and not saved. */
  readonly discard = (): void => {
    this.#discarded = true;
    void dropKept(this.#slot());
  };

  async #send(save: Save): Promise<void> {
    const { queryClient, onSaved, onCreated, read, background = false } = this.#options;
    // Even if the tab is killed now, the next visit knows that this was sent.
    await Promise.race([this.#handedOver, new Promise((resolve) => setTimeout(resolve, KEEPING_TIMEOUT_MS))]);
    this.#requireOwner();
    const reply = await post(save, background);
    const created = this.#draft.invoice === undefined;
    this.#draft = afterSave(this.#draft, save, reply);
    void invalidate(queryClient, [invoiceEndpoints.listInvoices, applicationEndpoints.requirements]);
    onSaved(save.part, read());
    this.#announce(save.part);
    if (created && this.#attached) onCreated(reply.data.tag);
  }

  /**
   * The success toasts (docs/specification-coverage.md, 8) once for each form and visit: a form that saves itself every few
   * seconds would bury the screen in them. Every later save shows in the save state, which is always in view, and takes
   * away what said that it failed.
   */
  #announce(part: Part): void {
    if (this.#announced.has(part)) {
      forgetFailure(part);
      return;
    }
    this.#announced.add(part);
    notify(part === 'invoice' ? notices.invoiceSaved : notices.applicationSaved);
  }

  #fail(failure: ApiFailure, save: Save | undefined): void {
    const { onFields, onGone } = this.#options;
    const { code } = failure;
    if (save !== undefined && !isPassing(failure)) this.#draft = afterRefusal(this.#draft, save);
    this.#stale ||= code === 'STALE_VERSION';
    if (this.#stale) return;
    const part = save?.part ?? 'application';
    onFields(part, fieldsOf(part, failure));
    // The login screen says so, and that the typing is kept; and what nobody asked for just now is tried again in silence.
    if (code === 'NOT_SIGNED_IN' || (this.#options.background && isPassing(failure))) return;
    if (code === 'NETWORK' && this.#keeping === 'kept')
      notify({ ...notices.savedOnDevice(onPhone() ? 'phone' : 'computer'), about: part });
    else notify(part === 'invoice' ? notices.invoiceNotSaved : notices.applicationNotSaved);
    const gone = (code === 'NOT_EDITABLE' || code === 'NOT_FOUND') && isSignedIn(this.#options.owner);
    if (!gone || this.#draft.invoice === undefined) return;
    this.discard();
    if (this.#attached) onGone(this.#draft.invoice.tag);
  }

  /** Nothing more is saved from here. */
  #isOver(): boolean {
    return this.#stale || this.#discarded || this.#options.typing.isClaimLost();
  }

  #requireOwner(): void {
    const { owner, typing } = this.#options;
    if (!isSignedIn(owner) || typing.isClaimLost()) throw new ApiFailure('NOT_SIGNED_IN', failures.NOT_SIGNED_IN.msg);
  }

  /** Keeps on the device what the server does not have, and forgets it once it does. */
  #keepUnsaved(): void {
    if (this.#discarded || this.#options.typing.isClaimLost()) return;
    const { invoice, application } = this.#draft;
    const { unanswered } = this.autosave;
    const typed = this.#options.read();
    if (unanswered === undefined && !isUnsaved(this.#draft, typed)) {
      void dropKept(this.#slot());
      return;
    }
    const versions = { invoice: invoice?.version, application: application?.version };
    const keptAt = new Date().toISOString();
    const invoiceTag = invoice?.tag ?? null;
    this.#handedOver = keepTyping({ ...this.#slot(), invoiceTag, ...typed, keptAt, versions, unanswered }).then(
      (kept) => this.#publishKeeping(kept ? 'kept' : 'refused'),
    );
  }

  #publishKeeping(keeping: Keeping): void {
    if (keeping === this.#keeping) return;
    this.#keeping = keeping;
    for (const listener of this.#listeners) listener();
  }

  #slot(): Pick<KeptTyping, 'userTag' | 'draftId'> {
    return { userTag: this.#options.owner.userTag, draftId: this.#options.typing.draftId };
  }
}

/** Nobody's work goes out in another's name: on a phone that is shared somebody else may have logged in since. */
export function isSignedIn({ userTag }: Owner): boolean {
  return currentUser()?.tag === userTag;
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
  return { part, idempotencyKey: uniqueKey(), fingerprint: fingerprints(typed)[part], body };
}

/** Sends a save. An answer that broke off on the way is none: the save is repeated. */
async function post({ body, idempotencyKey }: Save, background: boolean) {
  const options = { idempotencyKey, background, timeoutMs: SAVE_TIMEOUT_MS };
  const reply = savedReply.safeParse(await callApi(applicationEndpoints.saveInvoice, body, options));
  if (!reply.success) throw new ApiFailure('UNAVAILABLE', failures.UNAVAILABLE.msg);
  return reply.data;
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
