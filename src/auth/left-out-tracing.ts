/**
 * Replaces OpenTelemetry's API in the deployed Worker (wrangler.toml, `[alias]`), where nobody collects its data. better-auth runs each of
 * its queries in a span of this tracer. The model's client is told to make no spans (`openTelemetry: false`), and only imports the names.
 */
const span = {
  end: () => undefined,
  setAttribute: () => span,
  setStatus: () => span,
  recordException: () => undefined,
};

/** Runs the last argument, as OpenTelemetry's own tracer does when nobody has registered another. */
const tracer = {
  startActiveSpan: (_name: string, _options: object, run: (active: typeof span) => unknown): unknown => run(span),
};

export const trace = { getTracer: () => tracer };
export const SpanStatusCode = { UNSET: 0, OK: 1, ERROR: 2 };
export const SpanKind = {};
export const context = {};
export const propagation = {};
