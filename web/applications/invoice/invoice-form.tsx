import { TextInput } from '@mantine/core';
import { kampalaDate } from '#contract/time/calendar.ts';
import { DateField } from '#web/ui/dates/date-field.tsx';
import { LookupSelect } from '#web/ui/forms/lookup-select.tsx';
import { MoneyInput } from '#web/ui/forms/money-input.tsx';
import { BuyerSelect } from './buyer-select.tsx';
import { BuyerTerms } from './buyer-terms.tsx';
import classes from './invoice-form.module.css';
import { type InvoiceForm, invoiceLabels } from './invoice-values.ts';
import { useCurrencies } from './invoices.api.ts';

interface InvoiceFieldsProps {
  readonly form: InvoiceForm;
  /** The hidden identifiers of the form (docs/specification-coverage.md, 2). */
  readonly tag: string | undefined;
  readonly businessTag: string;
}

/** The fields of 'Invoice Details' while they can be edited. */
export function InvoiceFields({ form, tag, businessTag }: InvoiceFieldsProps) {
  const currencies = useCurrencies();
  const currency = currencies.data?.find(({ id }) => String(id) === form.values.currencyId)?.code;
  return (
    <div className={classes.fields}>
      <input type="hidden" name="tag" value={tag ?? ''} />
      <input type="hidden" name="businessTag" value={businessTag} />
      <TextInput
        label={invoiceLabels.invoiceNumber}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={60}
        {...form.getInputProps('invoiceNumber')}
      />
      <DateField label={invoiceLabels.date} latest={kampalaDate(new Date())} {...form.getInputProps('date')} />
      <MoneyInput label={invoiceLabels.amount} currency={currency} {...form.getInputProps('amount')} />
      <LookupSelect
        label={invoiceLabels.currencyId}
        placeholder="Choose"
        lookup={{ ...currencies, data: currencies.data?.map(({ id, code }) => ({ id, name: code })) }}
        {...form.getInputProps('currencyId')}
      />
      <BuyerSelect form={form} />
      <BuyerTerms form={form} currency={currency} />
    </div>
  );
}
