import { beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { businessForm, editBusinessForm } from '#contract/businesses/schema.ts';
import { activationForm, buyerRequestForm, newBuyerForm } from '#contract/onboarding/schema.ts';
import { receiptBody } from '#contract/payments/schema.ts';
import { releasePayoutBody } from '#contract/payouts/schema.ts';
import { updatePersonBody } from '#contract/people/schema.ts';
import { canaryFound, proved } from '#testing/evidence/record.ts';
import { appOfFile } from '#testing/test-app.ts';
import { buildClient, type Client, invoiceForm, postInvoice, saveInvoice } from './invoices.harness.ts';

/** Officers see names and numbers as they were typed: no character in them is invisible or reverses the text. */

const CHARACTERS = [
  '\u202a',
  '\u202b',
  '\u202d',
  '\u202e',
  '\u2066',
  '\u2067',
  '\u2068',
  '\u2069',
  '\u200e',
  '\u200f',
  '\u061c',
  '\u200b',
  '\u200c',
  '\u200d',
  '\u2060',
  '\ufeff',
  '\u00ad',
  '\u034f',
  '\u115f',
  '\u3164',
  '\uffa0',
  '\u180e',
  '\ufe0f',
  '\u2028',
  '\u2029',
  '\u2800',
  '\u{e0020}',
  '\u{e0101}',
];
const MESSAGE = 'It has characters that cannot be seen. Type it again, do not paste it';

const names: readonly [where: string, form: z.ZodObject, field: string][] = [
  ['a business', businessForm, 'name'],
  ['a business that is edited', editBusinessForm, 'name'],
  ['a new buyer', newBuyerForm, 'name'],
  ['a buyer that is asked for', buyerRequestForm, 'name'],
  ['a newcomer', activationForm, 'firstName'],
  ['a newcomer', activationForm, 'lastName'],
  ['a newcomer', activationForm, 'businessName'],
  ['a person', updatePersonBody, 'firstName'],
  ['a person', updatePersonBody, 'lastName'],
  ['a person', updatePersonBody, 'designation'],
  ['a payment', receiptBody, 'reference'],
  ['a payout', releasePayoutBody, 'reference'],
];

describe('names and numbers with what cannot be seen', () => {
  const app = appOfFile();
  let client: Client;
  beforeAll(async () => {
    client = await buildClient(app);
  });

  /** How many invoices have such a character in their number. */
  async function disguised(): Promise<number> {
    const rows = await app.platform.db.selectFrom('invoices').select('invoice_number').execute();
    return rows.filter(({ invoice_number: text }) => CHARACTERS.some((one) => text.includes(one))).length;
  }

  it('are refused as invoice numbers new or changed', async () => {
    const { tag, version } = await saveInvoice(client, { invoiceNumber: 'INV-7' });
    let tried = 0;
    for (const character of CHARACTERS) {
      const invoiceNumber = `INV${character}-7`;
      for (const form of [{ invoiceNumber }, { invoiceNumber, tag, version }]) {
        const { status, body } = await postInvoice(client, invoiceForm(client, form));
        expect([status, body.fields]).toEqual([400, { 'invoice.invoiceNumber': MESSAGE }]);
        tried += 1;
      }
    }
    expect(await disguised()).toBe(0);
    await app.platform.db
      .updateTable('invoices')
      .set({ invoice_number: 'INV\u200b-7' })
      .where('tag', '=', tag)
      .execute();
    expect(await disguised()).toBe(1);
    canaryFound('invisible-names', 'an invoice number with a zero-width space, put into the database, was found');
    proved(
      'invisible-names',
      `${tried} saves with ${CHARACTERS.length} characters: each refused at its field, 0 stored`,
    );
  });

  it.each(names)('are refused of $0: $2', (_, form, field) => {
    const problems = (typed: string): string[] =>
      (form.safeParse({ [field]: typed }).error?.issues ?? [])
        .filter(({ path }) => path[0] === field)
        .map(({ message }) => message);
    for (const character of CHARACTERS) expect(problems(`Ka${character}to`)).toEqual([MESSAGE]);
    expect(problems('Kato Ŋŋo')).toEqual([]);
  });
});
