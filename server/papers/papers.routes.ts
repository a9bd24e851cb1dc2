import type { FastifyReply } from 'fastify';
import { applicationEndpoints } from '#contract/applications/endpoints.ts';
import { deskEndpoints } from '#contract/desk/endpoints.ts';
import { loadKeyFacts } from '#server/applications/key-facts.service.ts';
import { type PrintedPaper, printEvidence, printKeyFacts, printOfferLetter } from '#server/papers/papers.service.ts';
import type { Routes } from '#server/platform/http.ts';
import { inlineDisposition } from '#server/platform/inline-disposition.ts';
import { filePolicy } from '#server/platform/security-headers.ts';

/** Key facts, and the papers of an application as PDFs (issue 'The decision desk'). */
export function paperRoutes(routes: Routes): void {
  const { platform } = routes;

  routes.signedIn(applicationEndpoints.keyFacts, ({ params, caller }) => loadKeyFacts(platform, caller, params.tag));
  routes.signedIn(applicationEndpoints.keyFactsPaper, async ({ params, caller, reply }) =>
    send(reply, await printKeyFacts(platform, caller, params.tag)),
  );
  routes.signedIn(applicationEndpoints.offerLetter, async ({ params, caller, reply }) =>
    send(reply, await printOfferLetter(platform, caller, params.tag)),
  );
  routes.signedIn(deskEndpoints.evidence, async ({ params, caller, reply }) =>
    send(reply, await printEvidence(platform, caller, params.tag)),
  );
}

function send(reply: FastifyReply, { fileName, content }: PrintedPaper): Buffer {
  reply.headers({
    'content-type': 'application/pdf',
    'content-disposition': inlineDisposition(fileName),
    'content-security-policy': filePolicy('application/pdf'),
    'x-frame-options': 'SAMEORIGIN',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  return content;
}
