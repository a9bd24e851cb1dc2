import { describe, expect, it } from 'vitest';
import { businessForm } from '#contract/businesses/schema.ts';
import { endpoints } from '#contract/endpoints.ts';
import { invoicesBody } from '#contract/invoices/schema.ts';
import { rolesBody } from '#contract/people/schema.ts';
import { AppError } from '#server/calls/app-error.ts';
import { parse } from './http.ts';

type Schema = Parameters<typeof parse>[0];

function fieldsOf(schema: Schema, value: unknown): Readonly<Record<string, string>> {
  try {
    parse(schema, value, 'BAD_REQUEST');
  } catch (error) {
    if (error instanceof AppError) return error.details.fields ?? {};
    throw error;
  }
  return {};
}

const ONE_OF_THEM =
  'Give one of: Draft, Submitted, In Review, Info Requested, Counter-offered, Approved, Declined, Withdrawn, Cancelled, Lapsed, Disbursed, Settled';

describe('the message for a wrong field', () => {
  it.each([
    [invoicesBody, { size: 0 }, { size: 'Give at least 1' }],
    [invoicesBody, { size: 101 }, { size: 'Give at most 100' }],
    [invoicesBody, { page: 0 }, { page: 'Give at least 1' }],
    [invoicesBody, { page: 1.5 }, { page: 'Give a whole number' }],
    [invoicesBody, { page: '1' }, { page: 'Give a number' }],
    [invoicesBody, { status: 'Paid' }, { status: ONE_OF_THEM }],
    [invoicesBody, { status: 7 }, { status: ONE_OF_THEM }],
    [invoicesBody, { searchPhrase: 'x'.repeat(101) }, { searchPhrase: 'Use at most 100 characters' }],
    [invoicesBody, { searchPhrase: {} }, { searchPhrase: 'Give a text' }],
    [invoicesBody, [], { '': 'Give an object with fields' }],
    [rolesBody, { tag: crypto.randomUUID(), perms: 'BIDA' }, { perms: 'Give a list' }],
    [rolesBody, { tag: crypto.randomUUID(), perms: Array(9).fill('BIDA') }, { perms: 'Give at most 3 entries' }],
    [
      businessForm,
      { name: 'Kyambogo Mills', industryId: 1, districtId: 1, isBuyer: 'yes' },
      { isClient: 'This field is required', isBuyer: 'Give true or false' },
    ],
  ])('%# is in plain words', (schema, value, fields) => {
    expect(fieldsOf(schema, value)).toEqual(fields);
  });

  it.each(Object.entries(endpoints))('%s speaks no English of a library', (_name, { body }) => {
    const junk = [null, undefined, true, -1, 0.5, '', 'x'.repeat(2000), '\n', [], {}, [{}]];
    const names = ['page', 'size', 'searchPhrase', 'status', 'sort', 'kind', 'tag', 'perms', 'invoice', 'application'];
    const keys = Object.keys(fieldsOf(body, {})).flatMap((path) => path.split('.'));
    for (const value of junk) {
      const nested = Object.fromEntries([...names, ...keys].map((key) => [key, value]));
      for (const sent of [value, nested, { invoice: nested }, { application: nested }]) {
        for (const message of Object.values(fieldsOf(body, sent))) {
          expect(message).not.toMatch(/^(Too (small|big)|Invalid (input|option|string|key|element)|Unrecognized)/);
        }
      }
    }
  });
});
