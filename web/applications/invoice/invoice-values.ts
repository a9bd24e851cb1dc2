import { schemaResolver, type UseFormReturnType, useForm } from '@mantine/form';
import { z } from 'zod';
import { invoiceForm, type LoadedInvoice, termsProblems } from '#contract/invoices/schema.ts';
import { pastDate } from '#web/ui/dates/past-date.ts';
import { minorOf, typedAmount } from '#web/ui/forms/typed-amount.ts';

/** The invoice form as typed (docs/specification-coverage.md, 3); ids are strings, as a select holds them. */
export const invoiceValues = z.object({
  invoiceNumber: z.string(),
  date: z.string(),
  amount: typedAmount,
  currencyId: z.string(),
  buyerId: z.string(),
  /** The due date by the buyer's terms, optional (docs/decisions/0043-buyer-terms.md). */
  paymentDueOn: z.string(),
  vat: typedAmount,
});
export type InvoiceValues = Readonly<z.output<typeof invoiceValues>>;

export type InvoiceForm = UseFormReturnType<InvoiceValues>;

/** The labels of the fields, in the order of the screen. */
export const invoiceLabels: Readonly<Record<keyof InvoiceValues, string>> = {
  invoiceNumber: 'Invoice number',
  date: 'Invoice date',
  amount: 'Amount',
  currencyId: 'Currency',
  buyerId: 'Buyer',
  paymentDueOn: 'Payment due date',
  vat: 'VAT in the amount',
};

export const emptyInvoice: InvoiceValues = {
  invoiceNumber: '',
  date: '',
  amount: '',
  currencyId: '',
  buyerId: '',
  paymentDueOn: '',
  vat: '',
};

export function invoiceValuesOf(loaded: LoadedInvoice): InvoiceValues {
  return {
    invoiceNumber: loaded.invoiceNumber,
    date: loaded.date,
    amount: loaded.amount,
    currencyId: String(loaded.currencyId),
    buyerId: String(loaded.buyerId),
    paymentDueOn: loaded.paymentDueOn ?? '',
    vat: loaded.vat ?? '',
  };
}

const typedInvoice = invoiceForm
  .omit({ businessTag: true, tag: true, version: true })
  .extend({ date: pastDate('Provide the invoice date') })
  .superRefine((invoice, context) => {
    for (const [field, message] of Object.entries(termsProblems(invoice)))
      context.addIssue({ code: 'custom', path: [field], message });
  });

/** The errors of the typed invoice, by field (docs/specification-coverage.md, 5). */
export const checkInvoice = schemaResolver(typedInvoice, { sync: true });

/** The invoice form. Calls `onChange` after every change. */
export function useInvoiceForm(initialValues: InvoiceValues, onChange: () => void): InvoiceForm {
  return useForm<InvoiceValues>({
    name: 'invoice',
    initialValues,
    validate: checkInvoice,
    validateInputOnBlur: true,
    onValuesChange: onChange,
  });
}

/** The typed amount in minor units; undefined if it is not an amount. */
export function faceValueOf({ amount }: InvoiceValues): number | undefined {
  const faceValue = minorOf(amount);
  return faceValue !== undefined && faceValue > 0 ? faceValue : undefined;
}

/** Fingerprints a form's values: forms with the same content have the same fingerprint. */
export function fingerprintInvoice({ invoiceNumber, date, amount, ...others }: InvoiceValues): string {
  const { currencyId, buyerId, paymentDueOn, vat } = others;
  return JSON.stringify([invoiceNumber.trim(), date, amount, currencyId, buyerId, paymentDueOn, vat]);
}
