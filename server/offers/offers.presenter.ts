import { createHash } from 'node:crypto';
import type { KeyFactsReply } from '#contract/applications/key-facts.schema.ts';
import { type KeyFacts, sayIfLate } from '#contract/applications/key-facts.ts';
import { fromMinor } from '#contract/money.ts';
import { type Extension, IF_REVERSED } from '#contract/offers/extension.ts';
import type { ExtensionFacts, OfferReply, OfferTerms } from '#contract/offers/schema.ts';
import type { StandingEntry } from '#contract/payments/balance.ts';
import { unpaidAdvance } from '#contract/payments/derived/late-charge.ts';
import { addDays } from '#contract/time/calendar.ts';
import type { InvoiceRecord } from '#server/invoices/invoices.queries.ts';
import type { Platform } from '#server/platform/platform.ts';

/** Presents the open offer beside the terms that the client applied for. */
export function presentOffer(
  asked: KeyFacts,
  { version, facts }: { readonly version: string; readonly facts: Omit<KeyFactsReply, 'version' | 'accepted'> },
  { reason, validUntil }: Pick<OfferReply, 'reason' | 'validUntil'>,
): OfferReply {
  const { amountAppliedFor, tenorDays, feeRatePercentage, feesCharged, amountReceived, paymentExpectedOn } = facts;
  return {
    currency: facts.currency,
    asked: presentTerms(asked),
    offered: { amountAppliedFor, tenorDays, feeRatePercentage, feesCharged, amountReceived, paymentExpectedOn },
    reason,
    validUntil,
    keyFacts: { ...facts, version, accepted: null },
  };
}

function presentTerms(facts: KeyFacts): OfferTerms {
  return {
    amountAppliedFor: fromMinor(facts.advance),
    tenorDays: facts.tenorDays,
    feeRatePercentage: facts.feeRatePercent,
    feesCharged: fromMinor(facts.discountFee),
    amountReceived: fromMinor(facts.netProceeds),
    paymentExpectedOn: facts.paymentExpectedOn,
  };
}

const TENTHS_PER_PERCENT = 10;

export interface ExtensionKeyFacts {
  readonly version: string;
  readonly facts: ExtensionFacts;
}

/** Presents the key facts of an extension. The version changes with any word or figure. */
export function presentExtension(
  { config }: Platform,
  invoice: InvoiceRecord,
  { extension, standing }: { readonly extension: Extension; readonly standing: readonly StandingEntry[] },
): ExtensionKeyFacts {
  const { outstanding, dueOn } = invoice.case;
  const { yearlyRateTenths } = extension;
  const advance = invoice.application?.advance ?? 0;
  const facts = {
    currency: invoice.currencyCode,
    outstanding: fromMinor(outstanding ?? 0),
    fee: fromMinor(extension.fee),
    feeRatePercentage: extension.feeRatePercent,
    yearlyRatePercent: yearlyRateTenths === null ? null : yearlyRateTenths / TENTHS_PER_PERCENT,
    tenorDays: extension.tenorDays,
    toPayBack: fromMinor(extension.toPayBack),
    dueOn: dueOn ?? extension.dueOn,
    newDueOn: extension.dueOn,
    ifLate: sayIfLate({
      ...invoice,
      advance,
      unpaid: unpaidAdvance(advance, standing, addDays(extension.dueOn, 1)),
      blocksAfterDays: config.repayment.blocksAfterDays,
    }),
    ifReversed: IF_REVERSED,
  };
  const version = createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16);
  return { version, facts };
}
