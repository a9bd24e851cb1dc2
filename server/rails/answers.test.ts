import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answer } from '#server/rail-port/rail.ts';
import * as airtel from '#server/rails/airtel/states.ts';
import * as mtn from '#server/rails/mtn/states.ts';
import type { Reply } from './provider-call.ts';
import { short } from './scripted-provider.harness.ts';

/** Whatever a provider sends, only a listed state or code ends a transfer. */

const ID = '0d9a7c1e5c0e4f0e9a573f1f6f1f2a11';
const words = (...parts: readonly unknown[]): string => parts.join(' ');

type Read = (reply: Reply) => Answer;
const reads: Readonly<Record<string, Read>> = Object.fromEntries(
  (['disbursement', 'collection'] as const).flatMap((product): [string, Read][] => [
    [`MTN, sent, ${product}`, (reply) => mtn.sentAnswer(reply, words)],
    [`MTN, asked, ${product}`, (reply) => mtn.askedAnswer(product, reply, words)],
    [`Airtel, sent, ${product}`, (reply) => airtel.sentAnswer(product, reply, ID, words)],
    [`Airtel, asked, ${product}`, (reply) => airtel.askedAnswer(product, reply, ID, words)],
  ]),
);

const text = fc.oneof(
  fc.constantFrom(
    'PENDING',
    'SUCCESSFUL',
    'FAILED',
    'TS',
    'TF',
    'TIP',
    'EXPIRED',
    'DP00900001007',
    'DP00800001001',
    ID,
  ),
  fc.constantFrom('RESOURCE_NOT_FOUND', 'DP00900001015', 'ROUTER115', 'constructor', '__proto__', ''),
  fc.string(),
);
const transaction = fc.record({ id: text, status: text, airtel_money_id: text, message: text }, { requiredKeys: [] });
const nearly = fc.oneof(
  fc.record({ status: text, reason: text, code: text, financialTransactionId: text }, { requiredKeys: [] }),
  fc.record({ data: fc.record({ transaction }), status: fc.record({ response_code: text, result_code: text }) }),
  fc.jsonValue(),
);

describe.each(Object.entries(reads))('%s', (_name, read) => {
  it('never throws, and takes no server error, redirect or refused login for the end', () => {
    fc.assert(
      fc.property(fc.constantFrom(100, 301, 307, 401, 500, 502, 503, 504), nearly, (status, json) => {
        expect(read({ answered: true, status, json }).state).toBe('unknown');
      }),
    );
  });

  it('ends nothing without a code of the tables', () => {
    const strange = fc.string({ minLength: 1 }).map((some) => `?${some}`);
    fc.assert(
      fc.property(fc.constantFrom(200, 404, 422), strange, strange, fc.option(strange), (status, state, code, id) => {
        const more = id === null ? {} : { financialTransactionId: id };
        const bodies = [
          { status: state, reason: code, ...more },
          { code, message: state },
          { status: { response_code: code, message: state }, data: { transaction: { status: state, id: ID } } },
          { status: { response_code: code } },
        ];
        for (const json of bodies) expect(short(read({ answered: true, status, json }))).toBe('unknown');
      }),
    );
  });

  it('gives an answer of the port to anything', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 599 }), nearly, (status, json) => {
        const answer = read({ answered: true, status, json });
        expect(['taken', 'unknown', 'notFound', 'succeeded', 'failed']).toContain(answer.state);
        if (answer.state === 'succeeded') expect(answer.providerReference).not.toBe('');
      }),
    );
  });
});
