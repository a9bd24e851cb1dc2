import { describe, expect, it } from 'vitest';
import { networkOf } from './network.ts';

describe('an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:DB8:1:ffff::99', '2001:db8:1::/48'],
    ['2001:db8:2::99', '2001:db8:2::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['2001:0db8:0001:0002::', '2001:db8:1::/48'],
    ['::1', '0:0:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
    ['unknown', 'unknown'],
  ])('%s counts as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
