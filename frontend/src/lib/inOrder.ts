/**
 * Gives calls one after another, each when the one before it has been answered, however it was. Go runs every call by itself, so that
 * of two that are on the way at once the second may be carried out first.
 */
export function inOrder(): <T>(call: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (call) => {
    const answer = last.then(call);
    last = answer.catch(() => undefined);
    return answer;
  };
}
