import { transferEndpoints } from '#contract/transfers/endpoints.ts';
import { createAddressLimits } from '#server/accounts/login/address-limits.ts';
import type { Routes } from '#server/http/http.ts';
import { listBatches, makeBatch, readBatchFile } from '#server/transfers/batches/batches.service.ts';
import { askDay, askTransfer } from '#server/transfers/checks/checks.service.ts';
import {
  confirmEnding,
  dropOpenEnding,
  proposeEnding,
  type Sources,
} from '#server/transfers/endings/endings.service.ts';
import { hearCallback } from './transfers.service.ts';

/** Transfers over providers' rails. */
export function transferRoutes(routes: Routes, sources: Sources): void {
  const { platform } = routes;
  const { outcomes } = sources;
  const limits = createAddressLimits(platform);
  routes.signedIn(transferEndpoints.askTransfers, ({ body }) => askDay(platform, outcomes, body));
  routes.signedIn(transferEndpoints.askTransfer, ({ params }) => askTransfer(platform, outcomes, params.tag));
  routes.signedIn(transferEndpoints.proposeEnding, ({ caller, params, body }) =>
    proposeEnding({ platform, caller }, sources, params.tag, body),
  );
  routes.signedIn(transferEndpoints.confirmEnding, ({ caller, params, body }) =>
    confirmEnding({ platform, caller }, sources, params.tag, body),
  );
  routes.byTag(transferEndpoints.dropEnding, dropOpenEnding);
  routes.signedIn(transferEndpoints.payoutBatches, () => listBatches(platform));
  routes.byBody(transferEndpoints.makePayoutBatch, makeBatch);
  routes.signedIn(transferEndpoints.payoutBatchFile, async ({ params, reply }) => {
    const { fileName, content } = await readBatchFile(platform, params.tag);
    reply.headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${fileName}"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    return content;
  });
  routes.publicAuth(transferEndpoints.railCallback, ({ caller, params, body, request }) =>
    hearCallback({ platform, caller }, limits, { rail: params.rail, host: request.host, body }),
  );
}
