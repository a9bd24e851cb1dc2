import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { files } from '#scripts/checks/house-rules/sources.ts';
import { canaryFound, full, notShown, proved } from '#testing/evidence/record.ts';

/**
 * Installed packages are as published by the registry, without known vulnerabilities
 * (docs/decisions/0022-browser-walls.md).
 */

const root = join(import.meta.dirname, '../..');
const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

const versions = z.record(z.string(), z.string()).default({});
const manifest = z.object({ dependencies: versions, devDependencies: versions, optionalDependencies: versions });
const lockEntry = z.object({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
});
const lock = z.object({ lockfileVersion: z.int(), packages: z.record(z.string(), lockEntry) });

const ownManifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const ownLock: unknown = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

/** The errors of a manifest and its lock, one sentence each. */
function wrongs(someManifest: unknown, someLock: unknown): string[] {
  const { lockfileVersion, packages } = lock.parse(someLock);
  const wanted = manifest.parse(someManifest);
  const pinned = DEPENDENCIES.flatMap((kind) => Object.entries(wanted[kind]));
  return [
    ...(lockfileVersion === 3 ? [] : [`the lock is of version ${lockfileVersion}`]),
    ...pinned
      .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([name]) => `${name} is not pinned`),
    ...pinned
      .filter(([name, version]) => packages[`node_modules/${name}`]?.version !== version)
      .map(([name]) => `${name} is locked at another version than package.json says`),
    ...Object.entries(packages).flatMap(([path, entry]) => (path === '' ? [] : wrongOf(path, entry))),
  ];
}

/**
 * The fault of a package in the lock: it needs a SHA-512 digest in Base64, and comes from the registry that npm is
 * configured with unless the lock says otherwise.
 */
function wrongOf(path: string, { version, resolved, integrity, link }: z.output<typeof lockEntry>): string[] {
  return [
    ...(/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '') ? [] : [`${path} has no sha512 digest`]),
    ...(resolved === undefined ? [] : [`${path} comes from ${resolved}`]),
    ...(link === true ? [`${path} is a link`] : []),
    ...(version === undefined ? [`${path} has no version`] : []),
  ];
}

describe('the lock', () => {
  it('canary: every kind of tampering is found', () => {
    const whole = lock.parse(ownLock);
    const entry = { ...whole.packages['node_modules/zod'] };
    const tampered: readonly [Record<string, unknown>, string][] = [
      [{ integrity: undefined }, 'node_modules/zod has no sha512 digest'],
      [{ integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, 'node_modules/zod has no sha512 digest'],
      [
        { resolved: 'https://elsewhere.example/zod.tgz' },
        'node_modules/zod comes from https://elsewhere.example/zod.tgz',
      ],
      [{ version: '0.0.1' }, 'zod is locked at another version'],
      [{ link: true }, 'node_modules/zod is a link'],
    ];
    for (const [fault, sentence] of tampered) {
      const packages = { ...whole.packages, 'node_modules/zod': { ...entry, ...fault } };
      expect(wrongs(ownManifest, { ...whole, packages }).join('; ')).toContain(sentence);
    }
    const loose = manifest.parse(ownManifest);
    const ranged = { ...loose, dependencies: { ...loose.dependencies, zod: '^4.0.0' } };
    expect(wrongs(ranged, ownLock)).toContain('zod is not pinned');
    canaryFound(
      'packages',
      `a row of the lock tampered with in ${tampered.length} ways, and a version that is not pinned, were each found`,
    );
  });

  it('pins every package to an exact version with a digest, from the registry', () => {
    expect(wrongs(ownManifest, ownLock)).toEqual([]);
    const count = Object.keys(lock.parse(ownLock).packages).length - 1;
    expect(count).toBeGreaterThan(100);
    proved(
      'packages',
      `${count} packages, each with a sha512 digest, an exact version and no other source than the registry`,
    );
  });
});

describe('the registry', () => {
  /** The registry that npm uses is a setting of the machine. */
  const HOST = /\bregistry\.[a-z]+\.(?:com|dev|io|net|org)\b/;

  it('is named by no file', () => {
    expect(HOST.test(`https://registry.${'example'}.org/zod`)).toBe(true);
    const ownFiles = ['CHANGELOG.md', 'CONTRIBUTING.md', 'Containerfile', 'README.md', 'package-lock.json', '.npmrc'];
    const naming = [...files, ...ownFiles].filter((path) => HOST.test(readFileSync(join(root, path), 'latin1')));
    expect(naming).toEqual([]);
  });
});

const audit = z.object({
  metadata: z.object({ vulnerabilities: z.object({ high: z.int(), critical: z.int(), total: z.int() }) }),
});

/** The findings of `npm audit` for production packages, or the reason for its failure. */
function productionAudit(): { readonly found?: z.output<typeof audit>; readonly reason: string } {
  const flags = ['--omit=dev', '--json', '--fetch-retries=0', '--fetch-timeout=20000'];
  const { stdout, error } = spawnSync('npm', ['audit', ...flags], { cwd: root, encoding: 'utf8' });
  if (error !== undefined) return { reason: error.message };
  const report: { message?: string } = stdout === '' ? {} : JSON.parse(stdout);
  const read = audit.safeParse(report);
  return read.success
    ? { found: read.data, reason: '' }
    : { reason: withoutAddress(report.message ?? 'it said nothing') };
}

/** The registry that npm uses is a setting of the machine. */
function withoutAddress(message: string): string {
  return message.replaceAll(/https?:\/\/\S+/g, 'its address');
}

function seriousOf({ metadata: { vulnerabilities } }: z.output<typeof audit>): number {
  return vulnerabilities.high + vulnerabilities.critical;
}

describe('advisories', () => {
  it('canary: a serious advisory and a failed request are both found', () => {
    const report = { metadata: { vulnerabilities: { info: 0, low: 3, moderate: 1, high: 0, critical: 1, total: 5 } } };
    expect(seriousOf(audit.parse(report))).toBe(1);
    expect(withoutAddress('405 - POST https://packages.example/-/advisories')).toBe('405 - POST its address');
    expect(audit.safeParse({ message: '405 Method Not Allowed', statusCode: 405 }).success).toBe(false);
    canaryFound(
      'advisories',
      'a report with a critical advisory counted as one, and a registry’s refusal as no report',
    );
  });

  // Skipped in a normal `npm test`, because it needs the network.
  it.runIf(full || process.env.CI !== undefined)('of level high or critical are none in production', (context) => {
    const { found, reason } = productionAudit();
    if (found === undefined) {
      console.warn(
        `NOT CHECKED: the registry gives no advisories (${reason}). Run 'npm audit --omit=dev' where it does.`,
      );
      notShown('advisories', `not checked here: the registry gives no advisories (${reason})`);
      return context.skip(reason);
    }
    expect(seriousOf(found)).toBe(0);
    proved(
      'advisories',
      `npm audit of production: ${found.metadata.vulnerabilities.total} advisories, 0 of level high or critical`,
    );
  });
});
