import { z } from 'zod';
import { supportingDocument } from '#contract/documents/schema.ts';
import { endpoint } from '#contract/endpoint.ts';
import { money, option } from '#contract/fields.ts';
import { taxKinds } from '#contract/invoices/expected-cash.ts';

/** The lookups. */

export const currency = z.strictObject({ id: z.int(), code: z.string() });
export const financingPeriod = z.strictObject({ id: z.int(), name: z.string(), days: z.int() });

/** A dated tax rate; the threshold is in shillings. */
const taxRate = z.strictObject({
  kind: z.enum(taxKinds),
  validFrom: z.iso.date(),
  rate: z.number(),
  threshold: money.nullable(),
});

export const referenceEndpoints = {
  sectors: endpoint({
    method: 'GET',
    path: '/sectors',
    aliases: [{ method: 'GET', path: '/industries' }],
    summary: 'Business sectors',
    reply: z.array(option),
    needs: 'public',
  }),
  districts: endpoint({
    method: 'GET',
    path: '/districts',
    summary: 'Districts and cities of Uganda',
    reply: z.array(option),
    needs: 'public',
  }),
  currencies: endpoint({
    method: 'GET',
    path: '/currencies',
    summary: 'Currencies',
    reply: z.array(currency),
    needs: 'session',
  }),
  financingPeriods: endpoint({
    method: 'GET',
    path: '/financing_periods',
    summary: 'Financing periods on offer',
    reply: z.array(financingPeriod),
    needs: 'session',
  }),
  interestRates: endpoint({
    method: 'GET',
    path: '/interest_rates',
    summary: 'Fee rate of each financing period, in per cent',
    reply: z.array(z.strictObject({ id: z.int(), financingPeriodId: z.int(), days: z.int(), rate: z.number() })),
    needs: 'session',
  }),
  // Not in the specification: the web shows the required documents before there is an invoice.
  documentTypes: endpoint({
    method: 'GET',
    path: '/document_types',
    summary: 'The types of supporting documents, and which are mandatory',
    reply: z.array(supportingDocument.pick({ type: true, typeId: true, mandatory: true })),
    needs: 'session',
  }),
  // Not in the specification: the web suggests the VAT, and shows how much a buyer will withhold.
  taxRates: endpoint({
    method: 'GET',
    path: '/tax_rates',
    summary: 'Tax rates by kind, in per cent, each from a day on',
    reply: z.array(taxRate),
    needs: 'session',
  }),
  feeModes: endpoint({
    method: 'GET',
    path: '/fee_modes',
    summary: 'How fees are paid',
    reply: z.array(z.strictObject({ id: z.int(), code: z.string(), name: z.string() })),
    needs: 'session',
  }),
} as const;
