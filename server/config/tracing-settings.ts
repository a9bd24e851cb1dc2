import { z } from 'zod';

/**
 * The standard OpenTelemetry settings that Kasente reads itself; the library reads the others (docs/operations.md,
 * 'Traces').
 */

const endpoint = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:/.test(text), 'an address such as http://localhost:4318')
  .optional();
const protocol = z.enum(['http/protobuf', 'http/json'], "'http/protobuf' or 'http/json'").optional();

const emptyAsAbsent = (value: unknown): unknown => (value === '' ? undefined : value);

export const tracingEnvironment = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z.preprocess(emptyAsAbsent, endpoint),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.preprocess(emptyAsAbsent, endpoint),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.preprocess(emptyAsAbsent, protocol),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: z.preprocess(emptyAsAbsent, protocol),
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_TRACES_EXPORTER: z.string().optional(),
};

/** How traces are sent. */
export type TracingProtocol = NonNullable<z.output<typeof protocol>>;

/** How to send traces; undefined if tracing is off. */
export function readTracing(
  settings: {
    readonly [Name in keyof typeof tracingEnvironment]?: z.output<(typeof tracingEnvironment)[Name]>;
  },
): TracingProtocol | undefined {
  const isWanted = (settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? settings.OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined;
  const isOff = settings.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || settings.OTEL_TRACES_EXPORTER === 'none';
  if (!isWanted || isOff) return undefined;
  return settings.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? settings.OTEL_EXPORTER_OTLP_PROTOCOL ?? 'http/protobuf';
}
