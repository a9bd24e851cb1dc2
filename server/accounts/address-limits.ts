import { isIPv6 } from 'node:net';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '#server/platform/app-error.ts';
import type { Platform } from '#server/platform/platform.ts';

/**
 * Limits by address, over every server process. Generous, because Ugandan carriers put thousands of people behind one
 * address (decisions, 'Accounts'): they only blunt a flood, the limits by account and by recipient do the work. The
 * library counts by the machine's clock, not by the platform's, so a test that moves time leaves these counts alone.
 */

type Limited = 'register' | 'resend-pin' | 'request-reset' | 'login-failure';

const AN_HOUR = 600;
const HOUR_SECONDS = 3600;

export interface AddressLimits {
  /** Counts one; throws TOO_MANY_REQUESTS when the hour's are spent. */
  spend(limited: Limited, address: string): Promise<void>;
  /** Counts none; throws TOO_MANY_REQUESTS when the hour's are spent. */
  refuseSpent(limited: Limited, address: string): Promise<void>;
}

/** The limits of a server; their rows stand in `address_limits`. */
export function createAddressLimits({ pool }: Platform, anHour: number = AN_HOUR): AddressLimits {
  const limiter = new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    tableName: 'address_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: 'hour',
    points: anHour,
    duration: HOUR_SECONDS,
  });
  const keyOf = (limited: Limited, address: string): string => `${limited}:${networkOf(address)}`;
  return {
    spend: async (limited, address) => {
      try {
        await limiter.consume(keyOf(limited, address));
      } catch (refusal) {
        throw refusal instanceof RateLimiterRes ? tooMany(refusal) : refusal;
      }
    },
    refuseSpent: async (limited, address) => {
      const spent = await limiter.get(keyOf(limited, address));
      if (spent !== null && spent.consumedPoints >= anHour) throw tooMany(spent);
    },
  };
}

function tooMany({ msBeforeNext }: RateLimiterRes): AppError {
  return new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: msBeforeNext / 1000 });
}

/** One IPv6 subscriber has a whole /64; an IPv4 address stands for itself, however it is written. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [left = '', right] = address.toLowerCase().split('::');
  const before = left.split(':');
  const after = right === undefined || right === '' ? [] : right.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  const groups = right === undefined ? before : [...before, ...zeros, ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':')}::/64`;
}
