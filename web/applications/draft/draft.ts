import type { FormErrors } from '@mantine/form';
import { z } from 'zod';
import { advancePercent, feeRatePercent, type Quote } from '#contract/applications/quote.ts';
import { type LoadedInvoice, saveBody, type savedReply } from '#contract/invoices/schema.ts';
import { fromMinor } from '#contract/money.ts';
import {
  checkInvoice,
  emptyInvoice,
  faceValueOf,
  fingerprintInvoice,
  type InvoiceValues,
  invoiceLabels,
  invoiceValuesOf,
} from '#web/applications/invoice/invoice-values.ts';
import {
  type ApplicationValues,
  applicationLabels,
  applicationValuesOf,
  checkApplication,
  emptyApplication,
  fingerprintApplication,
} from '#web/applications/terms/application-values.ts';
import { numberOf } from '#web/ui/forms/typed-amount.ts';

/** The typed values of both forms. */
export interface Typed {
  readonly invoice: InvoiceValues;
  readonly application: ApplicationValues;
}

/** One of the two forms as stored on the server. */
interface Stored {
  readonly tag: string;
  readonly version: number;
}

/** The draft on the server as this screen knows it, with the forms' values when they last matched it. */
export interface Draft {
  readonly invoice: Stored | undefined;
  readonly application: Stored | undefined;
  readonly reference: string | undefined;
  readonly saved: Readonly<Record<Part, string>>;
  /** Refused values. They are not sent again. */
  readonly refused: Readonly<Partial<Record<Part, string>>>;
}

export type Part = 'invoice' | 'application';

export type SentBody = z.input<typeof saveBody>;

/** One save, built once and repeated unchanged until it is answered. It can be kept on the device. */
export const save = z.object({
  part: z.enum(['invoice', 'application']),
  idempotencyKey: z.string(),
  /** A fingerprint of the form's values. */
  fingerprint: z.string(),
  // Validated but not parsed: it is sent as it is.
  body: z.custom<SentBody>((body) => saveBody.safeParse(body).success),
});
export type Save = z.output<typeof save>;

/** The forms' values on the server; empty forms for a new application. */
export function typedOf(loaded: LoadedInvoice | undefined): Typed {
  if (loaded === undefined) return { invoice: emptyInvoice, application: emptyApplication() };
  return { invoice: invoiceValuesOf(loaded), application: applicationValuesOf(loaded) };
}

/** The draft on the server; nothing yet for a new application. */
export function draftOf(loaded: LoadedInvoice | undefined): Draft {
  const application = loaded?.discountApplication;
  return {
    invoice: loaded && { tag: loaded.tag, version: loaded.version },
    application:
      application?.tag && application.version ? { tag: application.tag, version: application.version } : undefined,
    reference: application?.reference ?? undefined,
    saved: fingerprints(typedOf(loaded)),
    refused: {},
  };
}

/** A new draft whose currency was chosen for the person: that does not count as typing. */
export function presetCurrency(draft: Draft, currencyId: string): Draft {
  return { ...draft, saved: { ...draft.saved, invoice: fingerprintInvoice({ ...emptyInvoice, currencyId }) } };
}

/**
 * The draft with the versions it had when typing began, so that a newer version on the server can be told from the
 * person's own save.
 */
export function typedOver(draft: Draft, versions: { readonly [part in Part]?: number | undefined }): Draft {
  const { invoice, application } = draft;
  return {
    ...draft,
    invoice: invoice && { ...invoice, version: versions.invoice ?? invoice.version },
    application: application && { ...application, version: versions.application ?? application.version },
  };
}

/** The errors of both forms, by field (docs/specification-coverage.md, 5). */
export function checkTyped({ invoice, application }: Typed): Record<Part, FormErrors> {
  return { invoice: checkInvoice(invoice), application: checkApplication(application, completeFaceValue(invoice)) };
}

/** The face value that can be applied against, from an invoice with no missing or wrong fields; otherwise undefined. */
export function completeFaceValue(invoice: InvoiceValues): number | undefined {
  return Object.keys(checkInvoice(invoice)).length === 0 ? faceValueOf(invoice) : undefined;
}

/** Why the typed values cannot be saved as they are: the first error on the screen; undefined if there is none. */
export function whatKeepsItUnsaved(draft: Draft, typed: Typed): string | undefined {
  const wrong = checkTyped(typed);
  const inInvoice = firstMessage(invoiceLabels, wrong.invoice);
  const applicationChanged = fingerprints(typed).application !== draft.saved.application;
  return inInvoice ?? (applicationChanged ? firstMessage(applicationLabels, wrong.application) : undefined);
}

/** The message of the first field that has one, in the order of the labels. */
function firstMessage(labels: object, wrong: FormErrors): string | undefined {
  const messages = Object.keys(labels).map((field) => wrong[field]);
  return messages.find((message) => typeof message === 'string');
}

/** Fingerprints of both forms, for comparing. */
export function fingerprints({ invoice, application }: Typed): Record<Part, string> {
  return { invoice: fingerprintInvoice(invoice), application: fingerprintApplication(application) };
}

/** Whether some typing has not reached the server. */
export function isUnsaved(draft: Draft, typed: Typed): boolean {
  const now = fingerprints(typed);
  return now.invoice !== draft.saved.invoice || now.application !== draft.saved.application;
}

/** Whether a form needs saving: it differs from the server's version and is not a version that the server refused. */
export function waits(draft: Draft, part: Part, typed: Typed): boolean {
  const fingerprint = fingerprints(typed)[part];
  return fingerprint !== draft.saved[part] && fingerprint !== draft.refused[part];
}

/** The owner of an invoice: the session's person and business. */
export interface Owner {
  readonly userTag: string;
  readonly businessTag: string;
}

/** The save of a valid invoice form. */
export function saveInvoiceBody(draft: Draft, { invoice }: Typed, owner: Owner): SentBody {
  return {
    userTag: owner.userTag,
    invoice: {
      businessTag: owner.businessTag,
      invoiceNumber: invoice.invoiceNumber,
      date: invoice.date,
      currencyId: invoice.currencyId,
      buyerId: invoice.buyerId,
      amount: numberOf(invoice.amount),
      paymentDueOn: invoice.paymentDueOn === '' ? null : invoice.paymentDueOn,
      vat: invoice.vat === '' ? null : numberOf(invoice.vat),
      ...draft.invoice,
    },
  };
}

/** The save of a valid application form, on an invoice that is already saved. */
export function saveApplicationBody(draft: Draft, { application }: Typed, terms: Terms): SentBody {
  const { quote, reference, invoiceTag } = terms;
  return {
    application: {
      invoiceTag,
      reference,
      applicationDate: application.applicationDate,
      amountAppliedFor: numberOf(application.amountAppliedFor),
      financingPeriodId: application.financingPeriodId,
      feesCharged: fromMinor(quote.discountFee),
      amountReceived: fromMinor(quote.netProceeds),
      maximumAmount: fromMinor(quote.maximumAdvance),
      invoiceDiscountPercentage: advancePercent(quote),
      feeRatePercentage: feeRatePercent(quote.feeRateBps),
      ...draft.application,
    },
  };
}

interface Terms {
  readonly quote: Quote;
  readonly reference: string;
  readonly invoiceTag: string;
}

/** The draft after the server answered a save. */
export function afterSave(draft: Draft, { part, fingerprint }: Save, { data }: z.output<typeof savedReply>): Draft {
  const { tag, version } = data;
  return {
    ...draft,
    [part]: { tag, version },
    saved: { ...draft.saved, [part]: fingerprint },
    refused: {},
  };
}

/** The draft after the server refused a save. */
export function afterRefusal(draft: Draft, { part, fingerprint }: Save): Draft {
  return { ...draft, refused: { ...draft.refused, [part]: fingerprint } };
}
