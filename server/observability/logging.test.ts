import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { newToken } from '#server/secrets/tokens.ts';
import { appOfFile } from '#testing/test-app.ts';
import { createLog } from './logging.ts';

/** The data of an error that is logged, and the data that never is. */

const lines: string[] = [];
const log = createLog('debug', { write: (line) => lines.push(line) });

function lineOf(write: () => void): string {
  write();
  return lines.at(-1) ?? '';
}

describe('an error in the log', () => {
  const test = appOfFile();

  async function failureOf(statement: Promise<unknown>): Promise<unknown> {
    return statement.then(
      () => undefined,
      (error: unknown) => error,
    );
  }

  it('has PostgreSQL’s code and constraint, without the row that it quotes', async () => {
    const hash = Buffer.from('a hash that nobody should read!!');
    const row = { token_hash: hash, person_id: -1, expires_at: new Date() };
    const error = await failureOf(test.platform.db.insertInto('reset_grants').values(row).execute());
    const line = lineOf(() => log.error({ err: error }, 'a request failed'));
    expect(JSON.parse(line).err).toMatchObject({ code: '23503', constraint: 'reset_grants_person_id_fkey' });
    const tooShort = { ...row, token_hash: Buffer.from('planted') };
    const second = await failureOf(test.platform.db.insertInto('reset_grants').values(tooShort).execute());
    const other = lineOf(() => log.error({ err: second }, 'a request failed'));
    expect(second).toHaveProperty('detail');
    for (const one of [line, other]) {
      expect(one).not.toContain(hash.toString('hex'));
      expect(one).not.toContain(Buffer.from('planted').toString('hex'));
    }
  });

  it('does not quote the value that PostgreSQL could not parse', async () => {
    const error = await failureOf(test.platform.pool.query('select $1::integer', ['Matooke-2026']));
    expect(String(error)).toContain('Matooke-2026');
    expect(lineOf(() => log.error({ err: error }, 'a request failed'))).not.toContain('Matooke-2026');
  });

  it('keeps its message, stack and cause, but no additional properties', () => {
    const cause = Object.assign(new Error('the socket broke'), { code: 'ECONNRESET' });
    const error = Object.assign(new Error('the provider failed', { cause }), { request: { body: 'Matooke-2026' } });
    const line = lineOf(() => log.error({ err: error }, 'a message was not sent'));
    expect(JSON.parse(line).err).toMatchObject({
      type: 'Error',
      message: 'the provider failed',
      stack: expect.stringContaining('logging.test.ts'),
      cause: { message: 'the socket broke', code: 'ECONNRESET' },
    });
    expect(line).not.toContain('Matooke-2026');
    expect(JSON.parse(lineOf(() => log.error({ err: 'a text' }, 'odd'))).err).toEqual({ message: 'a text' });
  });
});

describe('a library’s object in place of an error', () => {
  it('is logged with type, message and stack, without the values that PostgreSQL quotes', () => {
    const error = new pg.DatabaseError('invalid input syntax for type integer: "Matooke-2026"', 1, 'error');
    Object.assign(error, { code: '22P02', detail: 'Failing row contains (Matooke-2026)' });
    // In the form in which pg-boss passes it to its listeners.
    const fields = Object.fromEntries(Object.entries(error));
    const spread = { ...fields, message: error.message, stack: error.stack, queue: 'messages' };
    const line = lineOf(() => log.error({ err: spread }, 'background jobs met an error and continue'));
    expect(JSON.parse(line).err).toEqual({
      type: expect.stringMatching(/^[Ee]rror$/),
      message: 'invalid input syntax for type integer: …',
      code: '22P02',
      stack: expect.stringContaining('logging.test.ts'),
    });
    expect(line).not.toContain('Matooke-2026');
    expect(line).not.toContain('[object Object]');
    const odd = lineOf(() => log.error({ err: { reason: 'Matooke-2026' } }, 'odd'));
    expect(JSON.parse(odd).err).toEqual({ message: 'an object with reason' });
  });
});

describe('any line of the log', () => {
  it('has no token and no password hash, wherever they are', () => {
    const token = newToken();
    const hash = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNo';
    const line = lineOf(() => log.info({ what: `GET /x?y=${token}` }, `with ${token} and ${hash}`));
    expect(line).not.toContain(token);
    expect(line).not.toContain('c2FsdHNhbHRzYWx0');
    expect(JSON.parse(line).what).toBe('GET /x?y=[secret]');
  });

  it('has no value of a secret key, at any depth and of any type', () => {
    const body = {
      password: 'Matooke-2026',
      list: [{ recoveryCodes: ['one-1', 'two-2'] }],
      deep: { er: { pin: 12345 } },
    };
    const line = lineOf(() => log.info({ request: { body, amount: 5 }, cookie: { a: 'crumbs' } }, 'said "pin": 5'));
    expect(JSON.parse(line)).toMatchObject({
      request: {
        body: { password: '[secret]', list: [{ recoveryCodes: '[secret]' }], deep: { er: { pin: '[secret]' } } },
        amount: 5,
      },
      cookie: '[secret]',
      msg: 'said "pin": 5',
    });
    expect(line.endsWith('}\n')).toBe(true);
  });
});
