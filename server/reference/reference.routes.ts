import { feeRateBps, feeRatePercent, offeredTenors } from '#contract/applications/quote.ts';
import type { TaxRate } from '#contract/invoices/expected-cash.ts';
import { fromMinor } from '#contract/money.ts';
import { referenceEndpoints } from '#contract/reference/endpoints.ts';
import type { Routes } from '#server/http/http.ts';
import { selectTaxRates } from '#server/invoices/invoices.queries.ts';

/** The lookups. They are read whole and have no rules, so there is no service. */
export function referenceRoutes(routes: Routes): void {
  const { db } = routes.platform;
  const periods = () =>
    db
      .selectFrom('financing_periods')
      .select(['id', 'name', 'days'])
      .where('days', 'in', [...offeredTenors])
      .orderBy('days')
      .execute();

  routes.open(referenceEndpoints.sectors, () =>
    db.selectFrom('sectors').select(['id', 'name']).orderBy('position').execute(),
  );
  routes.open(referenceEndpoints.districts, () =>
    db.selectFrom('districts').select(['id', 'name']).orderBy('name').execute(),
  );
  routes.signedIn(referenceEndpoints.currencies, () =>
    db.selectFrom('currencies').select(['id', 'code']).orderBy('id').execute(),
  );
  routes.signedIn(referenceEndpoints.financingPeriods, periods);
  routes.signedIn(referenceEndpoints.interestRates, async () =>
    (await periods()).map(({ id, days }) => ({ id, financingPeriodId: id, days, rate: feeRateBps(days) / 100 })),
  );
  routes.signedIn(referenceEndpoints.documentTypes, () =>
    db.selectFrom('document_types').select(['name as type', 'id as typeId', 'mandatory']).orderBy('position').execute(),
  );
  routes.signedIn(referenceEndpoints.taxRates, async () => (await selectTaxRates(db)).map(presentTaxRate));
  routes.signedIn(referenceEndpoints.feeModes, () =>
    db.selectFrom('fee_modes').select(['id', 'code', 'name']).orderBy('id').execute(),
  );
}

function presentTaxRate({ kind, validFrom, rateBps, threshold }: TaxRate) {
  return {
    kind,
    validFrom,
    rate: feeRatePercent(rateBps),
    threshold: threshold === null ? null : fromMinor(threshold),
  };
}
