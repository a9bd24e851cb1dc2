import closeWithGrace from 'close-with-grace';
import { createLog } from '#server/observability/logging.ts';

/** Ends like server/main.mjs after an uncaught error that contains secrets. */
const log = createLog('debug');
closeWithGrace({ delay: 1000, logger: log }, async ({ err }) => {
  if (err !== undefined) log.fatal({ err }, 'stopping after an error nobody caught');
});
const token = 'y2'.repeat(22).slice(0, 43);
const request = { body: { password: 'Crash-password-2026' }, headers: { cookie: `kasente_session=${token}` } };
const hash = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA';
setImmediate(() => {
  throw Object.assign(new Error(`the planted crash of ${token} and ${hash}`), { request, config: request });
});
