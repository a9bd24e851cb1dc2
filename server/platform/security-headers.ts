import fastifyHelmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Pages } from '#server/platform/pages.ts';
import type { Platform } from '#server/platform/platform.ts';

/**
 * The headers of every answer. Scripts and styles come from here alone, but for the one script within a prerendered page,
 * which is named by its hash; Mantine writes `<style>` elements, which
 * carry the answer's nonce, and style attributes, which need 'unsafe-inline'.
 */
export async function securityHeaders(server: FastifyInstance, platform: Platform, { scripts }: Pages): Promise<void> {
  const https = platform.config.publicUrl?.startsWith('https:') === true;
  await server.register(fastifyHelmet, {
    enableCSPNonces: true,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...scripts],
        styleSrc: ["'self'"],
        styleSrcAttr: ["'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        connectSrc: ["'self'"],
        fontSrc: ["'self'"],
        manifestSrc: ["'self'"],
        frameSrc: ["'self'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
      },
    },
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: https ? { maxAge: 63_072_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  });
}
