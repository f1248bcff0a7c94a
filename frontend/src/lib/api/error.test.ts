import { describe, expect, it } from 'vitest';

import { ApiError, toApiError } from './error';

const told = '{"code":"empty_message","message":"빈 메시지예요.","fields":{"limit":3}}';

describe('toApiError', () => {
  it.each([
    ['the Error that Wails makes of the text', new Error(told)],
    ['the text itself', told],
    ['the object', JSON.parse(told) as unknown],
  ])('reads %s', (_, thrown) => {
    const error = toApiError(thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error.code).toBe('empty_message');
    expect(error.message).toBe('빈 메시지예요.');
    expect(error.fields).toEqual({ limit: 3 });
  });

  it('keeps the words of anything else', () => {
    expect(toApiError(new Error('boom')).message).toBe('boom');
    expect(toApiError('boom').code).toBe('internal');
    expect(toApiError(toApiError('boom')).message).toBe('boom');
  });
});
