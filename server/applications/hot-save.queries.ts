import { hotChange } from '#server/platform/hot-change.ts';

/**
 * The application form saved in one statement (docs/decisions/0027-hot-paths.md). `$9` is the invoice's tag, `$13` to `$20` what
 * the application says and costs, `$21` and `$22` its tag and version as they will be, `$23` and `$24` as the form has them
 * (null before the first save), `$25` the tag of the person that the call names or null, `$26` the face value that it was priced by.
 *
 * A price guessed from a face value or a tenor that has changed finds no row. The UPDATE looks again, once it has the row's
 * lock, at what others may have changed: both versions go up with every change.
 */
export const saveApplicationAtOnce = hotChange({
  meant: `select session.person_id, session.person_tag, invoice.id, invoice.version,
      case when invoice.application_tag is not null then jsonb_build_object(
        'reference', invoice.application_reference, 'date', invoice.application_date,
        'advance', (invoice.advance * 100)::bigint, 'financingPeriodId', invoice.financing_period_id,
        'tenorDays', invoice.tenor_days, 'feeRateBps', invoice.fee_rate_bps,
        'discountFee', (invoice.discount_fee * 100)::bigint, 'netProceeds', (invoice.net_proceeds * 100)::bigint)
      end as before
    from session join invoices as invoice on invoice.business_id = session.business_id
    where invoice.tag = $9::uuid and invoice.status = 'Draft' and invoice.face_value = $26::numeric
      and invoice.application_tag is not distinct from $23::uuid
      and invoice.application_version is not distinct from $24::integer
      and coalesce(invoice.application_reference, $13::uuid) = $13
      and ($25::uuid is null or $25 = session.person_tag)
      and exists (select from financing_periods where id = $16::integer and days = $17::integer)
      and (invoice.application_date, invoice.advance, invoice.financing_period_id, invoice.tenor_days,
          invoice.fee_rate_bps, invoice.discount_fee, invoice.net_proceeds)
        is distinct from ($14::date, $15::numeric, $16, $17, $18::integer, $19::numeric, $20::numeric)`,
  done: (from) => `update invoices set
      application_tag = $21::uuid, application_version = $22::integer, application_reference = $13,
      application_date = $14, listed_on = $14, advance = $15, financing_period_id = $16, tenor_days = $17,
      fee_rate_bps = $18, discount_fee = $19, net_proceeds = $20
    from ${from}
    where invoices.id = meant.id and invoices.status = 'Draft' and invoices.version = meant.version
      and invoices.application_version is not distinct from $24
    returning invoices.id`,
  values: 14,
});
