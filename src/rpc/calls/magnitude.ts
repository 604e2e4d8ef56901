/** The magnitude of a number: calls that ask for about as much take about as long. */
export const magnitudeOf = (count: number): string => String(count > 0 ? Math.ceil(Math.log2(count + 1)) : 0)
