import type { LoadedInvoice } from '#contract/invoices/schema.ts';
import { toMinor } from '#contract/money.ts';
import { useCurrencies } from '#web/applications/invoice/invoices.api.ts';
import { figuresOf } from './application-figures.ts';
import { useFinancingPeriods } from './applications.api.ts';

/** The figures of an application, and the names of its chosen currency and period, once their lists are loaded. */
export function useTerms({ amount, currencyId, discountApplication: application }: LoadedInvoice) {
  const currencies = useCurrencies();
  const periods = useFinancingPeriods();
  const period = periods.data?.find(({ id }) => id === application.financingPeriodId);
  const figures = figuresOf({
    faceValue: toMinor(amount),
    amountAppliedFor: application.amountAppliedFor,
    tenorDays: period?.days,
  });
  const isLoading = currencies.isPending || periods.isPending;
  const currency = currencies.data?.find(({ id }) => id === currencyId)?.code;
  return { figures, currency, period: period?.name, isLoading };
}
