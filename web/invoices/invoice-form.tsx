import { SimpleGrid, TextInput } from '@mantine/core';
import { kampalaDate } from '#contract/calendar.ts';
import { DateField } from '#web/ui/date-field.tsx';
import { LookupSelect } from '#web/ui/lookup-select.tsx';
import { MoneyInput } from '#web/ui/money-input.tsx';
import { type InvoiceForm, invoiceLabels } from './invoice-values.ts';
import { useBuyers, useCurrencies } from './invoices.api.ts';

interface InvoiceFieldsProps {
  readonly form: InvoiceForm;
  /** The hidden identifiers of the form (specification, section 2). */
  readonly tag: string | undefined;
  readonly businessTag: string;
}

/** The fields of 'Invoice Details' while they can be changed. */
export function InvoiceFields({ form, tag, businessTag }: InvoiceFieldsProps) {
  const currencies = useCurrencies();
  const currency = currencies.data?.find(({ id }) => String(id) === form.values.currencyId)?.code;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="md">
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
        options={currencies.data?.map(({ id, code }) => ({ value: String(id), label: code }))}
        failed={currencies.isError}
        onRetry={() => void currencies.refetch()}
        {...form.getInputProps('currencyId')}
      />
      <BuyerSelect form={form} />
    </SimpleGrid>
  );
}

function BuyerSelect({ form }: { readonly form: InvoiceForm }) {
  const buyers = useBuyers();
  const chosen = form.values.buyerId;
  const offered = buyers.data?.map(({ id, name }) => ({ value: String(id), label: name }));
  // An invoice keeps its buyer, also one that is no longer offered (decisions, 'Businesses').
  const gone = offered !== undefined && chosen !== '' && !offered.some(({ value }) => value === chosen);
  return (
    <div style={{ gridColumn: '1 / -1' }}>
      <LookupSelect
        label={invoiceLabels.buyerId}
        placeholder="Type to search"
        searchable
        nothingFoundMessage="No buyer by that name"
        options={gone ? [{ value: chosen, label: BUYER_NOT_OFFERED }, ...offered] : offered}
        failed={buyers.isError}
        onRetry={() => void buyers.refetch()}
        {...form.getInputProps('buyerId')}
      />
    </div>
  );
}

export const BUYER_NOT_OFFERED = 'A buyer that is no longer offered';
