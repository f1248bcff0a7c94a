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

/** Turns whatever a bound call threw into an ApiError. Wails wraps the text Go's error formatter made into an Error. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const text = thrown instanceof Error ? thrown.message : thrown;
  const parsed = typeof text === 'string' ? parse(text) : text;
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
