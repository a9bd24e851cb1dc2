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
  /** Identifies the screen, so that it asks for only one reference. */
  readonly screen: string;
  readonly owner: Owner;
  readonly draft: Draft;
  /** Where typing is kept until the server has it, including what an earlier visit left. */
  readonly typing: OpenTyping;
  /** Saving runs without the person's doing, so it does not extend their session. */
  readonly background?: boolean;
  /** The current values of both forms. */
  readonly read: () => Typed;
  /** Called when somebody pauses typing: errors may be shown now. */
  readonly onPause: () => void;
  /** The server now has the form's values as they were when sent. */
  readonly onSaved: (part: Part, typed: Typed) => void;
  /** The server refused some fields. */
  readonly onFields: (part: Part, fields: Readonly<Record<string, string>>) => void;
  /** The invoice was saved for the first time. */
  readonly onCreated: (invoiceTag: string) => void;
  /** The invoice was submitted or deleted elsewhere. */
  readonly onGone: (invoiceTag: string) => void;
}

/** Whether unsaved typing is on the device; undefined until the device has answered for the first time. */
export type Keeping = 'kept' | 'refused' | undefined;

/** A save is 1 kB, and can be repeated. */
const SAVE_TIMEOUT_MS = 60_000;

/** The longest wait for a device that does not confirm whether it kept the typing. */
const KEEPING_TIMEOUT_MS = 1_000;

/**
 * Saves an invoice and its application automatically (docs/specification-coverage.md, 4): first the invoice, then the
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
  /** Whether the screen is there to receive callbacks. */
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

  /** Somebody changed the draft elsewhere. Nothing is saved until the person has chosen a version. */
  get stale(): boolean {
    return this.#stale;
  }

  /** Whether the device has the typing that the server lacks. */
  readonly keeping = (): Keeping => this.#keeping;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Starts with the typing of an earlier visit. Returns a stop function. */
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

  /** Records that a new invoice's currency is about to be chosen for the person. */
  readonly presetCurrency = (currencyId: string): void => {
    this.#draft = presetCurrency(this.#draft, currencyId);
  };

  /** Called when something was typed. */
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

  /** Forgets unsaved typing. */
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
   * Shows the success toasts (docs/specification-coverage.md, 8) once per form and visit: a form that saves itself
   * every few seconds would bury the screen in them. Later saves show in the save state, which is always in view, and
   * clear an earlier failure.
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
    // The login screen says that the session ended and the typing is kept. A background save that nobody just asked for
    // is retried silently.
    if (code === 'NOT_SIGNED_IN' || (this.#options.background && isPassing(failure))) return;
    if (code === 'NETWORK' && this.#keeping === 'kept')
      notify({ ...notices.savedOnDevice(onPhone() ? 'phone' : 'computer'), about: part });
    else notify(part === 'invoice' ? notices.invoiceNotSaved : notices.applicationNotSaved);
    const gone = (code === 'NOT_EDITABLE' || code === 'NOT_FOUND') && isSignedIn(this.#options.owner);
    if (!gone || this.#draft.invoice === undefined) return;
    this.discard();
    if (this.#attached) onGone(this.#draft.invoice.tag);
  }

  /** Whether this screen saves nothing more. */
  #isOver(): boolean {
    return this.#stale || this.#discarded || this.#options.typing.isClaimLost();
  }

  #requireOwner(): void {
    const { owner, typing } = this.#options;
    if (!isSignedIn(owner) || typing.isClaimLost()) throw new ApiFailure('NOT_SIGNED_IN', failures.NOT_SIGNED_IN.msg);
  }

  /** Keeps on the device what the server lacks, and deletes it once the server has it. */
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

/** Typing must never be sent in another person's name: on a shared phone somebody else may have logged in since. */
export function isSignedIn({ userTag }: Owner): boolean {
  return currentUser()?.tag === userTag;
}

/** Saves the invoice before the application, and the application only if the invoice is saved as typed. */
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

/** Sends a save. A reply that broke off on the way counts as none: the save is repeated. */
async function post({ body, idempotencyKey }: Save, background: boolean) {
  const options = { idempotencyKey, background, timeoutMs: SAVE_TIMEOUT_MS };
  const reply = savedReply.safeParse(await callApi(applicationEndpoints.saveInvoice, body, options));
  if (!reply.success) throw new ApiFailure('UNAVAILABLE', failures.UNAVAILABLE.msg);
  return reply.data;
}

/** Messages by form field; the body holds the fields under `invoice` or `application`. */
function fieldsOf(part: Part, { fields }: ApiFailure): Record<string, string> {
  const prefix = `${part}.`;
  return Object.fromEntries(
    Object.entries(fields).map(([path, message]) => [
      path.startsWith(prefix) ? path.slice(prefix.length) : path,
      message,
    ]),
  );
}
