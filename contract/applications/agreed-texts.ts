import { sayDate } from '#contract/time/calendar.ts';

/**
 * The versions in force of the texts that a client agrees to, by their first day; the pages name the same day
 * (docs/decisions/0063-versions-of-texts.md).
 */
export const agreedVersions = { userAgreement: '2026-11-28', privacyPolicy: '2026-11-28' } as const;

/** The versions in words, as key facts keep them. */
export const AGREED_TEXTS = `User Agreement of ${sayDate(agreedVersions.userAgreement)}, Privacy Policy of ${sayDate(agreedVersions.privacyPolicy)}`;
