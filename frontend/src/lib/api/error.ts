/** A failure the shop reported: a stable code, and a sentence for the person in the shop's language. */
export class ApiError extends Error {
  readonly code: string;
  readonly fields: Record<string, unknown>;

  constructor(code: string, message: string, fields: Record<string, unknown> = {}) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.fields = fields;
  }
}

/** Turns whatever a bound call threw into an ApiError. Wails hands over what Go's error formatter made, or a text. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const parsed = typeof thrown === 'string' ? parse(thrown) : thrown;
  if (parsed && typeof parsed === 'object' && 'code' in parsed && 'message' in parsed) {
    const { code, message, fields } = parsed as {
      code: unknown;
      message: unknown;
      fields?: Record<string, unknown> | null;
    };
    return new ApiError(String(code), String(message), fields ?? {});
  }
  return new ApiError('internal', thrown instanceof Error ? thrown.message : String(thrown));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
