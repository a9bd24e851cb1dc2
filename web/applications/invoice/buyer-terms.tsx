import { Anchor, Collapse, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { UsualTerms } from '#contract/businesses/schema.ts';
import { vatWithin } from '#contract/invoices/expected-cash.ts';
import { formatAmount, fromMinor } from '#contract/money.ts';
import { referenceEndpoints } from '#contract/reference/endpoints.ts';
import { sayDate } from '#contract/time/calendar.ts';
import { LOOKUP_FRESH_MS } from '#web/platform/api/query-client.ts';
import { useCall } from '#web/platform/api/use-call.ts';
import { DateField } from '#web/ui/dates/date-field.tsx';
import { inAYear } from '#web/ui/dates/dates.ts';
import { MoneyInput } from '#web/ui/forms/money-input.tsx';
import { useLater } from '#web/ui/loading/later.tsx';
import classes from './invoice-form.module.css';
import { faceValueOf, type InvoiceForm, invoiceLabels } from './invoice-values.ts';
import { usualTermsQuery } from './invoices.api.ts';
import { dueDateAfter, isDate, type Termed } from './usual-terms.ts';

const REGION = 'buyer-terms';

interface BuyerTermsProps {
  readonly form: InvoiceForm;
  readonly currency: string | undefined;
}

/** When the buyer pays and how much VAT the amount includes: optional, and folded unless opened or wrong. */
export function BuyerTerms({ form, currency }: BuyerTermsProps) {
  const { values, errors } = form;
  const [opened, setOpened] = useState(values.paymentDueOn !== '' || values.vat !== '');
  useUsualTerms(form);
  const shown = opened || errors.paymentDueOn !== undefined || errors.vat !== undefined;
  return (
    <div className={classes.wide}>
      <Anchor
        component="button"
        type="button"
        size="sm"
        className={classes.link}
        aria-expanded={shown}
        aria-controls={REGION}
        onClick={() => setOpened(!shown)}
      >
        Your buyer’s terms (optional)
      </Anchor>
      {!shown && isDate(values.paymentDueOn) && (
        <Text size="sm" c="dimmed">
          Your buyer pays by {sayDate(values.paymentDueOn)}.
        </Text>
      )}
      <Collapse expanded={shown} id={REGION}>
        <Text size="sm" c="dimmed" my="xs">
          They show how much of the invoice your buyer will pay, and when.
        </Text>
        <div className={classes.fields}>
          <DateField label={invoiceLabels.paymentDueOn} latest={inAYear()} {...form.getInputProps('paymentDueOn')} />
          <div>
            <MoneyInput label={invoiceLabels.vat} currency={currency} {...form.getInputProps('vat')} />
            <ProposedVat form={form} />
          </div>
        </div>
      </Collapse>
    </div>
  );
}

/**
 * Fills the due date from the buyer's usual terms when buyer or invoice date change. Opening a draft changes nothing.
 */
function useUsualTerms(form: InvoiceForm): void {
  const client = useQueryClient();
  const change = (before: Partial<Termed>): void => {
    const after = form.getValues();
    const change = { before: { ...after, ...before }, after };
    const fill = (terms: readonly UsualTerms[]): void => {
      const shown = form.getValues().paymentDueOn;
      const next = dueDateAfter(shown, change, terms);
      if (next !== shown) form.setFieldValue('paymentDueOn', next);
    };
    // If the terms don't load, the date is typed by hand.
    void client.ensureQueryData(usualTermsQuery).then(fill, () => undefined);
  };
  form.watch('buyerId', ({ previousValue: buyerId }) => change({ buyerId }));
  form.watch('date', ({ previousValue: date }) => change({ date }));
}

/** The VAT in a fully taxed amount, filled in with one press. */
function ProposedVat({ form }: Pick<BuyerTermsProps, 'form'>) {
  const rates = useCall(referenceEndpoints.taxRates, { enabled: useLater(), staleTime: LOOKUP_FRESH_MS }).data ?? [];
  const faceValue = faceValueOf(form.values);
  const { date, vat } = form.values;
  const known = rates.map(({ rate, ...others }) => ({ ...others, rateBps: Math.round(rate * 100) }));
  const proposed = faceValue === undefined || date === '' ? undefined : vatWithin(faceValue, date, known);
  if (proposed === undefined || vat !== '') return null;
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      className={classes.link}
      onClick={() => form.setFieldValue('vat', fromMinor(proposed))}
    >
      It has VAT: use {formatAmount(proposed)}
    </Anchor>
  );
}
