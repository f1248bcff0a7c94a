/** How long a test waits, in ms, before it says that something does not come. Only a fault takes that long, or a very busy machine. */
export const patience = 120_000;
