import { beforeAll, describe, expect, it } from 'vitest';
import { buildBusiness, buildSignedIn } from '#testing/builders.ts';
import { appOfFile } from '#testing/test-app.ts';

/** The businesses offered in selects. */

describe('the selects', () => {
  const own = appOfFile();
  const ids = new Map<string, number>();

  beforeAll(async () => {
    for (const [name, kind, active] of [
      ['zebra Builders', 'client', true],
      ['Closed Client', 'client', false],
      ['Arua Traders', 'client', true],
      ['Umeme', 'buyer', true],
      ['Closed Buyer', 'buyer', false],
    ] as const) {
      ids.set(name, (await buildBusiness(own, { name, kind, active })).id);
    }
    await own.platform.db
      .updateTable('businesses')
      .set({ is_buyer: true })
      .where('name', '=', 'Arua Traders')
      .execute();
  });

  const option = (name: string) => ({ id: ids.get(name), name });

  it('offer staff the active businesses, by name', async () => {
    const { caller: reader } = await buildSignedIn(own, { perms: ['KSTAF'] });
    const [arua, umeme, zebra] = [option('Arua Traders'), option('Umeme'), option('zebra Builders')];
    expect((await reader.get('/profiles/all')).body).toEqual([arua, umeme, zebra]);
    expect((await reader.get('/profiles/ida_clients')).body).toEqual([arua, zebra]);
    expect((await reader.get('/profiles/buyers')).body).toEqual([arua, umeme]);
  });

  it('offer a client the active buyers but their own business', async () => {
    const arua = await buildSignedIn(own, { perms: ['BIDA'], businessId: ids.get('Arua Traders') ?? 0 });
    const zebra = await buildSignedIn(own, { perms: ['BIDA'], businessId: ids.get('zebra Builders') ?? 0 });
    expect((await arua.caller.get('/profiles/buyers')).body).toEqual([option('Umeme')]);
    expect((await zebra.caller.get('/profiles/buyers')).body).toEqual([option('Arua Traders'), option('Umeme')]);
    expect((await own.visitor().get('/profiles/buyers')).status).toBe(401);
  });

  it('are whole, however many there are', async () => {
    const { caller: reader } = await buildSignedIn(own, { perms: ['KSTAF'] });
    const before = (await reader.get('/profiles/all')).body.length;
    await Promise.all(Array.from({ length: 120 }, () => buildBusiness(own)));
    expect((await reader.get('/profiles/all')).body).toHaveLength(before + 120);
  });
});
