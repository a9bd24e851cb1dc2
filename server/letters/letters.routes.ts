import type { FastifyReply } from 'fastify';
import { letterEndpoints } from '#contract/letters/endpoints.ts';
import type { SignedInCaller } from '#server/calls/caller.ts';
import type { Routes } from '#server/http/http.ts';
import { FairSemaphore } from '#server/machine/fair-semaphore.ts';
import { shownFileHeaders } from '#server/responses/security-headers.ts';
import { KeptLetters } from './kept-letters.service.ts';
import { type PrintedLetter, type Printer, printEvidence, printKeyFacts, printOfferLetter } from './letters.service.ts';

interface LetterCall {
  readonly params: { readonly tag: string };
  readonly caller: SignedInCaller;
  readonly reply: FastifyReply;
}

type Print = (printer: Printer, caller: SignedInCaller, tag: string) => Promise<PrintedLetter>;

/** Letters take long, so the semaphore is fair by person: one person's flood cannot block another's letter. */
const LETTERS_AT_ONCE = { atOnce: 2, atOnceEach: 1, waiting: 40 } as const;

/** The letters of an application as PDFs. */
export function letterRoutes(routes: Routes): void {
  const { platform } = routes;
  const printer = { platform, kept: new KeptLetters(platform) };
  const turns = new FairSemaphore(LETTERS_AT_ONCE);

  /** Runs everything in the caller's turn, including the reads. */
  const serve =
    (print: Print) =>
    async ({ params, caller, reply }: LetterCall) => {
      const { fileName, content } = await turns.run(caller.person.tag, () => print(printer, caller, params.tag));
      reply.headers(shownFileHeaders({ fileName, mediaType: 'application/pdf' }));
      return content;
    };

  routes.signedIn(letterEndpoints.keyFactsLetter, serve(printKeyFacts));
  routes.signedIn(letterEndpoints.offerLetter, serve(printOfferLetter));
  routes.signedIn(letterEndpoints.evidence, serve(printEvidence));
}
