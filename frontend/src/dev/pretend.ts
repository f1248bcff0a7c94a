/** Puts a stand-in for Go behind the window. */
export function pretend(): void {}
