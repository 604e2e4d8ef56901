/** Shortens a long identifier in its middle: 0x1234…cdef. */
export function shorten(text: string, start = 8, end = 6): string {
  return text.length <= start + end + 1 ? text : `${text.slice(0, start)}…${text.slice(-end)}`
}
